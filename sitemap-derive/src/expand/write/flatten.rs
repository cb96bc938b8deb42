//! Fields whose own fields give values: the implementation of `SitemapFields`, and where a row has one.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Member;

use super::{Access, Generator, call, place, placeholder, reference};
use crate::attr::Extension;
use crate::derivation::{Body, Derivation, Page, Piece, Source, TemplateLoc};
use crate::expand::{implementation, local};
use crate::generics::inside_option;

/// The implementation of `SitemapFields`.
pub(super) fn fields(mut code: Generator<'_>, derivation: &Derivation) -> TokenStream {
    // Enums were refused.
    let Body::Struct(page) = &derivation.body else {
        return TokenStream::new();
    };
    let write = code.page(page, Access::Field);
    let gives = gives_of(page);
    let private = code.path("__private");
    let gives = gives.iter().map(|(_, constant)| {
        let constant = Ident::new(constant, proc_macro2::Span::call_site());
        quote!(.and(#private::Gives::#constant))
    });
    let trait_name = code.path("SitemapFields");
    let inner = page.flattened.iter().filter(|source| source.with.is_none());
    let inner = inner.map(|source| {
        let ty = &source.field.ty;
        quote!(.and(<#ty as #trait_name>::GIVES))
    });
    let Generator {
        input,
        entry,
        bounds,
        items,
        krate,
        ..
    } = code;
    let functions = quote! {
        const GIVES: #private::Gives = #private::Gives::UNKNOWN #(#gives)* #(#inner)*;

        fn write_fields(&self, #entry: &mut #krate::convert::EntryWriter<'_>) -> #krate::Result<()> {
            #write
        }
    };
    implementation(input, bounds, &items, &trait_name, &functions)
}

/// The values that an entry has once and that the page itself gives, each with its constant.
fn gives_of(page: &Page) -> Vec<(&'static str, &'static str)> {
    let extension = |extension: Extension| {
        page.extensions.iter().any(|(other, _)| *other == extension)
            || page.functions.iter().any(|(other, _)| *other == extension)
    };
    let mut found = Vec::new();
    if page.lastmod.is_some() {
        found.push(("lastmod", "LASTMOD"));
    }
    if page.changefreq.is_some() {
        found.push(("changefreq", "CHANGEFREQ"));
    }
    if page.priority.is_some() {
        found.push(("priority", "PRIORITY"));
    }
    if extension(Extension::News) {
        found.push(("news", "NEWS"));
    }
    // Links by template are all that a page has.
    if page.links.is_some() || page.languages.is_some() {
        found.push(("alternate", "ALTERNATE"));
    }
    found
}

impl Generator<'_> {
    /// Code that writes the values of the flattened fields.
    pub(super) fn flattened(&mut self, page: &Page, access: Access) -> TokenStream {
        let of_trait = self.path("SitemapFields");
        let mut code = self.conflicts(page);
        for source in &page.flattened {
            let entry = &self.entry;
            let value = reference(&source.field, access);
            let ty = &source.field.ty;
            code.extend(match &source.with {
                Some(with) => {
                    let value = call(with, &value);
                    quote_spanned!(place(with)=> #of_trait::write_fields(&#value, #entry)?;)
                }
                None => quote!(<#ty as #of_trait>::write_fields(#value, #entry)?;),
            });
            if source.with.is_none() {
                self.bounds.need(ty, &of_trait);
            }
        }
        code
    }

    /// Checks that no two give what an entry has once, where the types say what they give.
    fn conflicts(&mut self, page: &Page) -> TokenStream {
        let (of_trait, private) = (self.path("SitemapFields"), self.path("__private"));
        let known: Vec<&Source> = page
            .flattened
            .iter()
            .filter(|source| source.with.is_none())
            .collect();
        let mut checks: Vec<TokenStream> = Vec::new();
        let own = gives_of(page);
        let all = [
            ("lastmod", "LASTMOD"),
            ("changefreq", "CHANGEFREQ"),
            ("priority", "PRIORITY"),
            ("news", "NEWS"),
            ("alternate", "ALTERNATE"),
        ];
        for (i, source) in known.iter().enumerate() {
            for (name, constant) in all {
                let constant = Ident::new(constant, proc_macro2::Span::call_site());
                let ty = &source.field.ty;
                let gives =
                    |ty: &syn::Type| quote!(<#ty as #of_trait>::GIVES.has(#private::Gives::#constant));
                let (this, described) = (gives(ty), described(source));
                let rule = if name == "news" {
                    "(P-NEWS4)"
                } else if name == "alternate" {
                    "(P-ALT3)"
                } else {
                    "(P-DUP)"
                };
                let mut check = |other: TokenStream, by: String| {
                    let message = format!(
                        "`{name}` is given twice, by {by} and by the flattened {described}, and an entry has it once {rule}; keep one of \
                         them"
                    );
                    checks.push(quote_spanned!(place(ty)=> ::core::assert!(!(#this #other), #message);));
                };
                if own.iter().any(|(own, _)| *own == name) {
                    check(TokenStream::new(), "the row itself".to_owned());
                }
                for other in &known[..i] {
                    let before = gives(&other.field.ty);
                    check(
                        quote!(&& #before),
                        format!("the flattened {}", self::described(other)),
                    );
                }
            }
        }
        if checks.is_empty() {
            return TokenStream::new();
        }
        // What names a parameter is known only in the implementation.
        if self.input.generics.params.is_empty() && !known.iter().any(|source| names_self(&source.field.ty)) {
            self.items.push(quote!(const _: () = { #(#checks)* };));
            return TokenStream::new();
        }
        quote!(const { #(#checks)* })
    }

    /// Code that puts the value of a flattened field's own field into a URL.
    pub(super) fn inner(
        &mut self,
        name: &str,
        reserved: bool,
        source: &Source,
        path: &[Member],
        access: Access,
    ) -> TokenStream {
        let (loc, inner, private) = (self.loc.clone(), local("inner"), self.path("__private"));
        let function = placeholder(reserved);
        let of_trait = self.path("__private::Placeholder::<_>");
        let found = self.inside(source, access);
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        let ways = self.ways();
        quote! {{
            #ways
            match #found {
                ::core::option::Option::Some(#inner) => #of_trait::#function(&#inner #(.#path)*, #loc, #name)?,
                ::core::option::Option::None => #private::absent(#first, #rest)?,
            }
        }}
    }

    /// The traits by one of which a flattened field's value is found.
    fn ways(&self) -> TokenStream {
        let private = self.path("__private");
        quote!(use #private::{InsideOption as _, Itself as _};)
    }

    /// Code that asks whether all values of a template are there, if any may not be.
    pub(super) fn present(&self, template: &TemplateLoc, access: Access) -> Option<TokenStream> {
        let of_trait = self.path("__private::Placeholder::<_>");
        let conditions = template.pieces.iter().filter_map(|piece| match piece {
            Piece::Value { source, .. } => match &source.with {
                Some(with) => {
                    let value = call(with, &reference(&source.field, access));
                    Some(quote_spanned!(place(with)=> #of_trait::is_present(&#value)))
                }
                None => may_be_absent(&source.field.ty).then(|| {
                    let value = reference(&source.field, access);
                    quote!(#of_trait::is_present(#value))
                }),
            },
            Piece::Inner { source, path, .. } => {
                let (inner, found) = (local("inner"), self.inside(source, access));
                let ways = self.ways();
                Some(quote!({
                    #ways
                    ::core::option::Option::is_some_and(#found, |#inner| #of_trait::is_present(&#inner #(.#path)*))
                }))
            }
            _ => None,
        });
        conditions.reduce(|all, next| quote!(#all && #next))
    }

    /// The value in a flattened field, if there is one. In a block with [`ways`](Self::ways), so that what a function returned lives for as
    /// long as it.
    fn inside(&self, source: &Source, access: Access) -> TokenStream {
        let private = self.path("__private");
        let value = reference(&source.field, access);
        let (value, span) = match &source.with {
            Some(with) => {
                let value = call(with, &value);
                (quote!(&#value), place(with))
            }
            None => (value, place(&source.field.ty)),
        };
        quote_spanned!(span=> (&&#private::Flattened(#value)).__inner())
    }
}

fn described(source: &Source) -> String {
    match &source.field.member {
        Member::Named(name) => format!("`{name}`"),
        Member::Unnamed(index) => format!("field {}", index.index),
    }
}

/// Whether the type is an `Option`, by its name.
fn may_be_absent(ty: &syn::Type) -> bool {
    !std::ptr::eq(inside_option(ty), ty)
}

fn names_self(ty: &syn::Type) -> bool {
    ty.to_token_stream()
        .to_string()
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| word == "Self")
}

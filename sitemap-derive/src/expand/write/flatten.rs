//! Flattened fields: the implementation of `SitemapFields`, and its use in the type with the field.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Member;

use super::{Access, Generator, place, reference};
use crate::attr::Key;
use crate::expand::{implementation, local, namespaces};
use crate::generics::inside_option;
use crate::validate::{Body, Derivation, Page, Piece, Source};

/// The implementation of `SitemapFields`.
pub(super) fn fields(mut code: Generator<'_>, derivation: &Derivation) -> TokenStream {
    // `SitemapFields` cannot be derived for enums, which was an error before.
    let Body::Struct(page) = &derivation.body else {
        return TokenStream::new();
    };
    let write = code.page(page, Access::Field);
    let title = code.title(&derivation.body);
    let private = code.path("__private");
    let gives = page.gives().into_iter().map(|key| {
        let constant = constant_of(key);
        quote!(.and(#private::Gives::#constant))
    });
    let trait_name = code.path("SitemapFields");
    let inner = page.flattened.iter().filter(|source| source.write_with.is_none());
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
    let namespaces =
        namespaces(derivation).map(|namespaces| quote!(#private::namespaces(#entry, &[#namespaces])?;));
    let functions = quote! {
        const GIVES: #private::Gives = #private::Gives::UNKNOWN #(#gives)* #(#inner)*;

        fn write_fields(&self, #entry: &mut #krate::EntryWriter<'_>) -> #krate::Result<()> {
            #namespaces
            #write
        }

        #title
    };
    implementation(input, bounds, &items, &trait_name, &functions)
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
            code.extend(match &source.write_with {
                Some(with) => {
                    let value = self.call(with, &value);
                    quote_spanned!(place(with)=> #of_trait::write_fields(&#value, #entry)?;)
                }
                None => quote!(<#ty as #of_trait>::write_fields(#value, #entry)?;),
            });
            if source.write_with.is_none() {
                self.bounds.need(ty, &of_trait);
            }
        }
        code
    }

    /// Checks at compile time that two fields never write the same single value.
    fn conflicts(&mut self, page: &Page) -> TokenStream {
        let of_trait = self.path("SitemapFields");
        let private = self.path("__private");
        let known = page.flattened.iter().filter(|source| source.write_with.is_none());
        let known: Vec<&Source> = known.collect();
        let message = |key: Key, by: &str, also: &str| {
            let name = key.name();
            let rule = match key {
                Key::News => "(P-NEWS4)",
                Key::Alternate => "(P-ALT3)",
                _ => "(P-DUP)",
            };
            format!(
                "`{name}` is given twice, by {by} and by {also}, and an entry has it once {rule}; keep one of them"
            )
        };
        let checks = Conflicts {
            gives: &quote!(#of_trait>::GIVES),
            private: &private,
            all: &Key::of_values().filter(|key| key.is_once()).collect::<Vec<_>>(),
            own: &page.gives(),
            message: &message,
        }
        .of(&known);
        match constant(self.input, &known, &checks) {
            Checks::None => TokenStream::new(),
            Checks::Item(item) => {
                self.items.push(item);
                TokenStream::new()
            }
            Checks::Code(code) => code,
        }
    }

    /// Code that writes a value of a flattened field into a URL or text.
    pub(super) fn inner(
        &mut self,
        piece: &Piece,
        function: &Ident,
        writer: &Ident,
        access: Access,
    ) -> TokenStream {
        let Piece::Inner {
            name,
            form,
            source,
            path,
        } = piece
        else {
            return TokenStream::new();
        };
        let (inner, private) = (local("inner"), self.path("__private"));
        let of_trait = self.path("__private::Placeholder::<_>");
        let found = self.inside(source, access);
        let (first, rest) = name.split_once('.').unwrap_or((name.as_str(), ""));
        let ways = self.ways();
        let absent = if form.optional {
            quote!({})
        } else {
            quote!(#private::absent(#first, #rest)?)
        };
        quote! {{
            #ways
            match #found {
                ::core::option::Option::Some(#inner) => #of_trait::#function(&#inner #(.#path)*, #writer, #name)?,
                ::core::option::Option::None => #absent,
            }
        }}
    }

    /// Imports the traits for method lookup on a flattened field.
    pub(in crate::expand) fn ways(&self) -> TokenStream {
        let private = self.path("__private");
        quote!(use #private::{InsideOption as _, Itself as _};)
    }

    /// A condition that all values of a template are present; `None` if they always are.
    pub(super) fn present(&self, pieces: &[Piece], access: Access) -> Option<TokenStream> {
        let of_trait = self.path("__private::Placeholder::<_>");
        let conditions = pieces.iter().filter_map(|piece| match piece {
            Piece::Value { form, .. } | Piece::Inner { form, .. } if form.optional => None,
            Piece::Value { source, .. } => match &source.write_with {
                Some(with) => {
                    let value = self.call(with, &reference(&source.field, access));
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

    /// The value of a flattened field, as an `Option`. The caller puts it into a block with [`ways`](Self::ways), so that the return
    /// value of a `with` function lives long enough.
    pub(in crate::expand) fn inside(&self, source: &Source, access: Access) -> TokenStream {
        let private = self.path("__private");
        let value = reference(&source.field, access);
        let (value, span) = match &source.write_with {
            Some(with) => {
                let value = self.call(with, &value);
                (quote!(&#value), place(with))
            }
            None => (value, place(&source.field.ty)),
        };
        quote_spanned!(span=> (&&#private::Flattened(#value)).__inner())
    }
}

/// The constant of a key's value in `Gives`.
pub(in crate::expand) fn constant_of(key: Key) -> Ident {
    Ident::new(&key.name().to_uppercase(), proc_macro2::Span::call_site())
}

/// Compile-time checks that a row and the types of its flattened fields have each value only once.
pub(in crate::expand) struct Conflicts<'a> {
    /// The rest of the path of the constant with a type's values, after `<Type as `.
    pub(in crate::expand) gives: &'a TokenStream,
    pub(in crate::expand) private: &'a TokenStream,
    /// The keys of all values.
    pub(in crate::expand) all: &'a [Key],
    /// Those of the row's own values.
    pub(in crate::expand) own: &'a [Key],
    /// Makes the message for a value's key and the two that have it.
    pub(in crate::expand) message: &'a dyn Fn(Key, &str, &str) -> String,
}

impl Conflicts<'_> {
    /// An assertion for each pair.
    pub(in crate::expand) fn of(&self, known: &[&Source]) -> Vec<TokenStream> {
        let Conflicts { gives, private, .. } = self;
        let mut checks: Vec<TokenStream> = Vec::new();
        for (i, source) in known.iter().enumerate() {
            for key in self.all {
                let constant = constant_of(*key);
                let ty = &source.field.ty;
                let gives = |ty: &syn::Type| quote!(<#ty as #gives.has(#private::Gives::#constant));
                let (this, also) = (gives(ty), format!("the flattened {}", described(source)));
                let mut check = |other: TokenStream, by: &str| {
                    let message = (self.message)(*key, by, &also);
                    checks.push(quote_spanned!(place(ty)=> ::core::assert!(!(#this #other), #message);));
                };
                if self.own.contains(key) {
                    check(TokenStream::new(), "the row itself");
                }
                for other in &known[..i] {
                    let before = gives(&other.field.ty);
                    check(quote!(&& #before), &format!("the flattened {}", described(other)));
                }
            }
        }
        checks
    }
}

/// The place for the assertions.
pub(in crate::expand) enum Checks {
    None,
    /// In an item outside the implementation.
    Item(TokenStream),
    /// In the implementation, if they depend on its type parameters.
    Code(TokenStream),
}

pub(in crate::expand) fn constant(
    input: &syn::DeriveInput,
    known: &[&Source],
    checks: &[TokenStream],
) -> Checks {
    if checks.is_empty() {
        Checks::None
    } else if input.generics.params.is_empty() && !known.iter().any(|source| names_self(&source.field.ty)) {
        Checks::Item(quote!(const _: () = { #(#checks)* };))
    } else {
        Checks::Code(quote!(const { #(#checks)* }))
    }
}

fn described(source: &Source) -> String {
    match &source.field.member {
        Member::Named(name) => format!("`{name}`"),
        Member::Unnamed(index) => format!("field {}", index.index),
    }
}

/// Returns `true` if the type is named `Option`.
fn may_be_absent(ty: &syn::Type) -> bool {
    !std::ptr::eq(inside_option(ty), ty)
}

fn names_self(ty: &syn::Type) -> bool {
    ty.to_token_stream()
        .to_string()
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| word == "Self")
}

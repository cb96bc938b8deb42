//! The generated code.
//!
//! Locals begin with two underscores and have the macro's own hygiene; everything else is named by an absolute path.
//! A trait that a field's type lacks is reported on that type: it stands in the code as its user wrote it.

mod read;
mod write;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Path};

pub(crate) use self::read::expand as expand_read;
pub(crate) use self::write::expand as expand_write;
use crate::attr::ChangeFreq;
use crate::derivation::Mount;
use crate::generics::Bounds;

/// The library's path: what `crate = …` says, or its own name.
pub(crate) fn krate(path: Option<&Path>) -> TokenStream {
    path.map_or_else(|| quote!(::sitemap_serde), ToTokens::to_token_stream)
}

/// The implementation of a trait, with the items that it needs beside it.
fn implementation(
    input: &DeriveInput,
    bounds: Bounds,
    items: &[TokenStream],
    name_of_trait: &TokenStream,
    functions: &TokenStream,
) -> TokenStream {
    let name = &input.ident;
    let (impl_generics, type_generics, _) = input.generics.split_for_impl();
    let where_clause = bounds.where_clause(&input.generics);
    quote! {
        const _: () = {
            #(#items)*

            #[automatically_derived]
            #[allow(
                deprecated,
                unused_qualifications,
                clippy::absolute_paths,
                clippy::trait_duplication_in_bounds,
                clippy::type_repetition_in_bounds
            )]
            impl #impl_generics #name_of_trait for #name #type_generics #where_clause {
                #functions
            }
        };
    }
}

/// The static that says where the type's pages are, by its name; if the type says so.
fn mount(krate: &TokenStream, mount: &Mount) -> Option<(Ident, TokenStream)> {
    let Mount { base, encoding } = mount;
    if base.is_none() && encoding.is_none() {
        return None;
    }
    let none = || quote!(::core::option::Option::None);
    let some = |value: TokenStream| quote!(::core::option::Option::Some(#value));
    let base = base.as_ref().map_or_else(none, |base| {
        let base = base.value();
        some(quote!(#base))
    });
    let encoding = encoding.as_ref().map_or_else(none, |encoding| {
        let name = encoding.name;
        if encoding.is_utf8() {
            return some(quote!(#name));
        }
        // Where the library knows no other, this does not compile; the error is on the literal.
        let function = Ident::new(
            "__encoding",
            Span::mixed_site().located_at(encoding.literal.span()),
        );
        let call = quote_spanned!(place(&encoding.literal)=> #function(#name));
        quote!({
            use #krate::__private::encoding as #function;
            #call
        })
    });
    let name = format_ident!("__MOUNT", span = Span::mixed_site());
    let item = quote! {
        static #name: #krate::__private::Mount = #krate::__private::Mount::new(#base, #encoding);
    };
    Some((name, item))
}

fn local(name: &str) -> Ident {
    format_ident!("__{name}", span = Span::mixed_site())
}

/// For generated tokens that are to be reported at `tokens`.
fn place(tokens: &impl Spanned) -> Span {
    Span::call_site().located_at(tokens.span())
}

fn changefreq_constant(krate: &TokenStream, constant: &ChangeFreq) -> TokenStream {
    let ty = quote!(#krate::ChangeFreq);
    match constant {
        ChangeFreq::Literal(variant) => {
            let variant = Ident::new(variant, Span::call_site());
            quote!(#ty::#variant)
        }
        ChangeFreq::Const(path) => {
            let constant = local("changefreq");
            quote_spanned!(place(path)=> { let #constant: #ty = #path; #constant })
        }
    }
}

/// Checks a constant: by an item, or by code where only the type's parameters make it known.
fn check_priority(input: &DeriveInput, path: &Path, items: &mut Vec<TokenStream>) -> Option<TokenStream> {
    let of_self = path
        .segments
        .first()
        .is_some_and(|segment| segment.ident == "Self");
    if of_self && !input.generics.params.is_empty() {
        let check = priority_check(path);
        return Some(quote!(const { #check }));
    }
    let mut outside = path.clone();
    if let (true, Some(segment)) = (of_self, outside.segments.first_mut()) {
        segment.ident = input.ident.clone();
        segment.ident.set_span(place(&path.segments));
    }
    let check = priority_check(&outside);
    items.push(quote!(const _: () = #check;));
    None
}

/// An assertion for const evaluation. The const is an f32 or an f64, so its type is left open.
fn priority_check(path: &Path) -> TokenStream {
    let text = path.to_token_stream().to_string().replace(' ', "");
    let message = format!("`{text}` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO)");
    let value = local("value");
    // The macro's call reaches from the path's first token to its last.
    let end = path.segments.last().map_or_else(Span::call_site, place);
    let condition = quote_spanned!(end=> (#value >= 0.0 && #value <= 1.0, #message));
    quote_spanned! {place(path)=>
        match #path {
            #value => ::core::assert! #condition,
        }
    }
}

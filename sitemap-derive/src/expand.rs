//! The generated code.
//!
//! Local variables begin with two underscores and have the macro's hygiene; all other names are absolute paths. Field
//! types keep their spans, so that the compiler reports a missing trait on the user's type.

mod lastmod;
mod read;
mod value;
mod write;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Path};

pub(crate) use self::read::expand as expand_read;
pub(crate) use self::write::expand as expand_write;
use crate::attr::{Base, ConstExpr};
use crate::generics::Bounds;
use crate::validate::{Derivation, Mount};

/// The library's path, from `crate = …` or the default.
pub(crate) fn krate(path: Option<&Path>) -> TokenStream {
    path.map_or_else(|| quote!(::sitemap_serde), ToTokens::to_token_stream)
}

/// The implementation of a trait, with its items outside.
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

/// The static with the type's base and encoding, and its name; `None` if the type has neither.
fn mount(input: &DeriveInput, krate: &TokenStream, mount: &Mount) -> Option<(Ident, TokenStream)> {
    let Mount { base, encoding } = mount;
    if base.is_none() && encoding.is_none() {
        return None;
    }
    let none = || quote!(::core::option::Option::None);
    let some = |value: TokenStream| quote!(::core::option::Option::Some(#value));
    let (base, of_const) = match base {
        None => (none(), None),
        Some(Base::Literal(base)) => {
            let base = base.value();
            (some(quote!(#base)), None)
        }
        Some(Base::Const(expr)) => {
            let text = format!("`{}`, the `base` of `{}`", expr.text(), input.ident);
            (some(outside(input, expr)), Some(quote!(.of_const(#text))))
        }
    };
    let encoding = encoding.as_ref().map_or_else(none, |encoding| {
        let name = encoding.name;
        if encoding.is_utf8() {
            return some(quote!(#name));
        }
        // This function exists only with the library's feature `encoding`; the error is reported on the literal.
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
        static #name: #krate::__private::Mount = #krate::__private::Mount::new(#base, #encoding)#of_const;
    };
    Some((name, item))
}

/// The prefixes and URIs of a type's namespaces, as pairs.
fn namespaces(derivation: &Derivation) -> Option<TokenStream> {
    let (prefixes, uris): (Vec<_>, Vec<_>) = derivation
        .namespaces
        .iter()
        .map(|(prefix, uri)| (prefix, uri))
        .unzip();
    (!prefixes.is_empty()).then(|| quote!(#((#prefixes, #uris)),*))
}

fn local(name: &str) -> Ident {
    format_ident!("__{name}", span = Span::mixed_site())
}

/// A span for generated tokens whose errors are reported at `tokens`.
fn place(tokens: &impl Spanned) -> Span {
    Span::call_site().located_at(tokens.span())
}

/// The expression for an item outside the implementation, where `Self` does not exist.
fn outside(input: &DeriveInput, expr: &ConstExpr) -> TokenStream {
    fn named(tokens: TokenStream, name: &Ident) -> TokenStream {
        let tokens = tokens.into_iter().map(|token| match token {
            TokenTree::Ident(ident) if ident == "Self" => {
                let mut name = name.clone();
                name.set_span(place(&ident));
                TokenTree::Ident(name)
            }
            TokenTree::Group(group) => {
                let mut named = Group::new(group.delimiter(), named(group.stream(), name));
                named.set_span(group.span());
                TokenTree::Group(named)
            }
            token => token,
        });
        tokens.collect()
    }
    named(expr.tokens.clone(), &input.ident)
}

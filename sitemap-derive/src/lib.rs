//! The derive macros of [sitemap-serde](https://docs.rs/sitemap-serde). Use them from there, through the feature `derive`,
//! which is on by default.

mod ambiguity;
mod attr;
mod base;
mod column;
mod ctxt;
mod expand;
#[cfg(test)]
mod expansions;
mod fallback;
mod generics;
mod template;
#[cfg(test)]
mod tests;
mod text;
#[cfg(test)]
mod ui;
mod url;
mod validate;

use proc_macro::TokenStream;
use syn::DeriveInput;

use crate::validate::Direction;

#[doc = include_str!("../docs/sitemap_entry.md")]
#[proc_macro_derive(SitemapEntry, attributes(sitemap))]
pub fn derive_sitemap_entry(input: TokenStream) -> TokenStream {
    expansion(input, Direction::Write)
}

#[doc = include_str!("../docs/from_sitemap_entry.md")]
#[proc_macro_derive(FromSitemapEntry, attributes(sitemap))]
pub fn derive_from_sitemap_entry(input: TokenStream) -> TokenStream {
    expansion(input, Direction::Read)
}

#[doc = include_str!("../docs/sitemap_fields.md")]
#[proc_macro_derive(SitemapFields, attributes(sitemap))]
pub fn derive_sitemap_fields(input: TokenStream) -> TokenStream {
    expansion(input, Direction::Fields)
}

#[doc = include_str!("../docs/from_sitemap_fields.md")]
#[proc_macro_derive(FromSitemapFields, attributes(sitemap))]
pub fn derive_from_sitemap_fields(input: TokenStream) -> TokenStream {
    expansion(input, Direction::FromFields)
}

fn expansion(input: TokenStream, direction: Direction) -> TokenStream {
    match syn::parse::<DeriveInput>(input) {
        Ok(input) => unless_it_panics(&input, || derive(&input, direction)).into(),
        Err(error) => error.into_compile_error().into(),
    }
}

/// Turns a panic, which is a defect of the derive, into an error that says where to report it.
fn unless_it_panics(
    input: &DeriveInput,
    expand: impl FnOnce() -> proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(expand)).unwrap_or_else(|_| {
        let message = concat!(
            "the derive panicked on this type; please report it, with the type, at ",
            env!("CARGO_PKG_REPOSITORY"),
            "/issues"
        );
        syn::Error::new_spanned(&input.ident, message).to_compile_error()
    })
}

fn derive(input: &DeriveInput, direction: Direction) -> proc_macro2::TokenStream {
    let cx = ctxt::Ctxt::new();
    let (derivation, krate) = validate::derivation(&cx, input, direction);
    let krate_path = krate.as_ref().and_then(|setting| setting.value.as_ref().ok());
    match (cx.check(), derivation) {
        (Ok(()), Ok(derivation)) => match direction {
            Direction::Write | Direction::Fields => {
                expand::expand_write(input, &derivation, krate_path, direction)
            }
            Direction::Read | Direction::FromFields => {
                expand::expand_read(input, &derivation, krate_path, direction)
            }
        },
        (Err(errors), _) => match &krate {
            // If the crate is renamed, its own name may not exist.
            Some(attr::Setting { value: Err(_), .. }) => errors.to_compile_error(),
            _ => fallback::fallback(input, direction, krate_path, &errors),
        },
        (Ok(()), Err(ctxt::Reported)) => {
            let message = "the derive refuses this type without saying why; please report it";
            syn::Error::new_spanned(&input.ident, message).to_compile_error()
        }
    }
}

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

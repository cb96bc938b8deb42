//! The derive macro of sitemap-serde.

mod attr;
mod ctxt;
mod expand;
mod fallback;
mod generics;
mod literal;
mod suggest;
mod template;
mod validate;

use proc_macro::TokenStream;
use syn::DeriveInput;

/// Makes a type of yours an entry of a sitemap.
#[proc_macro_derive(SitemapEntry, attributes(sitemap))]
pub fn derive_sitemap_entry(input: TokenStream) -> TokenStream {
    match syn::parse::<DeriveInput>(input) {
        Ok(input) => sitemap_entry(&input).into(),
        Err(error) => error.into_compile_error().into(),
    }
}

fn sitemap_entry(input: &DeriveInput) -> proc_macro2::TokenStream {
    let cx = ctxt::Ctxt::new();
    let (derivation, krate) = validate::derivation(&cx, input);
    let krate_path = krate.as_ref().and_then(|given| given.value.as_ref().ok());
    match (cx.check(), derivation) {
        (Ok(()), Ok(derivation)) => expand::expand(input, &derivation, krate_path),
        (Err(errors), _) => match &krate {
            // Whoever renames the crate may not have it under its own name.
            Some(attr::Given { value: Err(_), .. }) => errors.to_compile_error(),
            _ => fallback::fallback(input, krate_path, &errors),
        },
        (Ok(()), Err(ctxt::Reported)) => {
            let message = "the derive refuses this type without saying why; please report it";
            syn::Error::new_spanned(&input.ident, message).to_compile_error()
        }
    }
}

//! The implementation generated in case of errors, so that the compiler does not also report a missing one.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path};

use crate::expand;
use crate::validate::Direction;

/// The errors, and an implementation that is never called.
pub(crate) fn fallback(
    input: &DeriveInput,
    direction: Direction,
    krate: Option<&Path>,
    errors: &syn::Error,
) -> TokenStream {
    let errors = errors.to_compile_error();
    let krate = expand::krate(krate);
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let (name_of_trait, function) = match direction {
        Direction::Write => (
            quote!(SitemapEntry),
            quote!(fn write_entry(&self, _: &mut #krate::EntryWriter<'_>) -> #krate::Result<()>),
        ),
        Direction::Fields => (
            quote!(SitemapFields),
            quote!(fn write_fields(&self, _: &mut #krate::EntryWriter<'_>) -> #krate::Result<()>),
        ),
        Direction::FromFields => (
            quote!(FromSitemapFields),
            quote!(fn from_fields(_: &#krate::EntryReader<'_>) -> #krate::Result<Self>),
        ),
        Direction::Read => (
            quote!(FromSitemapEntry),
            quote!(fn from_entry(_: &#krate::EntryReader<'_>) -> #krate::Result<Self>),
        ),
    };
    quote! {
        #errors
        #[automatically_derived]
        impl #impl_generics #krate::#name_of_trait for #name #type_generics #where_clause {
            #function {
                ::core::unreachable!("the errors beside it stop the compilation")
            }
        }
    }
}

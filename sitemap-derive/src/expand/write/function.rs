//! Values returned by functions of the whole row.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;

use super::{Generator, place};
use crate::attr::Extension;
use crate::expand::local;

impl Generator<'_> {
    /// Code that calls the function and makes its return value, a `Result<&T>`, available to `use_it` as `__value`.
    pub(super) fn returned(&self, path: &Path, use_it: &TokenStream) -> TokenStream {
        let (private, returned, value) = (self.path("__private"), local("returned"), local("value"));
        let call = self.call(path, &quote!(self));
        let take = quote_spanned!(place(path)=> (&&#private::Returned(&#returned)).__returned());
        quote! {
            {
                use #private::{ReturnsResult as _, ReturnsValue as _};
                let #returned = #call;
                let #value = #take;
                #use_it
            }
        }
    }

    pub(super) fn loc_function(&self, path: &Path) -> TokenStream {
        let (entry, value, of_trait) = (&self.entry, local("value"), self.path("convert::AsLoc"));
        let within = self.path("__private::within");
        let take = quote_spanned!(place(path)=> #of_trait::as_loc(#within(#value, "loc")?));
        self.returned(path, &quote!(#entry.loc(#take)?;))
    }

    /// A lastmod, changefreq or priority.
    pub(in crate::expand) fn value_function(
        &self,
        name: &str,
        of_trait: &str,
        function: &str,
        path: &Path,
        precision: Option<&TokenStream>,
    ) -> TokenStream {
        let (entry, value, of_trait) = (&self.entry, local("value"), self.path(of_trait));
        let to = if precision.is_some() { "_to" } else { "" };
        let write = self.path(&format!("__private::{name}{to}"));
        let precision = precision.map(|precision| quote!(, #precision));
        let function = Ident::new(function, Span::call_site());
        // Errors about the value are reported on the path.
        let mut argument = local("argument");
        argument.set_span(argument.span().located_at(place(path)));
        let take = quote_spanned!(place(path)=> #of_trait::#function(#argument));
        let value = quote!(::core::result::Result::and_then(#value, |#argument| #take));
        self.returned(path, &quote!(#write(#entry, #value #precision)?;))
    }

    pub(super) fn extension_function(&self, extension: Extension, path: &Path) -> TokenStream {
        let (entry, argument) = (&self.entry, local("argument"));
        let name = extension.key().element();
        let private = self.path("__private");
        let element = self.path(extension.type_name());
        let call =
            quote_spanned! {place(path)=> (&&&#private::field::<#element, _>(#argument)).__elements(#entry)};
        let write = self.or_omit(name, &call);
        let write = quote! {
            use #private::{EachElement as _, Elements as _, NoElements as _};
            #write
        };
        self.returned(path, &write)
    }

    /// Code that writes the value, or passes the function's error on.
    fn or_omit(&self, name: &str, write: &TokenStream) -> TokenStream {
        let (entry, value, argument, error) =
            (&self.entry, local("value"), local("argument"), local("error"));
        let omit = self.path("__private::omit");
        quote! {
            match #value {
                ::core::result::Result::Ok(#argument) => #write?,
                ::core::result::Result::Err(#error) => #omit(#entry, #error, #name)?,
            }
        }
    }
}

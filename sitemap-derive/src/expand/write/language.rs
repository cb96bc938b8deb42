//! A page in several languages: an entry for each, or links to them.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::LitStr;

use super::{Access, Generator, place, reference};
use crate::attr::RowsOfLanguages;
use crate::expand::local;
use crate::validate::{Languages, LanguagesOf, Links, Loc, Page, TemplateLoc};

impl Generator<'_> {
    /// An entry for each language, each with links to all of them.
    pub(super) fn each_language(
        &mut self,
        page: &Page,
        languages: &Languages,
        access: Access,
    ) -> TokenStream {
        let Loc::Template(template) = &page.loc else {
            return TokenStream::new();
        };
        let (entry, private) = (self.entry.clone(), self.path("__private"));
        let [list, language, value] = ["languages", "language", "of_language"].map(local);
        let values = self.values(page, access);
        let (prepare, pattern) = match &languages.of {
            LanguagesOf::Literals(literals) => (
                quote!(let #list: &[&::core::primitive::str] = &[#(#literals),*];),
                quote!(#language),
            ),
            LanguagesOf::Field(source, rows) => {
                let field = reference(&source.field, access);
                let prepare = match &source.write_with {
                    None => quote!(let #list = #field;),
                    Some(with) => {
                        let converted = self.call(with, &field);
                        quote_spanned!(place(with)=> let #list = &#converted;)
                    }
                };
                let (pattern, alone) = match rows {
                    RowsOfLanguages::Alone => (quote!(#language), quote!(#language)),
                    RowsOfLanguages::With(_) => (quote!((#language, #value)), quote!((#language, _))),
                };
                let check = quote! {
                    #private::check_languages(::core::iter::Iterator::map(
                        ::core::iter::IntoIterator::into_iter(#list),
                        |#alone| ::core::convert::AsRef::<::core::primitive::str>::as_ref(#language)
                    ))?;
                };
                (quote!(#prepare #check), pattern)
            }
        };
        let links = self.translations(template, languages.x_default.as_ref(), &pattern, access);
        let text = as_text();
        quote! {
            #prepare
            #entry.each(#list, |#pattern, #entry| {
                #text
                {
                    #links
                }
                #values
            })
        }
    }

    /// Links by their own template.
    pub(super) fn links(&mut self, links: &Links, access: Access) -> TokenStream {
        let (entry, private) = (self.entry.clone(), self.path("__private"));
        let [list, language] = ["languages", "language"].map(local);
        let literals = &links.languages;
        let pattern = quote!(#language);
        let write = self.translations(&links.template, links.x_default.as_ref(), &pattern, access);
        quote! {
            {
                let #list: &[&::core::primitive::str] = &[#(#literals),*];
                #private::check_alternates(#entry);
                #write
            }
        }
    }

    /// A link to the page in each language.
    fn translations(
        &mut self,
        template: &TemplateLoc,
        x_default: Option<&LitStr>,
        pattern: &TokenStream,
        access: Access,
    ) -> TokenStream {
        let (entry, private) = (self.entry.clone(), self.path("__private"));
        let [list, language] = ["languages", "language"].map(local);
        let x_default = match x_default {
            Some(default) => quote!(::core::option::Option::Some(#default)),
            None => quote!(::core::option::Option::None),
        };
        let text = as_text();
        let build = self.build(template, access);
        quote! {
            for #pattern in #list {
                #text
                #private::translation(#entry, #language, #x_default, #build)?;
            }
        }
    }
}

/// The language as text.
fn as_text() -> TokenStream {
    let language = local("language");
    quote!(let #language = ::core::convert::AsRef::<::core::primitive::str>::as_ref(#language);)
}

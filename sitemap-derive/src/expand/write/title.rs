//! The function `page_title`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::field::{Access, pattern, reference};
use super::{Generator, local, place};
use crate::validate::{Body, Page, Piece, Source, Title, VariantKind};

impl Generator<'_> {
    /// The function `page_title`; `None` if the type has no title.
    pub(super) fn title(&mut self, body: &Body) -> Option<TokenStream> {
        let title = match body {
            Body::Struct(page) => self.page_title(page, Access::Field)?,
            Body::Enum(variants) => {
                let mut has_none = false;
                let mut arms: Vec<TokenStream> = Vec::new();
                for variant in variants {
                    let name = &variant.name;
                    match &variant.kind {
                        VariantKind::Page(page) => match self.page_title(page, Access::Binding) {
                            Some(title) => {
                                let pattern = pattern(page.title_fields());
                                arms.push(quote!(Self::#name #pattern => #title,));
                            }
                            None => has_none = true,
                        },
                        VariantKind::Delegate(field, _) => {
                            let (krate, binding, ty) = (&self.krate, &field.binding, &field.ty);
                            arms.push(quote!(Self::#name(#binding) => <#ty as #krate::SitemapEntry>::page_title(#binding),));
                        }
                    }
                }
                if arms.is_empty() {
                    return None;
                }
                let rest = has_none.then(|| quote!(_ => ::core::option::Option::None,));
                quote!(match self { #(#arms)* #rest })
            }
        };
        let private = self.path("__private");
        Some(quote! {
            fn page_title(&self) -> ::core::option::Option<#private::String> {
                #title
            }
        })
    }

    /// The page's own title, or else the first of its flattened fields.
    fn page_title(&mut self, page: &Page, access: Access) -> Option<TokenStream> {
        let own = page.title.as_ref().map(|title| self.own_title(title, access));
        let inner = page.flattened.iter();
        let inner: Vec<TokenStream> = inner.map(|source| self.inner_title(source, access)).collect();
        let titles = own.into_iter().chain(inner);
        titles.reduce(|title, next| quote!(::core::option::Option::or_else(#title, || #next)))
    }

    fn own_title(&mut self, title: &Title, access: Access) -> TokenStream {
        let private = self.path("__private");
        match title {
            Title::Text(pieces) => {
                let build = self.build_title(pieces, access);
                quote!(#private::title(#build))
            }
            Title::Function(path) => {
                let mut value = local("value");
                value.set_span(value.span().located_at(place(path)));
                let title = quote_spanned!(place(path)=> #private::returned_title(#value));
                self.returned(path, &title)
            }
        }
    }

    /// A value alone has its own trait, with a message about titles; a text is written like a part of an image.
    fn build_title(&mut self, pieces: &[Piece], access: Access) -> TokenStream {
        let [Piece::Value { source, .. }] = pieces else {
            return self.build_text(pieces, access);
        };
        let (text, of_trait) = (local("text"), self.path("__private::TitleText::<_>"));
        if source.write_with.is_none() {
            self.bounds.need_display(&source.field.ty);
        }
        let value = self.converted(source, access, &of_trait, "title_text", &[quote!(#text)]);
        quote!(|#text| #value)
    }

    fn inner_title(&self, source: &Source, access: Access) -> TokenStream {
        let of_trait = self.path("SitemapFields");
        let value = reference(&source.field, access);
        let function = Ident::new("page_title", Span::call_site());
        match &source.write_with {
            Some(with) => {
                let value = self.call(with, &value);
                quote_spanned!(place(with)=> #of_trait::#function(&#value))
            }
            None => {
                let ty = &source.field.ty;
                quote!(<#ty as #of_trait>::#function(#value))
            }
        }
    }
}

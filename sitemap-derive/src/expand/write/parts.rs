//! An image, a video or an article by templates.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use sitemap_values::schema::{Kind, Occurs};

use super::{Access, Generator, place};
use crate::attr::Extension;
use crate::expand::local;
use crate::validate::{Part, PartValue, Piece};

impl Generator<'_> {
    /// Code that writes an element by its parts, or none if a value of a required part is `None`.
    pub(super) fn parts(&mut self, extension: Extension, parts: &[Part], access: Access) -> TokenStream {
        let (entry, writer, private) = (self.entry.clone(), local("parts"), self.path("__private"));
        let is_address = |part: &Part| matches!(part.element.local_name(), "content_loc" | "player_loc");
        let one_address = parts.iter().filter(|part| is_address(part)).count() == 1;
        let (mut conditions, mut addresses) = (Vec::new(), Vec::new());
        let mut writes: Vec<TokenStream> = Vec::new();
        for part in parts {
            let present = match &part.value {
                // A missing date is found when it is converted.
                PartValue::Date(_) => None,
                _ => self.present(part.pieces(), access),
            };
            let write = self.part(part, access);
            if part.element.occurs == Occurs::One || (one_address && is_address(part)) {
                conditions.extend(present);
                writes.push(write);
                continue;
            }
            if is_address(part) {
                addresses.push(present.clone());
            }
            writes.push(match present {
                None => write,
                Some(present) => quote!(if #present { #write }),
            });
        }
        if let [Some(content), Some(player)] = addresses.as_slice() {
            conditions.push(quote!((#content || #player)));
        }
        let element = extension.key().element();
        let write = quote! {
            #private::parts(#entry, const { #private::Part::named(#element) }, |#writer| {
                #(#writes)*
                ::core::result::Result::Ok(())
            })?;
        };
        if conditions.is_empty() {
            return write;
        }
        quote!(if #(#conditions)&&* { #write })
    }

    fn part(&mut self, part: &Part, access: Access) -> TokenStream {
        let (writer, private) = (local("parts"), self.path("__private"));
        let name = part.element.name;
        let element = quote!(const { #private::Part::named(#name) });
        match &part.value {
            PartValue::Url(template) => {
                let build = self.build(template, access);
                quote!(#writer.url(#element, #build)?;)
            }
            PartValue::Text(pieces) => {
                let build = self.build_text(pieces, access);
                quote!(#writer.text(#element, #build)?;)
            }
            PartValue::Date(pieces) => {
                let date = pieces.first().map(|piece| self.date(piece, access));
                quote!(#writer.date(#element, #date)?;)
            }
            PartValue::Function(path) => {
                let (value, mut argument) = (local("value"), local("argument"));
                argument.set_span(argument.span().located_at(place(path)));
                let of_part = quote!(#private::within_part(#value, #element)?);
                let write = match part.element.kind {
                    Kind::Url => {
                        let of_trait = self.path("convert::AsLoc");
                        let take = quote_spanned!(place(path)=> #of_trait::as_loc(#of_part));
                        quote!(#writer.loc(#element, #take)?;)
                    }
                    Kind::DateTime | Kind::Day => {
                        let of_trait = self.path("__private::ReturnedLastmod");
                        let take = quote_spanned!(place(path)=> #of_trait::returned_lastmod(#argument));
                        quote! {
                            #writer.date(#element, ::core::result::Result::and_then(#value, |#argument| #take))?;
                        }
                    }
                    _ => quote_spanned!(place(path)=> #writer.value(#element, #of_part)?;),
                };
                self.returned(path, &write)
            }
        }
    }

    /// The closure that builds a text from its parts.
    pub(super) fn build_text(&mut self, pieces: &[Piece], access: Access) -> TokenStream {
        let text = local("text");
        let of_trait = self.path("__private::Placeholder::<_>");
        let function = Ident::new("text", Span::call_site());
        let pieces: Vec<TokenStream> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(literal) => quote!(#text.literal(#literal);),
                Piece::Language { .. } => {
                    let language = local("language");
                    quote!(#text.display(#language)?;)
                }
                Piece::OfLanguage { name, .. } => {
                    let value = local("of_language");
                    quote!(#of_trait::text(#value, #text, #name)?;)
                }
                Piece::Inner { .. } => self.inner(piece, &function, &text, access),
                Piece::Value { name, source, .. } => {
                    if source.write_with.is_none() {
                        self.bounds.need_display(&source.field.ty);
                    }
                    let arguments = [quote!(#text), quote!(#name)];
                    let value = self.converted(source, access, &of_trait, "text", &arguments);
                    quote!(#value?;)
                }
            })
            .collect();
        quote! {
            |#text| {
                #(#pieces)*
                ::core::result::Result::Ok(())
            }
        }
    }
}

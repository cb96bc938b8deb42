//! The lastmod, and the dates of other elements: code that writes and reads them.

use proc_macro2::TokenStream;
use quote::quote;

use super::write::field::Access;
use super::{local, read, write};
use crate::attr::Precision;
use crate::validate::{Lastmod, LastmodOf, Piece, Source};

impl write::Generator<'_> {
    /// Code that writes a lastmod.
    pub(super) fn lastmod(&mut self, lastmod: &Lastmod, access: Access) -> TokenStream {
        let entry = self.entry.clone();
        let precision = lastmod
            .precision
            .map(|Precision(variant)| self.path(&format!("Precision::{variant}")));
        let value = match &lastmod.of {
            LastmodOf::Literal(text) => {
                let write = self.path("__private::lastmod_literal");
                return quote!(#write(#entry, #text)?;);
            }
            LastmodOf::Newest(pieces) => {
                let dates: Vec<TokenStream> = pieces.iter().map(|piece| self.date(piece, access)).collect();
                let newest = self.path("__private::newest");
                quote!(#newest([#(#dates),*]))
            }
            LastmodOf::Function(path) => {
                return self.value_function(
                    "lastmod",
                    "__private::ReturnedLastmod",
                    "returned_lastmod",
                    path,
                    precision.as_ref(),
                );
            }
            LastmodOf::Field(source) => self.date_of_field(source, access),
        };
        match precision {
            None => {
                let write = self.path("__private::lastmod");
                quote!(#write(#entry, #value)?;)
            }
            Some(precision) => {
                let write = self.path("__private::lastmod_to");
                quote!(#write(#entry, #value, #precision)?;)
            }
        }
    }

    /// The date in a field, in the zone that the field's attributes say.
    pub(super) fn date_of_field(&mut self, source: &Source, access: Access) -> TokenStream {
        match source.zone {
            None => self.convert(source, access, "convert::ToLastmod", "to_lastmod", &[]),
            Some(minutes) => {
                let minutes = quote!(#minutes);
                self.convert(
                    source,
                    access,
                    "__private::NaiveLastmod",
                    "with_offset_minutes",
                    &[minutes],
                )
            }
        }
    }

    /// The date in a field, or in a flattened one.
    pub(super) fn date(&mut self, piece: &Piece, access: Access) -> TokenStream {
        match piece {
            Piece::Value { source, .. } => self.date_of_field(source, access),
            Piece::Inner { source, path, .. } => {
                let (inner, found, ways) = (local("inner"), self.inside(source, access), self.ways());
                let of_trait = self.path("convert::ToLastmod");
                quote!({
                    #ways
                    match #found {
                        ::core::option::Option::Some(#inner) => #of_trait::to_lastmod(&#inner #(.#path)*),
                        ::core::option::Option::None => ::core::result::Result::Ok(::core::option::Option::None),
                    }
                })
            }
            // Only a single field can be a date.
            _ => TokenStream::new(),
        }
    }
}

impl read::Generator<'_> {
    /// The lastmod in a field.
    pub(super) fn lastmod(&mut self, source: &Source, precision: Option<Precision>) -> TokenStream {
        let read = match source.zone {
            None => self.role(
                source,
                "convert::FromLastmod",
                "from_lastmod",
                &TokenStream::new(),
            ),
            Some(minutes) => self.role(
                source,
                "__private::FromNaiveLastmod",
                "from_lastmod_at",
                &quote!(, #minutes),
            ),
        };
        let read::Generator { private, entry, .. } = &*self;
        if precision.is_some() {
            return quote!(#private::coarse_lastmod_of(#entry, #read)?);
        }
        quote!(#private::lastmod_of(#entry, #read)?)
    }
}

//! The type's declarations of its database columns.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{DeriveInput, Member};

use crate::column::Column;
use crate::validate::{Body, Field, LastmodOf, Page, Piece, Source};

/// The function `columns`; `None` if the attributes name none. A variant's fields are not columns of a
/// table.
pub(super) fn function(input: &DeriveInput, body: &Body, krate: &TokenStream) -> Option<TokenStream> {
    let Body::Struct(page) = body else {
        return None;
    };
    let of_type = Column::of(&input.attrs);
    let (lastmod, sources) = lastmod(page, &of_type).unwrap_or_default();
    let is_converted = sources.iter().any(|source| source.write_with.is_some());
    let mut zones: Vec<i16> = sources
        .iter()
        .map(|source| source.zone.unwrap_or_default())
        .collect();
    zones.dedup();
    // If the zones differ, the newest date's zone is unknown.
    let (is_converted, zone) = match zones[..] {
        [zone] => (is_converted, zone),
        _ => (is_converted || zones.len() > 1, 0),
    };
    let flags = page
        .filters
        .iter()
        .filter(|(_, filter)| filter.predicate.is_none());
    let flags = flags.filter_map(|(field, filter)| Some((name(field, &of_type)?, filter.include)));
    let (names, values): (Vec<String>, Vec<bool>) = flags.unzip();
    if lastmod.is_empty() && names.is_empty() {
        return None;
    }
    Some(quote! {
        fn columns() -> #krate::convert::Columns {
            #krate::convert::Columns::declared(&[#(#lastmod),*], #is_converted, #zone, &[#((#names, #values)),*])
        }
    })
}

/// The columns of the lastmod, with their fields; `None` if not all of its fields are columns.
fn lastmod<'a>(page: &'a Page, of_type: &Column) -> Option<(Vec<String>, Vec<&'a Source>)> {
    let sources: Vec<&Source> = match &page.lastmod.as_ref()?.of {
        LastmodOf::Field(source) => vec![source],
        LastmodOf::Newest(pieces) => pieces
            .iter()
            .map(|piece| match piece {
                Piece::Value { source, .. } => Some(source),
                _ => None,
            })
            .collect::<Option<_>>()?,
        _ => return None,
    };
    let names = sources.iter().map(|source| name(&source.field, of_type));
    Some((names.collect::<Option<_>>()?, sources))
}

fn name(field: &Field, of_type: &Column) -> Option<String> {
    match &field.member {
        Member::Named(name) => field.column.name_of(&name.unraw().to_string(), of_type),
        Member::Unnamed(_) => None,
    }
}

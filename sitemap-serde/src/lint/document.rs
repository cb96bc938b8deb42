//! Rules about the document as a whole: XML, encoding, size, and the elements of entries.

use sitemap_values::Rule;
use sitemap_values::number::grouped;
use sitemap_values::quote::quote;

use crate::document::sniff::Format;
use crate::error::{Defect, Error, Message};
use crate::model::Kind;
use crate::xml::names::CORE;

/// The error for a root in a namespace that readers accept instead of the schema's.
pub(super) fn odd_namespace(uri: Option<&str>) -> Option<Error> {
    match uri {
        Some(CORE) => None,
        None | Some("") => Some(Error::data(
            Message::new(format!("the root is in no namespace: it is in `{CORE}`"))
                .advice("declare it with `xmlns`"),
        )),
        Some(uri) => Some(Error::data(
            Message::new(format!(
                "the root is in the namespace {}, which some readers take for `{CORE}`",
                quote(uri)
            ))
            .advice("write that"),
        )),
    }
    .map(|error| error.breaks(Rule::Ns).with_defect(Defect::Namespace))
}

pub(super) fn too_many(kind: Kind, format: Format, most: u64) -> Error {
    if format == Format::Text {
        let message = Message::new(format!(
            "line {} of the document: a text sitemap has at most {}",
            grouped(most + 1),
            grouped(most)
        ));
        return Error::data(message.advice("split it, and list the parts in an index")).breaks(Rule::Txt2);
    }
    Error::data(
        Message::new(format!(
            "entry {} of the document: a {kind} has at most {} `{}` entries",
            grouped(most + 1),
            grouped(most),
            kind.entry()
        ))
        .advice("split it, and list the parts in an index"),
    )
    .breaks(Rule::Count)
}

pub(super) fn too_much_news() -> Error {
    let most = crate::schema::MOST_NEWS;
    Error::data(
        Message::new(format!(
            "the document has more than {} `news:news`, which is the limit",
            grouped(most)
        ))
        .advice("split it, and list the parts in an index"),
    )
    .breaks(Rule::News4)
}

pub(super) fn too_large(format: Format, most: u64) -> Error {
    let rule = if format == Format::Text {
        Rule::Txt2
    } else {
        Rule::Size
    };
    Error::data(
        Message::new(format!(
            "the document has more than {} bytes, which is the limit",
            grouped(most)
        ))
        .advice("split it, and list the parts in an index"),
    )
    .breaks(rule)
}

pub(super) fn empty(kind: Kind) -> Error {
    Error::data(
        Message::new(format!("the document has no entries: a {kind} has at least one"))
            .advice("leave it out of the index until it has some"),
    )
    .breaks(Rule::Empty)
}

/// The error of an empty document with the namespace of news on its root.
pub(super) fn no_news() -> Error {
    Error::data(
        Message::new("the news sitemap has no entries").advice(
            "it may be empty when nothing was published for two days, as Google says; otherwise see why",
        ),
    )
    .breaks(Rule::Empty)
}

/// The error for an index that lists an index.
pub(super) fn nested(loc: &str) -> Error {
    Error::data(
        Message::new(format!(
            "{} is an index: an index lists sitemaps, never another index",
            quote(loc)
        ))
        .advice("list the sitemaps of both in one"),
    )
    .breaks(Rule::Nest)
}

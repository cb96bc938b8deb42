//! Rules about the document as a whole: XML, encoding, size, and the elements of entries.

use sitemap_values::Rule;
use sitemap_values::number::grouped;
use sitemap_values::quote::quote;

use crate::document::sniff::Format;
use crate::error::{Defect, Error, Message};
use crate::model::Kind;

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

/// The error for an index that most likely lists pages: its first entry that is one by its address.
pub(super) fn lists_page(loc: &str) -> Option<Error> {
    let path = loc.split(['?', '#']).next()?;
    let path = path
        .split_once("://")
        .map_or(path, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
    let file = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let is_page =
        !loc.contains('?') && (file.is_empty() || [".html", ".htm"].iter().any(|end| file.ends_with(end)));
    is_page.then(|| {
        let message = Message::new(format!(
            "{} is a page by its address, and an index lists sitemaps: pages belong in a `urlset`",
            quote(loc)
        ));
        let advice = "write `urlset` and `url` instead of `sitemapindex` and `sitemap`";
        Error::data(message.advice(advice))
            .breaks(Rule::Nest)
            .with_defect(Defect::Root)
    })
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

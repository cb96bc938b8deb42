//! The rows of sitemap-serde's schema that the derives write, and check at compile time.
//!
//! A macro cannot read a table of the crate that depends on it. So this file uses nothing else of this crate, and a test of
//! sitemap-serde includes it and compares each row with its own.

use sitemap_values::Rule;

/// An element that an attribute, or a part of one, writes.
#[derive(Debug)]
pub(crate) struct Row {
    /// The key in the attribute.
    pub(crate) key: &'static str,
    /// The element's qualified name.
    pub(crate) element: &'static str,
    pub(crate) occurs: Occurs,
    pub(crate) kind: Kind,
    /// The rule that an invalid value breaks.
    pub(crate) rule: Rule,
}

/// How often an element occurs in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occurs {
    One,
    Maybe,
    Many,
}

/// The kind of an element's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Url,
    Text,
    /// Text of at most this many characters.
    TextOf(usize),
    /// A whole number: lowest and highest value.
    Integer(u64, u64),
    /// A decimal from 0.0 to 5.0.
    Rating,
    /// A decimal from 0.0 to 1.0.
    Priority,
    DateTime,
    YesNo,
    /// One of these words.
    Words(&'static [&'static str]),
    /// An element with children or attributes.
    Group,
}

const fn row(key: &'static str, element: &'static str, occurs: Occurs, kind: Kind, rule: Rule) -> Row {
    Row {
        key,
        element,
        occurs,
        kind,
        rule,
    }
}

/// The elements of an entry that have a key, in the schema's order.
pub(crate) static ENTRY: [Row; 8] = {
    use Kind::{DateTime, Group, Priority, Url, Words};
    use Occurs::{Many, Maybe, One};
    const FREQUENCIES: Kind = Words(&[
        "always", "hourly", "daily", "weekly", "monthly", "yearly", "never",
    ]);
    [
        row("loc", "loc", One, Url, Rule::Loc),
        row("lastmod", "lastmod", Maybe, DateTime, Rule::Lastmod),
        row("changefreq", "changefreq", Maybe, FREQUENCIES, Rule::Freq),
        row("priority", "priority", Maybe, Priority, Rule::Prio),
        row("image", "image:image", Many, Group, Rule::Img1),
        row("video", "video:video", Many, Group, Rule::Vid1),
        row("news", "news:news", Maybe, Group, Rule::News4),
        row("alternate", "xhtml:link", Many, Group, Rule::Alt1),
    ]
};

/// The parts of a video with children or attributes, which cannot be written as a text.
pub(crate) const OF_PARTS: [&str; 7] = [
    "content_segment_loc",
    "restriction",
    "gallery_loc",
    "price",
    "tvshow",
    "platform",
    "id",
];

/// The parts of a video that are a text, in the schema's order.
pub(crate) static VIDEO: [Row; 16] = {
    use Kind::{DateTime, Integer, Rating, Text, TextOf, Url, YesNo};
    use Occurs::{Many, Maybe, One};
    [
        row("thumbnail_loc", "video:thumbnail_loc", One, Url, Rule::Vid1),
        row("title", "video:title", One, TextOf(100), Rule::Vid1),
        row("description", "video:description", One, TextOf(2048), Rule::Vid1),
        row("content_loc", "video:content_loc", Maybe, Url, Rule::Vid1),
        row("player_loc", "video:player_loc", Maybe, Url, Rule::Vid1),
        row(
            "duration",
            "video:duration",
            Maybe,
            Integer(1, 28_800),
            Rule::Vid3,
        ),
        row(
            "expiration_date",
            "video:expiration_date",
            Maybe,
            DateTime,
            Rule::Vid4,
        ),
        row("rating", "video:rating", Maybe, Rating, Rule::Vid5),
        row(
            "view_count",
            "video:view_count",
            Maybe,
            Integer(0, u64::MAX),
            Rule::Vid5,
        ),
        row(
            "publication_date",
            "video:publication_date",
            Maybe,
            DateTime,
            Rule::Vid4,
        ),
        row("tag", "video:tag", Many, Text, Rule::Vid10),
        row("category", "video:category", Maybe, TextOf(256), Rule::VideoXsd),
        row(
            "family_friendly",
            "video:family_friendly",
            Maybe,
            YesNo,
            Rule::Vid6,
        ),
        row(
            "requires_subscription",
            "video:requires_subscription",
            Maybe,
            YesNo,
            Rule::Vid6,
        ),
        row("uploader", "video:uploader", Maybe, TextOf(255), Rule::Vid9),
        row("live", "video:live", Maybe, YesNo, Rule::Vid6),
    ]
};

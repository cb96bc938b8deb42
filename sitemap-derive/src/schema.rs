//! The rows of sitemap-serde's schema that the derives write, and check at compile time.
//!
//! A macro cannot read a table of the crate that depends on it. So this file uses nothing else of this crate, and a test of
//! sitemap-serde includes it and compares each row with its own.

/// An element that an attribute, or a part of one, writes.
#[derive(Debug)]
pub(crate) struct Row {
    /// The key in the attribute.
    pub(crate) key: &'static str,
    /// The element's qualified name.
    pub(crate) element: &'static str,
    pub(crate) occurs: Occurs,
    pub(crate) kind: Kind,
    /// The id of the rule that an invalid value breaks.
    pub(crate) rule: &'static str,
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

const fn row(
    key: &'static str,
    element: &'static str,
    occurs: Occurs,
    kind: Kind,
    rule: &'static str,
) -> Row {
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
        row("loc", "loc", One, Url, "P-LOC"),
        row("lastmod", "lastmod", Maybe, DateTime, "P-LASTMOD"),
        row("changefreq", "changefreq", Maybe, FREQUENCIES, "P-FREQ"),
        row("priority", "priority", Maybe, Priority, "P-PRIO"),
        row("image", "image:image", Many, Group, "P-IMG1"),
        row("video", "video:video", Many, Group, "P-VID1"),
        row("news", "news:news", Maybe, Group, "P-NEWS4"),
        row("alternate", "xhtml:link", Many, Group, "P-ALT1"),
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
        row("thumbnail_loc", "video:thumbnail_loc", One, Url, "P-VID1"),
        row("title", "video:title", One, TextOf(100), "P-VID1"),
        row("description", "video:description", One, TextOf(2048), "P-VID1"),
        row("content_loc", "video:content_loc", Maybe, Url, "P-VID1"),
        row("player_loc", "video:player_loc", Maybe, Url, "P-VID1"),
        row("duration", "video:duration", Maybe, Integer(1, 28_800), "P-VID3"),
        row(
            "expiration_date",
            "video:expiration_date",
            Maybe,
            DateTime,
            "P-VID4",
        ),
        row("rating", "video:rating", Maybe, Rating, "P-VID5"),
        row(
            "view_count",
            "video:view_count",
            Maybe,
            Integer(0, u64::MAX),
            "P-VID5",
        ),
        row(
            "publication_date",
            "video:publication_date",
            Maybe,
            DateTime,
            "P-VID4",
        ),
        row("tag", "video:tag", Many, Text, "P-VID10"),
        row(
            "category",
            "video:category",
            Maybe,
            TextOf(256),
            "sitemap-video.xsd",
        ),
        row("family_friendly", "video:family_friendly", Maybe, YesNo, "P-VID6"),
        row(
            "requires_subscription",
            "video:requires_subscription",
            Maybe,
            YesNo,
            "P-VID6",
        ),
        row("uploader", "video:uploader", Maybe, TextOf(255), "P-VID9"),
        row("live", "video:live", Maybe, YesNo, "P-VID6"),
    ]
};

//! The rows of sitemap-serde's schema for what the derives write, and check while the type is compiled.
//!
//! A macro cannot read a table of the crate that depends on it. So this file stands alone, and a test of sitemap-serde includes it and
//! holds each row against its own.

/// An element that an attribute or a part of one is about.
#[derive(Debug)]
pub(crate) struct Row {
    /// The word in the attribute: the element's local name.
    pub(crate) key: &'static str,
    pub(crate) occurs: Occurs,
    pub(crate) kind: Kind,
    /// The id of the rule that a wrong value breaks.
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
    /// Of at most so many characters.
    TextOf(usize),
    /// A whole number: the lowest and the highest.
    Integer(u64, u64),
    /// A decimal from 0.0 to 5.0.
    Rating,
    DateTime,
    YesNo,
}

const fn row(key: &'static str, occurs: Occurs, kind: Kind, rule: &'static str) -> Row {
    Row {
        key,
        occurs,
        kind,
        rule,
    }
}

/// The parts of a video that are one text each, in the schema's order.
pub(crate) static VIDEO: [Row; 16] = {
    use Kind::{DateTime, Integer, Rating, Text, TextOf, Url, YesNo};
    use Occurs::{Many, Maybe, One};
    [
        row("thumbnail_loc", One, Url, "P-VID1"),
        row("title", One, TextOf(100), "P-VID1"),
        row("description", One, TextOf(2048), "P-VID1"),
        row("content_loc", Maybe, Url, "P-VID1"),
        row("player_loc", Maybe, Url, "P-VID1"),
        row("duration", Maybe, Integer(1, 28_800), "P-VID3"),
        row("expiration_date", Maybe, DateTime, "P-VID4"),
        row("rating", Maybe, Rating, "P-VID5"),
        row("view_count", Maybe, Integer(0, u64::MAX), "P-VID5"),
        row("publication_date", Maybe, DateTime, "P-VID4"),
        row("tag", Many, Text, "P-VID10"),
        row("category", Maybe, TextOf(256), "sitemap-video.xsd"),
        row("family_friendly", Maybe, YesNo, "P-VID6"),
        row("requires_subscription", Maybe, YesNo, "P-VID6"),
        row("uploader", Maybe, TextOf(255), "P-VID9"),
        row("live", Maybe, YesNo, "P-VID6"),
    ]
};

//! Elements of the schemas that the macros write and check too.
//!
//! The library's tables refer to these, and do not compile if a field's type disagrees.
//!
//! **What the macros know of the schema** is in `sitemap_values::schema`: the names of an entry's elements, and the elements of an image, a
//! video and a news article whose value is a text, with how often each occurs, its kind and its rule. The tables refer to them (`=> TITLE
//! [known::TITLE]`), and do not compile if a field occurs otherwise. So a new element that `image(…)`, `video(…)` or `news(…)` writes takes
//! two files: its constant there, and its field in the schema's table. `attr/parts`, `validate/parts`, `expand/write/parts` and the
//! library's `derive_support/parts` write all three.

use crate::codes;
use crate::datetime::{Precision, W3cDateTime};
use crate::decimal;
use crate::error::{Message, Result, ValueError};
use crate::number::grouped;
use crate::quote::quote;
use crate::rules::Rule;

/// An element whose value is a text.
#[derive(Debug)]
pub struct Element {
    /// The qualified name.
    pub name: &'static str,
    /// Its cardinality in its parent.
    pub occurs: Occurs,
    /// The kind of its value.
    pub kind: Kind,
    /// The rule that an invalid value breaks.
    pub rule: Rule,
}

/// The cardinality of an element in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurs {
    /// Exactly once.
    One,
    /// At most once.
    Maybe,
    /// Any number of times.
    Many,
}

/// The kind of an element's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A URL on any site.
    Url,
    /// Any text.
    Text,
    /// A text of at most this many characters.
    TextOf(usize),
    /// A whole number: lowest value, highest value, and a noun for messages.
    Integer(u64, u64, &'static str),
    /// A decimal from 0.0 to 5.0.
    Rating,
    /// A W3C Datetime.
    DateTime,
    /// A W3C Datetime with at least the day.
    Day,
    /// An ISO 639 code of 2 or 3 letters, `zh-cn` or `zh-tw`.
    Language,
    /// `yes` or `no`, in the video schema's three spellings of each.
    YesNo,
}

/// The names of an entry's elements.
pub mod entry {
    #![allow(missing_docs, reason = "named as the elements are")]

    pub const LOC: &str = "loc";
    pub const LASTMOD: &str = "lastmod";
    pub const CHANGEFREQ: &str = "changefreq";
    pub const PRIORITY: &str = "priority";
    pub const IMAGE: &str = "image:image";
    pub const VIDEO: &str = "video:video";
    pub const NEWS: &str = "news:news";
    pub const ALTERNATE: &str = "xhtml:link";
}

const fn element(name: &'static str, occurs: Occurs, kind: Kind, rule: Rule) -> Element {
    Element {
        name,
        occurs,
        kind,
        rule,
    }
}

/// The extensions' namespaces, by the prefixes that they usually have.
pub const NAMESPACES: [(&str, &str); 6] = [
    ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
    ("news", "http://www.google.com/schemas/sitemap-news/0.9"),
    ("xhtml", "http://www.w3.org/1999/xhtml"),
    ("mobile", "http://www.google.com/schemas/sitemap-mobile/1.0"),
    ("pagemap", "http://www.google.com/schemas/sitemap-pagemap/1.0"),
];

/// Declares elements, and `ALL` with all of them.
macro_rules! elements {
    ($($name:ident = $element:expr;)*) => {
        $(pub const $name: Element = $element;)*

        /// All of them, in the schema's order.
        pub static ALL: [Element; [$(stringify!($name)),*].len()] = [$($name),*];
    };
}

/// The elements of an image.
pub mod image {
    #![allow(missing_docs, reason = "named as the elements are")]

    use super::Kind::{Text, Url};
    use super::Occurs::{Maybe, One};
    use super::{Element, Rule, element};

    elements! {
        LOC = element("image:loc", One, Url, Rule::Img2);
        CAPTION = element("image:caption", Maybe, Text, Rule::Img2);
        GEO_LOCATION = element("image:geo_location", Maybe, Text, Rule::Img2);
        TITLE = element("image:title", Maybe, Text, Rule::Img2);
        LICENSE = element("image:license", Maybe, Text, Rule::Img2);
    }
}

/// The elements of a news article, and of its publication.
pub mod news {
    #![allow(missing_docs, reason = "named as the elements are")]

    use super::Kind::{Day, Language, Text};
    use super::Occurs::{Maybe, One};
    use super::{Element, Rule, element};

    elements! {
        NAME = element("news:name", One, Text, Rule::News1);
        LANGUAGE = element("news:language", One, Language, Rule::News2);
        PUBLICATION_DATE = element("news:publication_date", One, Day, Rule::News3);
        TITLE = element("news:title", One, Text, Rule::News1);
        KEYWORDS = element("news:keywords", Maybe, Text, Rule::NewsXsd);
    }

    pub const ACCESS: &str = "news:access";
    pub const GENRES: &str = "news:genres";
    pub const STOCK_TICKERS: &str = "news:stock_tickers";

    /// The names of the elements that are words of a list, or lists.
    pub const OF_PARTS: [&str; 3] = [ACCESS, GENRES, STOCK_TICKERS];
}

/// The elements of a video.
pub mod video {
    #![allow(missing_docs, reason = "named as the elements are")]

    use super::Kind::{DateTime, Integer, Rating, Text, TextOf, Url, YesNo};
    use super::Occurs::{Many, Maybe, One};
    use super::{Element, Rule, element};

    /// P-VID3: 8 hours, in seconds.
    pub const MAX_SECONDS: u64 = 28_800;
    /// The term for a duration in messages.
    pub const A_DURATION: &str = "a duration: a duration is in seconds,";

    elements! {
        THUMBNAIL_LOC = element("video:thumbnail_loc", One, Url, Rule::Vid1);
        TITLE = element("video:title", One, TextOf(100), Rule::Vid1);
        DESCRIPTION = element("video:description", One, TextOf(2_048), Rule::Vid1);
        CONTENT_LOC = element("video:content_loc", Maybe, Url, Rule::Vid1);
        PLAYER_LOC = element("video:player_loc", Maybe, Url, Rule::Vid1);
        DURATION = element(
            "video:duration",
            Maybe,
            Integer(1, MAX_SECONDS, A_DURATION),
            Rule::Vid3,
        );
        EXPIRATION_DATE = element("video:expiration_date", Maybe, DateTime, Rule::Vid4);
        RATING = element("video:rating", Maybe, Rating, Rule::Vid5);
        VIEW_COUNT = element(
            "video:view_count",
            Maybe,
            Integer(0, u64::MAX, "a view count: a view count is"),
            Rule::Vid5,
        );
        PUBLICATION_DATE = element("video:publication_date", Maybe, DateTime, Rule::Vid4);
        TAG = element("video:tag", Many, Text, Rule::Vid10);
        CATEGORY = element("video:category", Maybe, TextOf(256), Rule::VideoXsd);
        FAMILY_FRIENDLY = element("video:family_friendly", Maybe, YesNo, Rule::Vid6);
        REQUIRES_SUBSCRIPTION = element("video:requires_subscription", Maybe, YesNo, Rule::Vid6);
        UPLOADER = element("video:uploader", Maybe, TextOf(255), Rule::Vid9);
        LIVE = element("video:live", Maybe, YesNo, Rule::Vid6);
    }

    pub const CONTENT_SEGMENT_LOC: &str = "video:content_segment_loc";
    pub const RESTRICTION: &str = "video:restriction";
    pub const GALLERY_LOC: &str = "video:gallery_loc";
    pub const PRICE: &str = "video:price";
    pub const TVSHOW: &str = "video:tvshow";
    pub const PLATFORM: &str = "video:platform";
    pub const ID: &str = "video:id";

    /// The names of the elements that have children or attributes and cannot be written as a text.
    pub const OF_PARTS: [&str; 7] = [
        CONTENT_SEGMENT_LOC,
        RESTRICTION,
        GALLERY_LOC,
        PRICE,
        TVSHOW,
        PLATFORM,
        ID,
    ];
}

impl Element {
    /// The local name.
    pub fn local_name(&self) -> &'static str {
        local_name(self.name)
    }

    /// Its name as a key of the macros: the local name, or a shorter name for two elements of news.
    pub fn key(&self) -> &'static str {
        match self.name {
            "news:name" => "publication",
            "news:publication_date" => "date",
            name => local_name(name),
        }
    }

    /// Checks a value that is not a URL.
    ///
    /// # Errors
    ///
    /// A [`ValueError`] if the value is not allowed in the element.
    pub fn check(&self, text: &str) -> Result<()> {
        let message = match self.kind {
            Kind::TextOf(most) if !is_at_most(text, most) => too_long(text, most),
            Kind::Integer(least, most, what)
                if !integer(text).is_some_and(|number| (least..=most).contains(&number)) =>
            {
                out_of_range(text, least, most, what)
            }
            Kind::Rating if !is_rating(text) => no_rating(text),
            Kind::YesNo if yes_no(text).is_none() => no_yes_or_no(text),
            Kind::Language if !is_language(text) => no_language(text),
            Kind::DateTime | Kind::Day => match text.parse::<W3cDateTime>() {
                Ok(date) if self.kind == Kind::Day && date.precision() < Precision::Day => no_day(text),
                date => return date.map(drop).map_err(|error| error.breaks(self.rule)),
            },
            _ => return Ok(()),
        };
        Err(ValueError::new(message).breaks(self.rule))
    }
}

/// The part of a qualified name after the prefix.
pub fn local_name(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, local)| local)
}

/// Returns `true` if a text has at most this many characters.
pub fn is_at_most(text: &str, most: usize) -> bool {
    // The number of bytes is never below the number of characters.
    text.len() <= most || text.chars().count() <= most
}

/// Reads a whole number.
pub fn integer(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// Returns `true` if a text is a decimal from 0.0 to 5.0.
pub fn is_rating(text: &str) -> bool {
    decimal::is_decimal(text) && decimal::is_at_most(text, '5')
}

/// Reads `yes` or `no` in any of the schema's spellings (P-VID6).
pub fn yes_no(text: &str) -> Option<bool> {
    match text {
        "yes" | "Yes" | "YES" => Some(true),
        "no" | "No" | "NO" => Some(false),
        _ => None,
    }
}

/// Returns `true` if a text is the language of a publication (P-NEWS2).
pub fn is_language(text: &str) -> bool {
    match text.len() {
        2 => codes::is_language(text) && text.bytes().all(|b| b.is_ascii_lowercase()),
        3 => text.bytes().all(|b| b.is_ascii_lowercase()),
        _ => matches!(text, "zh-cn" | "zh-tw"),
    }
}

/// The message for a text that is not the language of a publication.
pub fn no_language(text: &str) -> Message {
    Message::new(format!(
        "{} is not a language: a language is an ISO 639 code of 2 or 3 small letters, `zh-cn` or `zh-tw`",
        quote(text)
    ))
    .advice("write the code of the publication's language")
}

/// The message for a publication date without a day (P-NEWS3).
pub fn no_day(text: &str) -> Message {
    Message::new(format!(
        "{} does not say the day: a publication date is `YYYY-MM-DD`, or a date and time with its zone",
        quote(text)
    ))
    .advice("write the day")
}

/// The message for a text with more characters than an element may have.
pub fn too_long(text: &str, most: usize) -> Message {
    let (count, most) = (grouped(text.chars().count() as u64), grouped(most as u64));
    Message::new(format!(
        "{} has {count} characters: {most} are allowed",
        quote(text)
    ))
    .advice("shorten it")
}

/// The message for a text that is not a whole number from `least` to `most`; `what` is a noun and the start of a clause.
pub fn out_of_range(text: &str, least: u64, most: u64, what: &str) -> Message {
    let range = match most {
        u64::MAX => format!("of at least {least}"),
        most if most == u64::from(u32::MAX) => format!("from {least}"),
        most => format!("from {least} to {most}"),
    };
    Message::new(format!("{} is not {what} a whole number {range}", quote(text)))
        .advice("write a value in that range, or leave it out")
}

/// The message for a text that is not a rating.
pub fn no_rating(text: &str) -> Message {
    Message::new(format!(
        "{} is not a rating: a rating is a decimal from 0.0 to 5.0",
        quote(text)
    ))
    .advice("write a value in that range, or leave it out")
}

/// The message for a text that is neither `yes` nor `no`.
pub fn no_yes_or_no(text: &str) -> Message {
    let advice = match text.to_ascii_lowercase().as_str() {
        "true" | "1" => "write `yes`",
        "false" | "0" => "write `no`",
        _ => "write one of them",
    };
    Message::new(format!("{} is neither `yes` nor `no`", quote(text))).advice(advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_each_kind() {
        let long = "é".repeat(100);
        for (element, valid, invalid) in [
            (&video::TITLE, &["", "a", &long][..], &[format!("{long}é")][..]),
            (
                &video::DURATION,
                &["1", "+1", "0060", "28800"],
                &["0", "28801", "-1", "1.0", "", "8 hours", "99999999999999999999"].map(str::to_owned),
            ),
            (
                &video::VIEW_COUNT,
                &["0", "18446744073709551615"],
                &["18446744073709551616", "-1"].map(str::to_owned),
            ),
            (
                &video::RATING,
                &["0", "5.0", "4.25", "+1"],
                &["5.1", "-1", "1e0", "high"].map(str::to_owned),
            ),
            (
                &video::EXPIRATION_DATE,
                &["2024", "2024-02-29T00:00Z"],
                &["2023-02-29", "today"].map(str::to_owned),
            ),
            (
                &video::LIVE,
                &["yes", "No", "YES"],
                &["true", "y", "yEs"].map(str::to_owned),
            ),
        ] {
            for text in valid {
                assert!(element.check(text).is_ok(), "{text}");
            }
            for text in invalid {
                assert_eq!(
                    element.check(text).unwrap_err().rule(),
                    Some(element.rule),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn messages() {
        for (element, text, message) in [
            (
                &video::DURATION,
                "0",
                "`0` is not a duration: a duration is in seconds, a whole number from 1 to 28800 (P-VID3); write a value in that range, or leave it \
                 out",
            ),
            (
                &video::VIEW_COUNT,
                "-1",
                "`-1` is not a view count: a view count is a whole number of at least 0 (P-VID5); write a value in that range, or leave it out",
            ),
            (
                &video::RATING,
                "5.5",
                "`5.5` is not a rating: a rating is a decimal from 0.0 to 5.0 (P-VID5); write a value in that range, or leave it out",
            ),
            (
                &video::LIVE,
                "true",
                "`true` is neither `yes` nor `no` (P-VID6); write `yes`",
            ),
            (
                &video::LIVE,
                "0",
                "`0` is neither `yes` nor `no` (P-VID6); write `no`",
            ),
            (
                &video::LIVE,
                "maybe",
                "`maybe` is neither `yes` nor `no` (P-VID6); write one of them",
            ),
        ] {
            assert_eq!(element.check(text).unwrap_err().to_string(), message);
        }
    }
}

//! Functions that derived `FromSitemapEntry` code calls.

use std::borrow::Cow;
use std::fmt::Display;
use std::rc::Rc;
use std::str::FromStr;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use sitemap_values::quote::quote;
use sitemap_values::{ChangeFreq, Precision, Priority, Rule, W3cDateTime};

use super::template::no_value;
use crate::entry::EntryReader;
#[cfg(any(
    feature = "chrono04",
    feature = "time03",
    feature = "jiff02",
    feature = "jiff1"
))]
use crate::entry::FromLastmod;
use crate::error::{Error, Mismatch, Result};
use crate::schema::{Alternate, Image, News, Video};

/// Reads a field's value from the loc.
pub fn loc_of<'r, T>(entry: &EntryReader<'r>, read: impl FnOnce(&'r str) -> Result<T>) -> Result<T> {
    let loc = entry.checked_loc()?;
    read(loc).map_err(|error| entry.in_field(crate::schema::LOC, error.mismatch(Mismatch::Value)))
}

/// Reads a field's value from the lastmod.
pub fn lastmod_of<T>(
    entry: &EntryReader<'_>,
    read: impl FnOnce(Option<W3cDateTime>) -> Result<T>,
) -> Result<T> {
    let value = entry.lastmod()?;
    read(value).map_err(|error| entry.in_field(crate::schema::LASTMOD, error))
}

/// Reads a field's value from a lastmod that was written with lower precision: missing parts that the field requires get their
/// lowest value, in UTC.
pub fn coarse_lastmod_of<T>(
    entry: &EntryReader<'_>,
    read: impl Fn(Option<W3cDateTime>) -> Result<T>,
) -> Result<T> {
    let value = entry.lastmod()?;
    read(value)
        .or_else(|error| match value {
            Some(value) if value.precision() < Precision::Second => read(Some(value.assume_utc())),
            _ => Err(error),
        })
        .map_err(|error| entry.in_field(crate::schema::LASTMOD, error))
}

/// Reads a field's value from the changefreq, or from the default.
pub fn changefreq_of<T>(
    entry: &EntryReader<'_>,
    default: Option<ChangeFreq>,
    read: impl FnOnce(Option<ChangeFreq>) -> Result<T>,
) -> Result<T> {
    let value = entry.changefreq()?.or(default);
    read(value).map_err(|error| entry.in_field(crate::schema::CHANGEFREQ, error))
}

/// Reads a field's value from the priority, or from the default.
pub fn priority_of<T>(
    entry: &EntryReader<'_>,
    default: Result<Option<Priority>>,
    read: impl FnOnce(Option<Priority>) -> Result<T>,
) -> Result<T> {
    let value = match entry.priority()? {
        None => default,
        value => Ok(value),
    };
    value
        .and_then(read)
        .map_err(|error| entry.in_field(crate::schema::PRIORITY, error))
}

/// Reads a field's value from the images.
pub fn images_of<T>(entry: &EntryReader<'_>, read: impl FnOnce(Vec<Image>) -> Result<T>) -> Result<T> {
    read(entry.images()?).map_err(|error| entry.in_field(crate::schema::IMAGE, error))
}

/// Reads a field's value from the videos.
pub fn videos_of<T>(entry: &EntryReader<'_>, read: impl FnOnce(Vec<Video>) -> Result<T>) -> Result<T> {
    read(entry.videos()?).map_err(|error| entry.in_field(crate::schema::VIDEO, error))
}

/// Reads a field's value from the news.
pub fn news_of<T>(entry: &EntryReader<'_>, read: impl FnOnce(Vec<News>) -> Result<T>) -> Result<T> {
    read(entry.news()?.into_iter().collect()).map_err(|error| entry.in_field(crate::schema::NEWS, error))
}

/// Reads a field's value from the alternates.
pub fn alternates_of<T>(
    entry: &EntryReader<'_>,
    read: impl FnOnce(Vec<Alternate>) -> Result<T>,
) -> Result<T> {
    read(entry.alternates()?).map_err(|error| entry.in_field(crate::schema::ALTERNATE, error))
}

/// The text of a `{name}`.
pub fn decoded<'r>(entry: &EntryReader<'_>, written: &str, text: &'r str) -> Result<Cow<'r, str>> {
    let (decoded, encoding) = match entry.own_encoding() {
        Some(rules) => (rules.decode(text), rules.encoding()),
        None => (percent_decode_str(text).decode_utf8().ok(), "UTF-8"),
    };
    decoded.ok_or_else(|| {
        let why = format!("it is not percent-encoded as {encoding}");
        no_value(entry, written, text, &why).breaks(Rule::LocEnc)
    })
}

/// Reads a field's value from a placeholder's text.
pub fn placeholder_of<T>(
    entry: &EntryReader<'_>,
    written: &str,
    text: &str,
    read: impl FnOnce(&str) -> Result<T>,
) -> Result<T> {
    read(text).map_err(|error| no_value(entry, written, text, &error))
}

/// Checks that a placeholder that occurs twice has the same value in both places.
pub fn same(entry: &EntryReader<'_>, written: &str, first: &str, second: &str) -> Result<()> {
    if percent_decode_str(first).eq(percent_decode_str(second)) {
        return Ok(());
    }
    let why = format_args!("it is {} in another place of the loc", quote(first)).to_string();
    Err(no_value(entry, written, second, &why))
}

/// A value that a template's placeholder can be read as.
///
/// `Kind` is always inferred. It keeps apart the implementations, which could otherwise overlap.
#[diagnostic::on_unimplemented(
    message = "a template's placeholder cannot be read as `{Self}`",
    label = "does not implement `FromStr`",
    note = "text is read as a `String`, `Cow<str>`, `Box<str>` or `Arc<str>`",
    note = "any other type: implement `FromStr` for it, or convert it: `#[sitemap(read_with = path::to::function)]` on the field, where the \
            function takes a `&str` and returns the field's value or a `Result` with it"
)]
pub trait FromPlaceholder<Kind>: Sized {
    /// Reads the placeholder's text.
    fn from_placeholder(text: &str) -> Result<Self>;

    /// Reads the text of a `{name?}`, which may be empty.
    fn from_text_or_empty(text: &str) -> Result<Self> {
        Self::from_placeholder(text)
    }
}

/// The kind of types with `FromStr`.
pub struct Parsed;

/// The kind of text types without `FromStr`.
pub struct Text;

/// The kind of `Option`s, which are `None` only for the empty text of a `{name?}`.
pub struct Present<Kind>(Kind);

impl<T: FromStr<Err: Display>> FromPlaceholder<Parsed> for T {
    fn from_placeholder(text: &str) -> Result<Self> {
        text.parse().map_err(Error::custom)
    }
}

#[diagnostic::do_not_recommend]
impl<Kind, T: FromPlaceholder<Kind>> FromPlaceholder<Present<Kind>> for Option<T> {
    fn from_placeholder(text: &str) -> Result<Self> {
        T::from_placeholder(text).map(Some)
    }

    fn from_text_or_empty(text: &str) -> Result<Self> {
        match text {
            "" => Ok(None),
            text => T::from_text_or_empty(text).map(Some),
        }
    }
}

macro_rules! text {
    ($($type:ty),*) => {
        $(#[diagnostic::do_not_recommend]
        impl FromPlaceholder<Text> for $type {
            fn from_placeholder(text: &str) -> Result<Self> {
                Ok(text.to_owned().into())
            }
        })*
    };
}
text!(Cow<'_, str>, Box<str>, Arc<str>, Rc<str>);

/// A return type of a `read_with` function: the field's value, or a `Result` of it.
///
/// `Kind` is always inferred. It keeps apart the two implementations, which could otherwise overlap.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what the field holds",
    label = "returns `{Self}`",
    note = "a `read_with` function returns a `{T}`, or a `Result` with one and an error that can be displayed"
)]
pub trait Converted<T, Kind> {
    /// The field's value.
    fn converted(self) -> Result<T>;
}

/// The kind of a function that cannot fail.
pub struct Infallible;

/// The kind of a function that can.
pub struct Fallible;

impl<T> Converted<T, Infallible> for T {
    fn converted(self) -> Result<T> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T, E: Display> Converted<T, Fallible> for Result<T, E> {
    fn converted(self) -> Result<T> {
        self.map_err(Error::custom)
    }
}

/// The value of a field that no element maps to: its default.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default, and the sitemap says nothing about this field",
    label = "does not implement `Default`",
    note = "a field without an attribute that is not in the template comes from `Default`: implement it, or make the field \
            an `Option`"
)]
pub trait Unmapped {
    /// The default.
    fn unmapped() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> Unmapped for T {
    fn unmapped() -> Self {
        T::default()
    }
}

/// A bool for `exclude_if` or `include_if` without a function. Its value follows from the entry being listed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a bool",
    label = "a bare `exclude_if` or `include_if` stands on a bool",
    note = "give a function that decides, `#[sitemap(exclude_if = path::to::function)]`; the field then comes from `Default`"
)]
pub trait FromFlag {
    /// The bool of a listed entry.
    fn from_flag(set: bool) -> Self;
}

impl FromFlag for bool {
    fn from_flag(set: bool) -> Self {
        set
    }
}

/// A date-time without a zone, read in the zone of `zone`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a naive date-time",
    label = "`zone` is for a date-time without a zone",
    note = "if it has a zone of its own, or is a date, leave `zone` out: `#[sitemap(lastmod)]`",
    note = "chrono's `NaiveDateTime`, time's `PrimitiveDateTime` and jiff's `civil::DateTime` are naive; each needs the \
            feature of its name"
)]
pub trait FromNaiveLastmod: Sized {
    /// The local time in the zone that is `minutes` east of UTC.
    fn from_lastmod_at(value: Option<W3cDateTime>, minutes: i16) -> Result<Self>;
}

impl<T: FromNaiveLastmod> FromNaiveLastmod for Option<T> {
    fn from_lastmod_at(value: Option<W3cDateTime>, minutes: i16) -> Result<Self> {
        match value {
            Some(value) => T::from_lastmod_at(Some(value), minutes).map(Some),
            None => Ok(None),
        }
    }
}

#[cfg(feature = "chrono04")]
impl FromNaiveLastmod for chrono::NaiveDateTime {
    fn from_lastmod_at(value: Option<W3cDateTime>, minutes: i16) -> Result<Self> {
        let utc = chrono::DateTime::<chrono::Utc>::from_lastmod(value)?.naive_utc();
        utc.checked_add_signed(chrono::TimeDelta::minutes(minutes.into()))
            .ok_or_else(|| outside(value, "chrono::NaiveDateTime"))
    }
}

#[cfg(feature = "time03")]
impl FromNaiveLastmod for time::PrimitiveDateTime {
    fn from_lastmod_at(value: Option<W3cDateTime>, minutes: i16) -> Result<Self> {
        let utc = time::UtcDateTime::from_lastmod(value)?;
        time::PrimitiveDateTime::new(utc.date(), utc.time())
            .checked_add(time::Duration::minutes(minutes.into()))
            .ok_or_else(|| outside(value, "time::PrimitiveDateTime"))
    }
}

/// The naive date-time of one major version of jiff.
#[cfg(any(feature = "jiff02", feature = "jiff1"))]
macro_rules! jiff {
    ($jiff:ident) => {
        impl FromNaiveLastmod for $jiff::civil::DateTime {
            fn from_lastmod_at(value: Option<W3cDateTime>, minutes: i16) -> Result<Self> {
                let utc = $jiff::Timestamp::from_lastmod(value)?;
                let zone = $jiff::tz::Offset::from_seconds(i32::from(minutes) * 60);
                zone.map(|zone| zone.to_datetime(utc))
                    .map_err(|_| outside(value, "jiff::civil::DateTime"))
            }
        }
    };
}
#[cfg(feature = "jiff02")]
jiff!(jiff02);
#[cfg(feature = "jiff1")]
jiff!(jiff1);

/// The error for a local time out of the type's range.
#[cfg(any(
    feature = "chrono04",
    feature = "time03",
    feature = "jiff02",
    feature = "jiff1"
))]
#[cold]
fn outside(value: Option<W3cDateTime>, target: &str) -> Error {
    let value = value.map(|value| value.to_string()).unwrap_or_default();
    Error::custom(format_args!(
        "`{value}` does not convert to `{target}`: it is outside of the range of that type; keep it as a `W3cDateTime`"
    ))
}

/// Tries the variants of an enum until one matches the entry.
#[derive(Debug, Default)]
pub struct Search {
    /// The error of a variant whose template matched, but whose values did not fit.
    nearest: Option<Error>,
}

impl Search {
    /// Starts without errors.
    pub fn new() -> Self {
        Search::default()
    }

    /// Tries a variant: its value, or `None` if the entry does not match it.
    pub fn variant<T>(&mut self, read: impl FnOnce() -> Result<T>) -> Result<Option<T>> {
        match read() {
            Ok(value) => Ok(Some(value)),
            Err(error) => match error.as_mismatch() {
                None => Err(error),
                Some(Mismatch::Text) => Ok(None),
                Some(Mismatch::Value) => {
                    self.nearest.get_or_insert(error);
                    Ok(None)
                }
            },
        }
    }

    /// The error for an entry that matches no variant.
    #[cold]
    pub fn failed(self, entry: &EntryReader<'_>, name: &str, variants: &str) -> Error {
        self.nearest.unwrap_or_else(|| {
            let loc = quote(entry.loc());
            entry.mismatch(format_args!("{loc} matches no variant of `{name}`: {variants}"))
        })
    }
}

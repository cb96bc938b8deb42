//! Types for the text of an element or attribute: reading, checking and writing.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};
use sitemap_values::{ChangeFreq, Decimal, Priority, W3cDateTime};

use crate::error::Result;

use super::alternate::ALTERNATE_REL;
use super::element::{Word, leaf};
use super::{Name, SchemaRow};

/// A type whose values are texts of elements or attributes.
///
/// Reading accepts every text that the type can represent: a title that is too long, but not a rating of `high`. Writing
/// accepts only what the schema allows.
pub(crate) trait Leaf: Sized + Serialize + DeserializeOwned {
    /// Reads a text.
    fn read(text: &str, row: &'static SchemaRow) -> Result<Self>;

    /// The text to write. `scratch` is an empty buffer that it may use.
    fn text<'t>(&'t self, scratch: &'t mut String) -> &'t str;

    /// Appends the text to write. Types of the core elements override it for speed.
    #[inline]
    fn push_to(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.text(&mut String::new()).as_bytes());
    }

    /// The value, if it is a date.
    #[inline]
    fn date_time(&self) -> Option<W3cDateTime> {
        None
    }

    /// Returns `true` if the value is known to be valid without looking at its text. If not, its text is
    /// [checked](SchemaRow::check).
    #[inline]
    fn is_right(&self, _: &'static SchemaRow) -> bool {
        false
    }
}

leaf! {
    String;
    Cow<'static, str>;
    Joined;
    bool;
    u32;
    u64;
    Decimal;
    W3cDateTime;
    ChangeFreq;
    Priority;
}

impl Leaf for String {
    #[inline]
    fn read(text: &str, row: &'static SchemaRow) -> Result<Self> {
        row.check_url(text)?;
        Ok(text.to_owned())
    }

    #[inline]
    fn text<'t>(&'t self, _: &'t mut String) -> &'t str {
        self
    }
}

/// A link relation: the one of alternates is not allocated.
impl Leaf for Cow<'static, str> {
    #[inline]
    fn read(text: &str, _: &'static SchemaRow) -> Result<Self> {
        Ok(match text {
            ALTERNATE_REL => Cow::Borrowed(ALTERNATE_REL),
            _ => Cow::Owned(text.to_owned()),
        })
    }

    #[inline]
    fn text<'t>(&'t self, _: &'t mut String) -> &'t str {
        self
    }
}

/// Words with a separator between them.
pub(super) struct Joined(pub(super) String);

impl Serialize for Joined {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Joined {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Joined)
    }
}

impl Joined {
    pub(super) fn of<T: Word>(name: Name, words: &[T]) -> Self {
        let separator = match separator(name) {
            ' ' => " ",
            _ => ", ",
        };
        let words: Vec<_> = words.iter().map(Word::as_word).collect();
        Joined(words.join(separator))
    }
}

fn separator(name: Name) -> char {
    name.row().map_or(',', |row| row.kind.separator())
}

/// The words of a list.
pub(super) fn split<T: Word>(name: Name, text: &str) -> Vec<T> {
    text.split(separator(name))
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(T::from)
        .collect()
}

impl Leaf for Joined {
    #[inline]
    fn read(text: &str, _: &'static SchemaRow) -> Result<Self> {
        Ok(Joined(text.to_owned()))
    }

    #[inline]
    fn text<'t>(&'t self, _: &'t mut String) -> &'t str {
        &self.0
    }
}

impl Leaf for bool {
    #[inline]
    fn read(text: &str, row: &'static SchemaRow) -> Result<Self> {
        row.yes_no(text)
    }

    #[inline]
    fn text<'t>(&'t self, _: &'t mut String) -> &'t str {
        if *self { "yes" } else { "no" }
    }

    #[inline]
    fn is_right(&self, _: &'static SchemaRow) -> bool {
        true
    }
}

macro_rules! integers {
    ($($integer:ident)*) => {
        $(impl Leaf for $integer {
            #[inline]
    fn read(text: &str, row: &'static SchemaRow) -> Result<Self> {
                // A row's greatest value fits its field's type.
                row.integer(text)
                    .map(|number| $integer::try_from(number).unwrap_or($integer::MAX))
            }

            #[inline]
    fn text<'t>(&'t self, scratch: &'t mut String) -> &'t str {
                // Writing to a `String` cannot fail.
                let _ = write!(scratch, "{self}");
                scratch
            }
        })*
    };
}
integers!(u32 u64);

impl Leaf for Decimal {
    #[inline]
    fn read(text: &str, row: &'static SchemaRow) -> Result<Self> {
        row.decimal(text)
    }

    #[inline]
    fn text<'t>(&'t self, _: &'t mut String) -> &'t str {
        self.as_str()
    }

    #[inline]
    fn is_right(&self, row: &'static SchemaRow) -> bool {
        row.check_decimal(self.as_str()).is_ok()
    }
}

impl Leaf for W3cDateTime {
    #[inline]
    fn read(text: &str, row: &'static SchemaRow) -> Result<Self> {
        row.date_time(text)
    }

    #[inline]
    fn text<'t>(&'t self, scratch: &'t mut String) -> &'t str {
        let _ = write!(scratch, "{self}");
        scratch
    }

    #[inline]
    fn push_to(&self, out: &mut Vec<u8>) {
        W3cDateTime::push_to(self, out);
    }

    #[inline]
    fn date_time(&self) -> Option<W3cDateTime> {
        Some(*self)
    }

    #[inline]
    fn is_right(&self, row: &'static SchemaRow) -> bool {
        row.check_date_time(*self, "").is_ok()
    }
}

impl Leaf for ChangeFreq {
    #[inline]
    fn read(text: &str, _: &'static SchemaRow) -> Result<Self> {
        ChangeFreq::parse(text).ok_or_else(|| ChangeFreq::explain(text).into())
    }

    #[inline]
    fn text<'t>(&'t self, _: &'t mut String) -> &'t str {
        self.as_str()
    }

    #[inline]
    fn is_right(&self, _: &'static SchemaRow) -> bool {
        true
    }
}

impl Leaf for Priority {
    #[inline]
    fn read(text: &str, _: &'static SchemaRow) -> Result<Self> {
        Priority::parse(text).ok_or_else(|| Priority::explain(text).into())
    }

    #[inline]
    fn text<'t>(&'t self, scratch: &'t mut String) -> &'t str {
        let _ = write!(scratch, "{self}");
        scratch
    }

    #[inline]
    fn push_to(&self, out: &mut Vec<u8>) {
        Priority::push_to(*self, out);
    }

    #[inline]
    fn is_right(&self, _: &'static SchemaRow) -> bool {
        true
    }
}

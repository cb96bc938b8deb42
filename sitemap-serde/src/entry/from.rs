//! Conversions of a loc, lastmod, changefreq or priority to an application's field types.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;
use std::time::SystemTime;

use sitemap_values::{ChangeFreq, Priority, W3cDateTime};

use crate::error::{Error, Result};

/// A type that a loc can be read into: text, or a URL.
#[diagnostic::on_unimplemented(
    message = "a loc cannot be read as `{Self}`",
    label = "not text of its own",
    note = "a loc is read as a `String`, `Cow<str>`, `Box<str>`, `Arc<str>` or, with the feature `url2`, a `url::Url`",
    note = "take it apart with a template: `#[sitemap(loc = \"/products/{{id}}\")]`",
    note = "or convert it: `#[sitemap(loc, read_with = path::to::function)]`, where the function takes a `&str`"
)]
pub trait FromLoc: Sized {
    /// Converts a loc that has been checked.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the type cannot hold it.
    fn from_loc(loc: &str) -> Result<Self>;
}

/// A type that a lastmod can be read into.
#[diagnostic::on_unimplemented(
    note = "a date-time without a zone (chrono's `NaiveDateTime`, time's `PrimitiveDateTime`, jiff's `civil::DateTime`) needs one: \
            `#[sitemap(lastmod, zone = \"UTC\")]` or `#[sitemap(lastmod, zone = \"+09:00\")]`"
)]
#[cfg_attr(
    not(feature = "chrono04"),
    diagnostic::on_unimplemented(note = "the types of chrono 0.4 need sitemap-serde's feature `chrono04`")
)]
#[cfg_attr(
    not(feature = "time03"),
    diagnostic::on_unimplemented(note = "the types of time 0.3 need sitemap-serde's feature `time03`")
)]
#[cfg_attr(
    not(feature = "jiff1"),
    diagnostic::on_unimplemented(note = "the types of jiff 1 need sitemap-serde's feature `jiff1`")
)]
#[cfg_attr(
    not(feature = "jiff02"),
    diagnostic::on_unimplemented(note = "the types of jiff 0.2 need sitemap-serde's feature `jiff02`")
)]
#[diagnostic::on_unimplemented(
    message = "a lastmod cannot be read as `{Self}`",
    label = "not made of a W3C Datetime",
    note = "a lastmod is read as a `W3cDateTime`, a `SystemTime`, text, or a date or zoned date-time of chrono, time or \
            jiff (each a feature of sitemap-serde)",
    note = "any other type: `#[sitemap(lastmod, read_with = path::to::function)]`"
)]
pub trait FromLastmod: Sized {
    /// Converts a lastmod; `None` if the entry has none.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the type cannot hold it, or requires one and the entry has none.
    fn from_lastmod(value: Option<W3cDateTime>) -> Result<Self>;
}

/// A type that a changefreq can be read into. You can implement it for your own enum.
#[diagnostic::on_unimplemented(
    message = "a changefreq cannot be read as `{Self}`",
    label = "not made of a `ChangeFreq`",
    note = "a changefreq is read as a `ChangeFreq` or as text; implement `FromChangeFreq` for a type of your own",
    note = "or convert it: `#[sitemap(changefreq, read_with = path::to::function)]`"
)]
pub trait FromChangeFreq: Sized {
    /// Converts a changefreq; `None` if the entry has none.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the type cannot hold it, or requires one and the entry has none.
    fn from_changefreq(value: Option<ChangeFreq>) -> Result<Self>;
}

/// A type that a priority can be read into.
#[diagnostic::on_unimplemented(
    message = "a priority cannot be read as `{Self}`",
    label = "not a `Priority`, `f32` or `f64`",
    note = "a priority is a number from 0.0 to 1.0: it is read as a `Priority`, an `f32` or an `f64`",
    note = "or convert it: `#[sitemap(priority, read_with = path::to::function)]`"
)]
pub trait FromPriority: Sized {
    /// Converts a priority; `None` if the entry has none.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the type cannot hold it, or requires one and the entry has none.
    fn from_priority(value: Option<Priority>) -> Result<Self>;
}

/// The error for an absent value and a type that requires one.
#[cold]
pub(super) fn absent(element: &str) -> Error {
    let default = match element {
        "lastmod" => "",
        _ => ", or say what it is then, with `default = …`",
    };
    Error::data(format!(
        "no `{element}`, and the field that it is read into cannot be without one; make the field an `Option`{default}"
    ))
}

/// A value that is present.
fn present<T>(value: Option<T>, element: &str) -> Result<T> {
    value.ok_or_else(|| absent(element))
}

/// Options and boxes of readable values, and owned text.
macro_rules! through {
    ($trait:ident, $method:ident, $value:ty) => {
        impl<T: $trait> $trait for Option<T> {
            fn $method(value: Option<$value>) -> Result<Self> {
                match value {
                    Some(value) => T::$method(Some(value)).map(Some),
                    None => Ok(None),
                }
            }
        }
        through!(@pointers $trait, $method, Option<$value>);
    };
    (@pointers $trait:ident, $method:ident, $value:ty) => {
        impl<T: $trait> $trait for Box<T> {
            fn $method(value: $value) -> Result<Self> {
                T::$method(value).map(Box::new)
            }
        }
        impl<T: ToOwned + ?Sized> $trait for Cow<'_, T>
        where
            T::Owned: $trait,
        {
            fn $method(value: $value) -> Result<Self> {
                <T::Owned>::$method(value).map(Cow::Owned)
            }
        }
    };
    (@text $trait:ident, $method:ident, $value:ty, [$($pointer:ident),*]) => {
        $(impl $trait for $pointer<str> {
            fn $method(value: $value) -> Result<Self> {
                String::$method(value).map(Into::into)
            }
        })*
    };
}
through!(FromLastmod, from_lastmod, W3cDateTime);
through!(FromChangeFreq, from_changefreq, ChangeFreq);
through!(FromPriority, from_priority, Priority);
through!(@pointers FromLoc, from_loc, &str);
through!(@text FromLoc, from_loc, &str, [Box, Arc, Rc]);
through!(@text FromLastmod, from_lastmod, Option<W3cDateTime>, [Box, Arc, Rc]);
through!(@text FromChangeFreq, from_changefreq, Option<ChangeFreq>, [Box, Arc, Rc]);

impl FromLoc for String {
    fn from_loc(loc: &str) -> Result<Self> {
        Ok(loc.to_owned())
    }
}

impl<T: FromLoc> FromLoc for Option<T> {
    fn from_loc(loc: &str) -> Result<Self> {
        T::from_loc(loc).map(Some)
    }
}

#[cfg(feature = "url2")]
impl FromLoc for url::Url {
    fn from_loc(loc: &str) -> Result<Self> {
        url::Url::parse(loc).map_err(|error| {
            Error::data(
                crate::error::Message::new(format!(
                    "{} is not a `url::Url`: {error}",
                    sitemap_values::quote::quote(loc)
                ))
                .advice("read it as text, or correct it"),
            )
            .breaks(crate::Rule::Loc)
        })
    }
}

impl FromLastmod for W3cDateTime {
    fn from_lastmod(value: Option<W3cDateTime>) -> Result<Self> {
        present(value, "lastmod")
    }
}

/// The text as written.
impl FromLastmod for String {
    fn from_lastmod(value: Option<W3cDateTime>) -> Result<Self> {
        present(value, "lastmod").map(|value| value.to_string())
    }
}

/// Conversions from a `W3cDateTime`.
macro_rules! from_w3c {
    ($($type:ty),*) => {
        $(impl FromLastmod for $type {
            fn from_lastmod(value: Option<W3cDateTime>) -> Result<Self> {
                Ok(present(value, "lastmod")?.try_into()?)
            }
        })*
    };
}
from_w3c!(SystemTime);
#[cfg(feature = "chrono04")]
from_w3c!(
    chrono::DateTime<chrono::Utc>,
    chrono::DateTime<chrono::FixedOffset>,
    chrono::NaiveDate
);
#[cfg(feature = "time03")]
from_w3c!(time::OffsetDateTime, time::UtcDateTime, time::Date);
#[cfg(feature = "jiff02")]
from_w3c!(jiff02::Timestamp, jiff02::Zoned, jiff02::civil::Date);
#[cfg(feature = "jiff1")]
from_w3c!(jiff1::Timestamp, jiff1::ZonedDateTime, jiff1::civil::Date);

impl FromChangeFreq for ChangeFreq {
    fn from_changefreq(value: Option<ChangeFreq>) -> Result<Self> {
        present(value, "changefreq")
    }
}

impl FromChangeFreq for &'static str {
    fn from_changefreq(value: Option<ChangeFreq>) -> Result<Self> {
        present(value, "changefreq").map(ChangeFreq::as_str)
    }
}

impl FromChangeFreq for String {
    fn from_changefreq(value: Option<ChangeFreq>) -> Result<Self> {
        <&str>::from_changefreq(value).map(str::to_owned)
    }
}

impl FromPriority for Priority {
    fn from_priority(value: Option<Priority>) -> Result<Self> {
        present(value, "priority")
    }
}

impl FromPriority for f32 {
    fn from_priority(value: Option<Priority>) -> Result<Self> {
        present(value, "priority").map(Into::into)
    }
}

impl FromPriority for f64 {
    fn from_priority(value: Option<Priority>) -> Result<Self> {
        present(value, "priority").map(Into::into)
    }
}

//! Conversions of an application's field types to a loc, lastmod, changefreq or priority.
//!
//! **One conversion trait for all elements** (`ToElements<Image>`, `FromElements<Video>`, …). `#[diagnostic::on_unimplemented]` can insert
//! the element's type into a message but cannot choose notes by it, so the notes explain all four elements. A trait for each would have
//! shorter messages, and eight names to learn.

use std::borrow::Cow;
use std::fmt::Display;
use std::rc::Rc;
use std::sync::Arc;
use std::time::SystemTime;

use sitemap_values::{ChangeFreq, Priority, W3cDateTime, near_hundredths};

use crate::error::{Advice, Error, Result};

use super::column::sql_date_time;

/// A type that can be written as a loc: text with an absolute URL or a path. `None` writes no loc.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a loc",
    label = "not text",
    note = "a loc is a `String`, `&str`, `Cow<str>`, `Box<str>`, `Arc<str>` or, with the feature `url2`, a `url::Url`",
    note = "build one from any `Display` values with a template: `#[sitemap(loc = \"/products/{{id}}\")]`",
    note = "or convert the field: `#[sitemap(loc, write_with = path::to::function)]`"
)]
pub trait AsLoc {
    /// The text, if there is one.
    fn as_loc(&self) -> Option<&str>;
}

/// A type that can be written as a lastmod. `None` writes no lastmod.
#[diagnostic::on_unimplemented(
    note = "a date-time without a zone (chrono's `NaiveDateTime`, time's `PrimitiveDateTime`, jiff's `civil::DateTime`) needs one: \
            `#[sitemap(lastmod, zone = \"UTC\")]` or `#[sitemap(lastmod, zone = \"+09:00\")]`",
    note = "a number is seconds or milliseconds since 1970: `#[sitemap(lastmod, with = sitemap_serde::convert::unix_seconds)]`, or \
            `unix_millis`"
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
    message = "`{Self}` cannot be a lastmod",
    label = "no W3C Datetime can be made of this",
    note = "a lastmod is a `W3cDateTime`, a `SystemTime`, W3C text, or a date or zoned date-time of chrono, time or jiff \
            (each a feature of sitemap-serde)",
    note = "any other type, or text in another form: `#[sitemap(lastmod, write_with = path::to::function)]`, and for the column of an ORM's source \
            `lastmod_with(column, function)`"
)]
pub trait ToLastmod {
    /// The date and time, if there is one.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if a W3C Datetime cannot express it (P-LASTMOD).
    fn to_lastmod(&self) -> Result<Option<W3cDateTime>>;
}

/// A type that can be written as a changefreq. `None` writes no changefreq. You can implement it for your own enum.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a changefreq",
    label = "not a `ChangeFreq`",
    note = "a changefreq is a `ChangeFreq` or its text; implement `ToChangeFreq` for a type of your own",
    note = "or convert the field: `#[sitemap(changefreq, write_with = path::to::function)]`"
)]
pub trait ToChangeFreq {
    /// The frequency, if there is one.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not a changefreq (P-FREQ).
    fn to_changefreq(&self) -> Result<Option<ChangeFreq>>;
}

/// A type that can be written as a priority. `None` writes no priority, which means 0.5.
///
/// A float from 0.0 to 1.0 is written as a person would write it: rounded to six digits after the point, so that `0.1 + 0.2` is `0.3`
/// and not `0.30000000000000004`. A [`Priority`] keeps all digits, as do floats through serde.
///
/// ```
/// use sitemap_serde::convert::ToPriority;
///
/// let written = |value: &dyn ToPriority| value.to_priority().unwrap().unwrap().to_string();
/// assert_eq!(written(&(0.1 + 0.2)), "0.3");
/// assert_eq!(written(&(0.1_f32 + 0.7)), "0.8");
/// assert_eq!(written(&(1.0 / 3.0)), "0.333333");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a priority",
    label = "not a `Priority`, `f32` or `f64`",
    note = "a priority is a number from 0.0 to 1.0: a `Priority`, an `f32` or an `f64`",
    note = "or convert the field: `#[sitemap(priority, write_with = path::to::function)]`"
)]
pub trait ToPriority {
    /// The priority, if there is one.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not from 0.0 to 1.0 (P-PRIO).
    fn to_priority(&self) -> Result<Option<Priority>>;
}

/// References, options and smart pointers of convertible values.
macro_rules! through {
    ($trait:ident, $method:ident, $absent:expr, $output:ty, [$($pointer:ident),*]) => {
        impl<T: $trait + ?Sized> $trait for &T {
            fn $method(&self) -> $output {
                (**self).$method()
            }
        }
        impl<T: $trait> $trait for Option<T> {
            fn $method(&self) -> $output {
                match self {
                    Some(value) => value.$method(),
                    None => $absent,
                }
            }
        }
        $(impl<T: $trait + ?Sized> $trait for $pointer<T> {
            fn $method(&self) -> $output {
                (**self).$method()
            }
        })*
        impl<T: $trait + ToOwned + ?Sized> $trait for Cow<'_, T> {
            fn $method(&self) -> $output {
                (**self).$method()
            }
        }
    };
}
through!(AsLoc, as_loc, None, Option<&str>, [Box, Arc, Rc]);
through!(
    ToLastmod,
    to_lastmod,
    Ok(None),
    Result<Option<W3cDateTime>>,
    [Box, Arc, Rc]
);
through!(
    ToChangeFreq,
    to_changefreq,
    Ok(None),
    Result<Option<ChangeFreq>>,
    [Box, Arc, Rc]
);
through!(
    ToPriority,
    to_priority,
    Ok(None),
    Result<Option<Priority>>,
    [Box, Arc, Rc]
);

/// The return values of functions that may fail.
macro_rules! fallible {
    ($($trait:ident $method:ident $value:ty;)*) => {
        $(#[diagnostic::do_not_recommend]
        impl<T: $trait, E: Display> $trait for std::result::Result<T, E> {
            fn $method(&self) -> Result<Option<$value>> {
                self.as_ref().map_err(Error::custom)?.$method()
            }
        })*
    };
}
fallible! {
    ToLastmod to_lastmod W3cDateTime;
    ToChangeFreq to_changefreq ChangeFreq;
    ToPriority to_priority Priority;
}

impl AsLoc for str {
    fn as_loc(&self) -> Option<&str> {
        Some(self)
    }
}

impl AsLoc for String {
    fn as_loc(&self) -> Option<&str> {
        Some(self)
    }
}

#[cfg(feature = "url2")]
impl AsLoc for url::Url {
    fn as_loc(&self) -> Option<&str> {
        Some(self.as_str())
    }
}

impl ToLastmod for W3cDateTime {
    fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
        Ok(Some(*self))
    }
}

impl ToLastmod for str {
    fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
        match W3cDateTime::parse(self) {
            Some(lastmod) => Ok(Some(lastmod)),
            None => Err(no_lastmod(self)),
        }
    }
}

/// The error for a text; for a text from a database, with the function that converts it.
#[cold]
fn no_lastmod(text: &str) -> Error {
    let error = Error::from(W3cDateTime::explain(text));
    if sql_date_time::write(text).is_err() {
        return error;
    }
    let message = error.message().into_owned();
    let converted = "the text of a database's column is converted by `#[sitemap(lastmod, with = sitemap_serde::convert::sql_date_time)]`";
    let advice = match &message.advice {
        Some(advice) => format!("{advice}; {converted}"),
        None => converted.to_owned(),
    };
    error.with_message(message.advice(Advice::of_api("sql_date_time", advice)))
}

impl ToLastmod for String {
    fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
        self.as_str().to_lastmod()
    }
}

impl ToLastmod for SystemTime {
    fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
        Ok(Some(W3cDateTime::try_from(*self)?))
    }
}

impl ToChangeFreq for ChangeFreq {
    fn to_changefreq(&self) -> Result<Option<ChangeFreq>> {
        Ok(Some(*self))
    }
}

impl ToChangeFreq for str {
    fn to_changefreq(&self) -> Result<Option<ChangeFreq>> {
        Ok(Some(self.parse()?))
    }
}

impl ToChangeFreq for String {
    fn to_changefreq(&self) -> Result<Option<ChangeFreq>> {
        self.as_str().to_changefreq()
    }
}

impl ToPriority for Priority {
    fn to_priority(&self) -> Result<Option<Priority>> {
        Ok(Some(*self))
    }
}

impl ToPriority for f32 {
    fn to_priority(&self) -> Result<Option<Priority>> {
        if !is_priority((*self).into()) {
            return Ok(Some(Priority::new(*self)?));
        }
        f64::from(*self).to_priority()
    }
}

impl ToPriority for f64 {
    fn to_priority(&self) -> Result<Option<Priority>> {
        if !is_priority(*self) {
            return Ok(Some(Priority::try_from(*self)?));
        }
        match near_hundredths(*self) {
            None => Ok(Some(Priority::try_from(as_written(*self))?)),
            found => Ok(found),
        }
    }
}

/// Returns `true` if a number is in the range of priorities, before it is rounded.
fn is_priority(value: f64) -> bool {
    (0.0..=1.0).contains(&value)
}

/// The number that a person would write: the nearest with six digits after the point. The quotient of two whole numbers is the float
/// nearest to that decimal, so it prints as these digits.
fn as_written(value: f64) -> f64 {
    // Adding zero turns a rounded -0 into 0.
    (value * 1e6).round() / 1e6 + 0.0
}

#[cfg(feature = "chrono04")]
mod chrono {
    use super::{Result, ToLastmod, W3cDateTime};

    impl<Tz: chrono::TimeZone> ToLastmod for chrono::DateTime<Tz> {
        fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
            Ok(Some(W3cDateTime::try_from(self.clone())?))
        }
    }

    impl ToLastmod for chrono::NaiveDate {
        fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
            Ok(Some(W3cDateTime::try_from(*self)?))
        }
    }
}

#[cfg(feature = "time03")]
mod time {
    use super::{Result, ToLastmod, W3cDateTime};

    impl ToLastmod for time::OffsetDateTime {
        fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
            Ok(Some(W3cDateTime::try_from(*self)?))
        }
    }

    impl ToLastmod for time::UtcDateTime {
        fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
            Ok(Some(W3cDateTime::try_from(*self)?))
        }
    }

    impl ToLastmod for time::Date {
        fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
            Ok(Some(W3cDateTime::try_from(*self)?))
        }
    }
}

/// The types of one major version of jiff.
#[cfg(any(feature = "jiff02", feature = "jiff1"))]
macro_rules! jiff {
    ($jiff:ident, $Zoned:ident) => {
        impl ToLastmod for $jiff::Timestamp {
            fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
                Ok(Some(W3cDateTime::try_from(*self)?))
            }
        }

        impl ToLastmod for $jiff::$Zoned {
            fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
                Ok(Some(W3cDateTime::try_from(self)?))
            }
        }

        impl ToLastmod for $jiff::civil::Date {
            fn to_lastmod(&self) -> Result<Option<W3cDateTime>> {
                Ok(Some(W3cDateTime::try_from(*self)?))
            }
        }
    };
}
#[cfg(feature = "jiff02")]
jiff!(jiff02, Zoned);
#[cfg(feature = "jiff1")]
jiff!(jiff1, ZonedDateTime);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::decimal;

    /// The short way for most numbers has the same result as the way for all.
    #[test]
    fn hundredths_are_rounded_like_all_numbers() {
        let offsets = [
            -6e-7, -5e-7, -4.1e-7, -3.9e-7, -1e-9, 0.0, 1e-9, 3.9e-7, 4.1e-7, 5e-7, 6e-7, 1e-3,
        ];
        let mut near = 0;
        for n in -10_i16..=300 {
            for offset in offsets {
                // The nearest `f32` too.
                let single = f64::from(f32::from(n) / 100.0) + offset;
                for value in [f64::from(n) / 100.0 + offset, single] {
                    let rounded = Priority::try_from(as_written(value)).ok();
                    if let Some(found) = near_hundredths(value) {
                        near += 1;
                        assert_eq!(Some(found), rounded, "{value}");
                    }
                    let written = rounded.filter(|_| is_priority(value));
                    assert_eq!(value.to_priority().ok().flatten(), written, "{value}");
                }
            }
        }
        assert!(near > 500, "{near}");
        assert!(f64::NAN.to_priority().is_err() && near_hundredths(f64::NAN).is_none());
    }

    /// Values out of range are detected before rounding, for every conversion from a float to a priority.
    #[test]
    fn the_edges_of_the_range() {
        for (value, text) in [
            (0.0, Some("0.0")),
            (-0.0, Some("0.0")),
            (f64::MIN_POSITIVE, Some("0.0")),
            (4e-7, Some("0.0")),
            (6e-7, Some("0.000001")),
            (1.0 - 4e-7, Some("1.0")),
            (1.0 - f64::EPSILON, Some("1.0")),
            (1.0, Some("1.0")),
            (-f64::MIN_POSITIVE, None),
            (-1e-9, None),
            (-4e-7, None),
            (1.0 + f64::EPSILON, None),
            (1.000_000_4, None),
            (1.01, None),
            (f64::INFINITY, None),
            (f64::NEG_INFINITY, None),
            (f64::NAN, None),
        ] {
            let refused = format!(
                "`{value:?}` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out"
            );
            let written = value.to_priority().map(|found| found.unwrap().to_string());
            let expected = text.map(str::to_owned).ok_or(refused);
            assert_eq!(written.map_err(|error| error.to_string()), expected);
            assert_eq!(Some(value).to_priority().is_ok(), text.is_some(), "{value}");
            assert_eq!(Priority::try_from(value).is_ok(), text.is_some(), "{value}");
            assert_eq!(
                decimal::write(&format!("{value:e}")).is_ok(),
                text.is_some(),
                "{value}"
            );
            // The nearest `f32` may be in the range.
            #[expect(clippy::cast_possible_truncation, reason = "that is what is tested")]
            let single = value as f32;
            assert_eq!(
                single.to_priority().map_err(|error| error.to_string()),
                Priority::new(single)
                    .map_err(|error| error.to_string())
                    .and(f64::from(single).to_priority().map_err(|error| error.to_string())),
                "{value}"
            );
        }
        for single in [1.0 + f32::EPSILON, -f32::MIN_POSITIVE, f32::NAN] {
            assert_eq!(
                single.to_priority().unwrap_err().to_string(),
                Priority::new(single).unwrap_err().to_string()
            );
        }
    }
}

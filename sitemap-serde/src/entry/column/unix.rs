//! Times as numbers: seconds and milliseconds since 1970 in UTC.

use std::any::type_name;
use std::fmt::Display;

use serde_core::de::Error as _;
use serde_core::ser::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};
use sitemap_values::{Rule, W3cDateTime};

use crate::entry::from::absent;
use crate::error::{Error, Message, Result};

/// A lastmod as a number of seconds since 1970 in UTC: any [`UnixTime`], such as an `i64` or an `Option<u32>`. For `with` of the derives,
/// and for serde's.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use sitemap_serde::{FromSitemapEntry, SitemapEntry, convert};
///
/// #[derive(SitemapEntry, FromSitemapEntry)]
/// #[sitemap(loc = "/products/{id}")]
/// struct Product {
///     id: u32,
///     #[sitemap(lastmod, with = convert::unix_seconds)]
///     updated_at: i64,
/// }
///
/// #[derive(Serialize, Deserialize)]
/// struct Page {
///     loc: String,
///     #[serde(with = "sitemap_serde::with::unix_seconds", default)]
///     lastmod: Option<i64>,
/// }
///
/// let page = Page { loc: "https://example.com/".to_owned(), lastmod: Some(1_714_979_289) };
/// let xml = sitemap_serde::to_string(&[page])?;
/// assert!(xml.contains("<lastmod>2024-05-06T07:08:09Z</lastmod>"));
/// let pages: Vec<Page> = sitemap_serde::from_str(&xml)?;
/// assert_eq!(pages[0].lastmod, Some(1_714_979_289));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
pub mod unix_seconds {
    use serde_core::{Deserializer, Serializer};
    use sitemap_values::W3cDateTime;

    use super::{Unit, UnixTime};
    use crate::error::Result;

    /// The lastmod for a number of seconds; `None` for `None`.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not in the years 0000 to 9999 (P-LASTMOD).
    ///
    /// ```
    /// use sitemap_serde::convert::unix_seconds;
    ///
    /// assert_eq!(unix_seconds::write(&1_714_979_289_i64)?, Some("2024-05-06T07:08:09Z".parse()?));
    /// assert_eq!(unix_seconds::write(&None::<u32>)?, None);
    /// assert_eq!(
    ///     unix_seconds::write(&1_714_979_289_000_i64).unwrap_err().to_string(),
    ///     "1714979289000 seconds since 1970 are after the year 9999, and no W3C Datetime: years are from 0000 to 9999 (P-LASTMOD); \
    ///      write a time in that range, or use `unix_millis` if these are milliseconds"
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn write<T: UnixTime>(seconds: &T) -> Result<Option<W3cDateTime>> {
        Unit::Seconds.lastmod(seconds)
    }

    /// The seconds of a lastmod, without the fraction.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the lastmod has no time, if the number does not fit `T`, or if there is no lastmod
    /// and `T` is not an `Option`.
    ///
    /// ```
    /// use sitemap_serde::convert::unix_seconds;
    ///
    /// assert_eq!(unix_seconds::read::<i64>(Some("2024-05-06T07:08:09Z".parse()?))?, 1_714_979_289);
    /// assert_eq!(unix_seconds::read::<Option<i64>>(None)?, None);
    /// assert_eq!(
    ///     unix_seconds::read::<u32>(Some("1969-12-31T23:59:59Z".parse()?)).unwrap_err().to_string(),
    ///     "`1969-12-31T23:59:59Z` does not convert to `u32`: it is outside of the range of that type; keep it as a `W3cDateTime`"
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn read<T: UnixTime>(lastmod: Option<W3cDateTime>) -> Result<T> {
        Unit::Seconds.number(lastmod)
    }

    /// Writes a number of seconds as a W3C Datetime, for serde's `with`.
    ///
    /// # Errors
    /// The serializer's error, and the errors of [`write`](write()).
    pub fn serialize<T: UnixTime, S: Serializer>(seconds: &T, serializer: S) -> Result<S::Ok, S::Error> {
        Unit::Seconds.serialize(seconds, serializer)
    }

    /// Reads the seconds of a W3C Datetime, for serde's `with`.
    ///
    /// # Errors
    /// The deserializer's error, and the errors of [`read`](read()).
    pub fn deserialize<'de, T: UnixTime, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        Unit::Seconds.deserialize(deserializer)
    }
}

/// Like [`unix_seconds`], but in milliseconds, as in JavaScript's `Date.now()`.
pub mod unix_millis {
    use serde_core::{Deserializer, Serializer};
    use sitemap_values::W3cDateTime;

    use super::{Unit, UnixTime};
    use crate::error::Result;

    /// The lastmod for a number of milliseconds, with a fraction of up to three digits; `None` for `None`.
    ///
    /// # Errors
    /// See [`unix_seconds::write`](super::unix_seconds::write).
    ///
    /// ```
    /// use sitemap_serde::convert::unix_millis;
    ///
    /// assert_eq!(unix_millis::write(&1_714_979_289_500_i64)?, Some("2024-05-06T07:08:09.5Z".parse()?));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn write<T: UnixTime>(milliseconds: &T) -> Result<Option<W3cDateTime>> {
        Unit::Milliseconds.lastmod(milliseconds)
    }

    /// The milliseconds of a lastmod, without finer fractions.
    ///
    /// # Errors
    /// See [`unix_seconds::read`](super::unix_seconds::read).
    ///
    /// ```
    /// use sitemap_serde::convert::unix_millis;
    ///
    /// assert_eq!(unix_millis::read::<i64>(Some("1969-12-31T23:59:59.9999Z".parse()?))?, -1);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn read<T: UnixTime>(lastmod: Option<W3cDateTime>) -> Result<T> {
        Unit::Milliseconds.number(lastmod)
    }

    /// Writes a number of milliseconds as a W3C Datetime, for serde's `with`.
    ///
    /// # Errors
    /// The serializer's error, and the errors of [`write`](write()).
    pub fn serialize<T: UnixTime, S: Serializer>(milliseconds: &T, serializer: S) -> Result<S::Ok, S::Error> {
        Unit::Milliseconds.serialize(milliseconds, serializer)
    }

    /// Reads the milliseconds of a W3C Datetime, for serde's `with`.
    ///
    /// # Errors
    /// The deserializer's error, and the errors of [`read`](read()).
    pub fn deserialize<'de, T: UnixTime, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        Unit::Milliseconds.deserialize(deserializer)
    }
}

/// A number of seconds or milliseconds since 1970 in UTC: every integer type, and an `Option` of one.
///
/// ```
/// use sitemap_serde::convert::{UnixTime, unix_seconds};
///
/// #[derive(Debug, PartialEq)]
/// struct Timestamp(i64);
///
/// impl UnixTime for Timestamp {
///     fn to_unix(&self) -> Option<i128> {
///         self.0.to_unix()
///     }
///
///     fn from_unix(number: i128) -> Option<Self> {
///         i64::from_unix(number).map(Timestamp)
///     }
/// }
///
/// let lastmod = unix_seconds::write(&Some(Timestamp(1_714_979_289)))?;
/// assert_eq!(lastmod, Some("2024-05-06T07:08:09Z".parse()?));
/// assert_eq!(unix_seconds::read::<Timestamp>(lastmod)?, Timestamp(1_714_979_289));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a Unix time",
    label = "not an integer",
    note = "a Unix time is an integer, such as `i64`, or an `Option` of one; implement `sitemap_serde::convert::UnixTime` for a type of your own"
)]
pub trait UnixTime: Sized {
    /// The number; `None` if there is no time. A number beyond 127 bits is the nearest `i128`.
    fn to_unix(&self) -> Option<i128>;

    /// The value of a number; `None` if the type cannot hold it.
    fn from_unix(number: i128) -> Option<Self>;

    /// The value without a time, of an `Option`.
    #[doc(hidden)]
    fn absent() -> Option<Self> {
        None
    }

    /// The name of the type that holds a number.
    #[doc(hidden)]
    fn name() -> &'static str {
        type_name::<Self>()
    }
}

macro_rules! integers {
    ($($type:ident)*) => {
        $(
            impl UnixTime for $type {
                fn to_unix(&self) -> Option<i128> {
                    // Only a `u128` can be larger. Every number that large is after the year 9999.
                    Some(i128::try_from(*self).unwrap_or(i128::MAX))
                }

                fn from_unix(number: i128) -> Option<Self> {
                    number.try_into().ok()
                }
            }
        )*
    };
}
integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl<T: UnixTime> UnixTime for Option<T> {
    fn to_unix(&self) -> Option<i128> {
        self.as_ref().and_then(UnixTime::to_unix)
    }

    fn from_unix(number: i128) -> Option<Self> {
        T::from_unix(number).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn name() -> &'static str {
        T::name()
    }
}

/// For writing only: no reference can be read.
impl<T: UnixTime> UnixTime for &T {
    fn to_unix(&self) -> Option<i128> {
        (**self).to_unix()
    }

    fn from_unix(_: i128) -> Option<Self> {
        None
    }
}

#[derive(Clone, Copy)]
enum Unit {
    Seconds,
    Milliseconds,
}

impl Unit {
    fn lastmod<T: UnixTime>(self, time: &T) -> Result<Option<W3cDateTime>> {
        time.to_unix().map(|number| of(number, self)).transpose()
    }

    fn number<T: UnixTime>(self, lastmod: Option<W3cDateTime>) -> Result<T> {
        let Some(lastmod) = lastmod else {
            return T::absent().ok_or_else(|| absent("lastmod"));
        };
        let (seconds, nanosecond) = lastmod.to_unix_time()?;
        let number = match self {
            Unit::Seconds => seconds.into(),
            Unit::Milliseconds => i128::from(seconds) * 1_000 + i128::from(nanosecond / 1_000_000),
        };
        T::from_unix(number).ok_or_else(|| unfit_error(&lastmod, T::name()))
    }

    /// Writes an `Option` of a date for an `Option`, and a date for any other type, since formats differ in that.
    fn serialize<T: UnixTime, S: Serializer>(self, time: &T, serializer: S) -> Result<S::Ok, S::Error> {
        match self.lastmod(time).map_err(S::Error::custom)? {
            Some(lastmod) if T::absent().is_none() => lastmod.serialize(serializer),
            lastmod => lastmod.serialize(serializer),
        }
    }

    fn deserialize<'de, T: UnixTime, D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        let lastmod = match T::absent() {
            Some(_) => Option::deserialize(deserializer)?,
            None => Some(W3cDateTime::deserialize(deserializer)?),
        };
        self.number(lastmod).map_err(D::Error::custom)
    }
}

fn of(number: i128, unit: Unit) -> Result<W3cDateTime> {
    let (seconds, nanosecond) = match unit {
        Unit::Seconds => (number, 0),
        Unit::Milliseconds => (number.div_euclid(1_000), number.rem_euclid(1_000) * 1_000_000),
    };
    let value = i64::try_from(seconds).ok().zip(u32::try_from(nanosecond).ok());
    value
        .and_then(|(seconds, nanosecond)| W3cDateTime::of_unix(seconds, nanosecond))
        .ok_or_else(|| out_of_years(number, unit))
}

#[cold]
fn out_of_years(number: i128, unit: Unit) -> Error {
    let (unit, advice) = match unit {
        Unit::Seconds => ("seconds", ", or use `unix_millis` if these are milliseconds"),
        Unit::Milliseconds => ("milliseconds", ""),
    };
    let side = if number < 0 {
        "before the year 0000"
    } else {
        "after the year 9999"
    };
    let message =
        format!("{number} {unit} since 1970 are {side}, and no W3C Datetime: years are from 0000 to 9999");
    Error::data(Message::new(message).advice(format!("write a time in that range{advice}")))
        .breaks(Rule::Lastmod)
}

#[cold]
fn unfit_error(lastmod: &dyn Display, target: &str) -> Error {
    Error::data(
        Message::new(format!(
            "`{lastmod}` does not convert to `{target}`: it is outside of the range of that type"
        ))
        .advice("keep it as a `W3cDateTime`"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_second() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] {
            let value = unix_seconds::write(&seconds).unwrap().unwrap();
            assert_eq!(value.to_string(), text);
            assert_eq!(unix_seconds::read::<i64>(Some(value)).unwrap(), seconds);
            let millis = seconds * 1_000;
            assert_eq!(unix_millis::write(&millis).unwrap(), Some(value));
            assert_eq!(unix_millis::read::<i64>(Some(value)).unwrap(), millis);
        }
        for (seconds, side) in [
            (i64::MIN, "before the year 0000"),
            (-62_167_219_201, "before the year 0000"),
            (253_402_300_800, "after the year 9999"),
            (i64::MAX, "after the year 9999"),
        ] {
            assert_eq!(
                unix_seconds::write(&seconds).unwrap_err().to_string(),
                format!(
                    "{seconds} seconds since 1970 are {side}, and no W3C Datetime: years are from 0000 to 9999 (P-LASTMOD); write a \
                     time in that range, or use `unix_millis` if these are milliseconds"
                )
            );
        }
        assert_eq!(
            unix_millis::write(&u64::MAX).unwrap_err().to_string(),
            "18446744073709551615 milliseconds since 1970 are after the year 9999, and no W3C Datetime: years are from 0000 to 9999 \
             (P-LASTMOD); write a time in that range"
        );
    }

    #[test]
    fn milliseconds_before_1970_have_a_fraction_too() {
        let value = unix_millis::write(&-1).unwrap().unwrap();
        assert_eq!(value.to_string(), "1969-12-31T23:59:59.999Z");
        assert_eq!(unix_millis::read::<i32>(Some(value)).unwrap(), -1);
    }

    #[test]
    fn times_that_cannot_be_converted_back() {
        let date = "2024-05-06".parse().unwrap();
        assert_eq!(
            unix_seconds::read::<i64>(Some(date)).unwrap_err().to_string(),
            "`2024-05-06` does not convert to a Unix time: it has no time and no zone; write both, or call `assume_utc` for the start of \
             it in UTC"
        );
        assert_eq!(
            unix_seconds::read::<i64>(None).unwrap_err().to_string(),
            "no `lastmod`, and the field that it is read into cannot be without one; make the field an `Option`"
        );
        assert_eq!(unix_seconds::read::<Option<u32>>(None).unwrap(), None);
        let late = Some("2106-02-07T06:28:16Z".parse().unwrap());
        assert_eq!(
            unix_seconds::read::<u32>(late).unwrap_err().to_string(),
            "`2106-02-07T06:28:16Z` does not convert to `u32`: it is outside of the range of that type; keep it as a `W3cDateTime`"
        );
        assert_eq!(unix_seconds::read::<Option<i64>>(late).unwrap(), Some(1 << 32));
    }
}

//! Times as numbers: seconds and milliseconds since 1970 in UTC.

use std::fmt::Display;

use sitemap_values::{Rule, W3cDateTime};

use crate::entry::from::absent;
use crate::error::{Error, Message, Result};

/// A lastmod as a number of seconds since 1970 in UTC: an `i64`, `u64`, `i32` or `u32`, or an `Option` of these.
///
/// ```
/// use sitemap_serde::{FromSitemapEntry, SitemapEntry, convert};
///
/// #[derive(SitemapEntry, FromSitemapEntry)]
/// #[sitemap(loc = "/products/{id}")]
/// struct Product {
///     id: u32,
///     #[sitemap(lastmod, with = convert::unix_seconds)]
///     updated_at: i64,
/// }
/// ```
pub mod unix_seconds {
    use sitemap_values::W3cDateTime;

    use super::{Unit, UnixTime, back, of};
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
    pub fn write<T: UnixTime + ?Sized>(seconds: &T) -> Result<Option<W3cDateTime>> {
        let number = seconds.number().map(|number| of(number, Unit::Seconds));
        number.transpose()
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
        back(lastmod, Unit::Seconds)
    }
}

/// Like [`unix_seconds`], but in milliseconds, as in JavaScript's `Date.now()`.
pub mod unix_millis {
    use sitemap_values::W3cDateTime;

    use super::{Unit, UnixTime, back, of};
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
    pub fn write<T: UnixTime + ?Sized>(milliseconds: &T) -> Result<Option<W3cDateTime>> {
        let number = milliseconds.number().map(|number| of(number, Unit::Milliseconds));
        number.transpose()
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
        back(lastmod, Unit::Milliseconds)
    }
}

/// An integer that counts seconds or milliseconds since 1970, with 32 or 64 bits, or an `Option` of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a Unix time",
    label = "not an integer of 32 or 64 bits",
    note = "a Unix time is an `i64`, `u64`, `i32`, `u32`, or an `Option` of one"
)]
pub trait UnixTime {
    fn number(&self) -> Option<i128>;

    fn of_number(number: Option<i128>) -> std::result::Result<Self, Unfit>
    where
        Self: Sized;
}

/// The reason why a number does not fit a type.
#[derive(Debug)]
pub enum Unfit {
    Absent,
    OutOfRange(&'static str),
}

macro_rules! integers {
    ($($type:ident)*) => {
        $(
            impl UnixTime for $type {
                fn number(&self) -> Option<i128> {
                    Some((*self).into())
                }

                fn of_number(number: Option<i128>) -> std::result::Result<Self, Unfit> {
                    let number = number.ok_or(Unfit::Absent)?;
                    number.try_into().map_err(|_| Unfit::OutOfRange(stringify!($type)))
                }
            }
        )*
    };
}
integers!(i64 u64 i32 u32);

impl<T: UnixTime> UnixTime for Option<T> {
    fn number(&self) -> Option<i128> {
        self.as_ref().and_then(UnixTime::number)
    }

    fn of_number(number: Option<i128>) -> std::result::Result<Self, Unfit> {
        number.map(|number| T::of_number(Some(number))).transpose()
    }
}

impl<T: UnixTime + ?Sized> UnixTime for &T {
    fn number(&self) -> Option<i128> {
        (**self).number()
    }

    fn of_number(_: Option<i128>) -> std::result::Result<Self, Unfit> {
        Err(Unfit::OutOfRange("a reference"))
    }
}

#[derive(Clone, Copy)]
enum Unit {
    Seconds,
    Milliseconds,
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

fn back<T: UnixTime>(lastmod: Option<W3cDateTime>, unit: Unit) -> Result<T> {
    let number = lastmod.map(|lastmod| -> Result<i128> {
        let (seconds, nanosecond) = lastmod.to_unix_time()?;
        Ok(match unit {
            Unit::Seconds => seconds.into(),
            Unit::Milliseconds => i128::from(seconds) * 1_000 + i128::from(nanosecond / 1_000_000),
        })
    });
    T::of_number(number.transpose()?).map_err(|unfit| match (unfit, lastmod) {
        (Unfit::OutOfRange(target), Some(lastmod)) => unfit_error(&lastmod, target),
        _ => absent("lastmod"),
    })
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

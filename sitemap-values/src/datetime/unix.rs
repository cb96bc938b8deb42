//! Values as instants: for their order, and for conversions from and to other libraries' types.

use super::parts::{Parts, Zone};
use super::{Precision, W3cDateTime, calendar};
use crate::error::{Message, Result, ValueError};
use crate::rules::Rule;

const SECONDS_OF_DAY: i64 = 86_400;
const NANOSECONDS_OF_SECOND: u32 = 1_000_000_000;

impl W3cDateTime {
    /// Seconds since 1 January 1970 in UTC, plus nanoseconds. Missing parts take their lowest value; a value without a zone is in
    /// UTC.
    pub(super) fn unix(&self) -> (i64, u32) {
        let parts = self.parts();
        let days = i64::from(calendar::days(parts.year, parts.month, parts.day));
        let minutes = i64::from(parts.hour) * 60 + i64::from(parts.minute);
        let offset = i64::from(self.offset_minutes().unwrap_or(0));
        let seconds = days * SECONDS_OF_DAY + (minutes - offset) * 60 + i64::from(parts.second);
        (seconds, self.nanosecond)
    }

    /// The instant as seconds since 1 January 1970 in UTC, plus nanoseconds below 1,000,000,000. A value without a time means its
    /// [beginning in UTC](Self::assume_utc).
    ///
    /// ```
    /// use sitemap_serde::W3cDateTime;
    ///
    /// let unix = |text: &str| text.parse::<W3cDateTime>().map(|value| value.unix_time());
    /// assert_eq!(unix("1970-01-01T01:00:01.5+01:00")?, (1, 500_000_000));
    /// assert_eq!(unix("1969-12-31")?, (-86_400, 0));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn unix_time(&self) -> (i64, u32) {
        self.unix()
    }

    /// Makes a value from an instant (see [`unix`](Self::unix)) and an offset from UTC in seconds.
    ///
    /// The offset 0 is written as `Z`. An offset that cannot be written (it has seconds, or is beyond 23:59) is replaced by
    /// UTC, with the same instant. The fraction has as few digits as possible. Nanoseconds above 999,999,999, as in chrono's
    /// leap seconds, run into the next second.
    #[doc(hidden)]
    pub fn from_unix(seconds: i64, nanosecond: u32, offset: i32) -> Result<Self> {
        let offset = match offset {
            -86_340..=86_340 if offset % 60 == 0 => offset,
            _ => 0,
        };
        let date_and_time = || {
            let local = seconds
                .checked_add(i64::from(nanosecond / NANOSECONDS_OF_SECOND))?
                .checked_add(i64::from(offset))?;
            let date = calendar::date(local.div_euclid(SECONDS_OF_DAY))?;
            let of_day = u32::try_from(local.rem_euclid(SECONDS_OF_DAY)).ok()?;
            let part = |number: u32| u8::try_from(number).ok();
            let time = (part(of_day / 3_600)?, part(of_day / 60 % 60)?, part(of_day % 60)?);
            Some((date, time))
        };
        let Some(((year, month, day), (hour, minute, second))) = date_and_time() else {
            return Err(out_of_years(if seconds < 0 {
                "before the year 0000"
            } else {
                "after the year 9999"
            }));
        };
        let nanosecond = nanosecond % NANOSECONDS_OF_SECOND;
        let fraction_digits = digits(nanosecond);
        let parts = Parts {
            nanosecond,
            year,
            offset: u16::try_from(offset.unsigned_abs() / 60).unwrap_or_default(),
            month,
            day,
            hour,
            minute,
            second,
            fraction_digits,
            precision: if fraction_digits == 0 {
                Precision::Second
            } else {
                Precision::Fraction
            },
            zone: match offset {
                0 => Zone::Z,
                1.. => Zone::Plus,
                _ => Zone::Minus,
            },
        };
        Ok(parts.pack())
    }

    /// Makes a value in UTC from an instant; `None` before the year 0000 and after 9999.
    #[doc(hidden)]
    pub fn of_unix(seconds: i64, nanosecond: u32) -> Option<Self> {
        W3cDateTime::from_unix(seconds, nanosecond, 0).ok()
    }

    /// The instant of a value with a time; otherwise an error.
    #[doc(hidden)]
    pub fn to_unix_time(self) -> Result<(i64, u32)> {
        self.to_unix("a Unix time")
    }

    /// Makes a value of another library's date, local time, and offset from UTC in minutes.
    #[doc(hidden)]
    #[cfg(any(
        feature = "chrono04",
        feature = "time03",
        feature = "jiff02",
        feature = "jiff1"
    ))]
    pub fn from_local(
        (year, month, day): (i32, u8, u8),
        (hour, minute, second, nanosecond): (u8, u8, u8, u32),
        offset: i16,
    ) -> Result<Self> {
        let date = W3cDateTime::from_date(year, month, day)?.parts();
        let days = i64::from(calendar::days(date.year, date.month, date.day));
        let minutes = i64::from(hour) * 60 + i64::from(minute) - i64::from(offset);
        let seconds = days * SECONDS_OF_DAY + minutes * 60 + i64::from(second);
        W3cDateTime::from_unix(seconds, nanosecond, i32::from(offset) * 60)
    }

    /// Makes a date of another library's year, month and day.
    #[cfg(any(
        feature = "chrono04",
        feature = "time03",
        feature = "jiff02",
        feature = "jiff1"
    ))]
    pub(super) fn from_date(year: i32, month: u8, day: u8) -> Result<Self> {
        match u16::try_from(year) {
            Ok(year @ 0..=9999) => W3cDateTime::from_ymd(year, month, day),
            _ => Err(out_of_years(&format!("in the year {year}"))),
        }
    }

    /// Year, month and day; an error that names `target` if the value has no day.
    #[cfg(any(
        feature = "chrono04",
        feature = "time03",
        feature = "jiff02",
        feature = "jiff1"
    ))]
    pub(super) fn to_date(self, target: &str) -> Result<(u16, u8, u8)> {
        match (self.month(), self.day()) {
            (Some(month), Some(day)) => Ok((self.year(), month, day)),
            (month, _) => {
                let missing = if month.is_none() {
                    "month and no day"
                } else {
                    "day"
                };
                Err(ValueError::new(format!(
                    "`{self}` does not convert to {target}: it has no {missing}; \
                     write the whole date, or call `assume_utc` for the first day"
                )))
            }
        }
    }

    /// The [`unix`](Self::unix) instant; an error that names `target` if the value has no time.
    #[doc(hidden)]
    pub fn to_unix(self, target: &str) -> Result<(i64, u32)> {
        if self.has_time() {
            Ok(self.unix())
        } else {
            Err(ValueError::new(format!(
                "`{self}` does not convert to {target}: it has no time and no zone; \
                 write both, or call `assume_utc` for the start of it in UTC"
            )))
        }
    }

    /// The error for a value outside the range of `target`.
    #[doc(hidden)]
    pub fn not_in(self, target: &str) -> ValueError {
        ValueError::new(format!(
            "`{self}` does not convert to {target}: it is outside of the range of that type; \
             keep it as a `W3cDateTime`"
        ))
    }
}

fn out_of_years(found: &str) -> ValueError {
    ValueError::new(
        Message::new(format!(
            "a date {found} is not a W3C Datetime: years are from 0000 to 9999"
        ))
        .advice("write a date in that range, or leave the field out"),
    )
    .breaks(Rule::Lastmod)
}

/// The number of digits that a fraction needs.
fn digits(nanosecond: u32) -> u8 {
    if nanosecond == 0 {
        return 0;
    }
    let mut digits = 9;
    let mut rest = nanosecond;
    while rest.is_multiple_of(10) && digits > 0 {
        rest /= 10;
        digits -= 1;
    }
    digits
}

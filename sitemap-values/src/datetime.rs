//! `W3cDateTime`: a date, or a date and time, that keeps its written form.
//!
//! | file | content |
//! |---|---|
//! | `parts`, `unix`, `calendar` | the value, packed; as an instant; the days of each month |
//! | `parse`, `print` | the six forms |
//! | `explain`, `guess`, `rfc822` | what is wrong with a text, and what it means |
//! | `value`, `handover` | through serde, of others and of this crate |
//! | `chrono`, `jiff`, `time`, `system_time` | other types |

mod calendar;
#[cfg(feature = "chrono04")]
mod chrono;
mod explain;
mod guess;
#[cfg(feature = "serde")]
mod handover;
#[cfg(any(feature = "jiff02", feature = "jiff1"))]
mod jiff;
mod parse;
mod parts;
mod print;
mod rfc822;
mod system_time;
#[cfg(feature = "time03")]
mod time;
mod unix;
#[cfg(feature = "serde")]
mod value;

use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use self::parts::{Parts, Zone};
use crate::error::{Result, ValueError};

/// A date, or a date and a time with its zone, in any of the six forms of a W3C Datetime (rule P-LASTMOD).
///
/// | form | precision | example |
/// |---|---|---|
/// | `YYYY` | [`Year`](Precision::Year) | `2024` |
/// | `YYYY-MM` | [`Month`](Precision::Month) | `2024-05` |
/// | `YYYY-MM-DD` | [`Day`](Precision::Day) | `2024-05-06` |
/// | `YYYY-MM-DDThh:mmTZD` | [`Minute`](Precision::Minute) | `2024-05-06T07:08+09:00` |
/// | `YYYY-MM-DDThh:mm:ssTZD` | [`Second`](Precision::Second) | `2024-05-06T07:08:09Z` |
/// | `YYYY-MM-DDThh:mm:ss.sTZD` | [`Fraction`](Precision::Fraction) | `2024-05-06T07:08:09.250-03:30` |
///
/// Years are from 0000 to 9999, days exist in the (proleptic Gregorian) calendar, a fraction has 1 to 9 digits, and the
/// zone TZD, required with a time, is `Z` or an offset from `-23:59` to `+23:59`. There is no second 60 and no hour 24.
/// `T` and `Z` are upper case.
///
/// A value that was read prints its original text, with the same precision, digits of the fraction, and spelling of the zone (`Z`,
/// `+00:00` or `-00:00`).
///
/// ```
/// use sitemap_serde::{Precision, W3cDateTime};
///
/// let lastmod: W3cDateTime = "2024-05-06T07:08:09.50+09:00".parse()?;
/// assert_eq!(lastmod.to_string(), "2024-05-06T07:08:09.50+09:00");
/// assert_eq!((lastmod.year(), lastmod.month(), lastmod.day()), (2024, Some(5), Some(6)));
/// assert_eq!(lastmod.precision(), Precision::Fraction);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// # Comparing
///
/// Two values are equal if their texts are. Values are sorted by their first instant (in UTC if there is no zone), then by precision,
/// the coarser first, then by text:
///
/// ```
/// # fn main() -> Result<(), sitemap_serde::Error> {
/// # use sitemap_serde::W3cDateTime;
/// let utc: W3cDateTime = "2024-05-06T00:00:00Z".parse()?;
/// let tokyo: W3cDateTime = "2024-05-06T09:00:00+09:00".parse()?;
/// let date: W3cDateTime = "2024-05-06".parse()?;
/// assert_ne!(utc, tokyo);
/// assert!(date < utc && utc < tokyo && tokyo < "2024-05-06T00:00:01Z".parse()?);
/// # Ok(()) }
/// ```
///
/// # Converting
///
/// [`SystemTime`](std::time::SystemTime) converts to a value in UTC. With the features `chrono04`, `time03`, `jiff02` and `jiff1`, the
/// dates of these crates and their times with a zone convert too; a time without a zone is not an instant, and does not
/// convert. Values convert back if they are precise enough; [`assume_utc`](Self::assume_utc) makes any value precise
/// enough.
///
/// ```
/// # fn main() -> Result<(), sitemap_serde::Error> {
/// # use sitemap_serde::W3cDateTime;
/// use std::time::{Duration, SystemTime};
///
/// let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(1_714_979_289);
/// assert_eq!(W3cDateTime::try_from(modified)?.to_string(), "2024-05-06T07:08:09Z");
/// # Ok(()) }
/// ```
///
/// Its serde value is a string.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct W3cDateTime {
    /// Everything but the fraction; see [`parts`].
    packed: NonZeroU64,
    nanosecond: u32,
}

/// The precision of a [`W3cDateTime`], which is also its form.
///
/// Ordered from coarse to fine.
///
/// ```
/// use sitemap_serde::{Precision, W3cDateTime};
///
/// let lastmod: W3cDateTime = "2024-05".parse()?;
/// assert_eq!(lastmod.precision(), Precision::Month);
/// assert!(lastmod.precision() < Precision::Day);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Precision {
    /// `YYYY`
    Year,
    /// `YYYY-MM`
    Month,
    /// `YYYY-MM-DD`
    Day,
    /// `YYYY-MM-DDThh:mmTZD`
    Minute,
    /// `YYYY-MM-DDThh:mm:ssTZD`
    Second,
    /// `YYYY-MM-DDThh:mm:ss.sTZD`, with 1 to 9 digits after the point
    Fraction,
}

impl W3cDateTime {
    /// Placeholder for a field whose value has not been read yet.
    #[doc(hidden)]
    pub const BLANK: Self = W3cDateTime {
        packed: NonZeroU64::MIN,
        nanosecond: 0,
    };

    /// Makes a date, `YYYY-MM-DD`.
    ///
    /// ```
    /// use sitemap_serde::W3cDateTime;
    ///
    /// assert_eq!(W3cDateTime::from_ymd(2024, 5, 6)?.to_string(), "2024-05-06");
    /// assert_eq!(
    ///     W3cDateTime::from_ymd(2023, 2, 29).unwrap_err().to_string(),
    ///     "`2023-02-29` is not a W3C Datetime: February 2023 has 28 days (P-LASTMOD); write a day from 01 to 28",
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`ValueError`] if the year is after 9999, or if the month or day does not exist.
    pub fn from_ymd(year: u16, month: u8, day: u8) -> Result<Self> {
        if year <= 9999 && calendar::exists(year, month, day) {
            let parts = Parts {
                year,
                month,
                day,
                precision: Precision::Day,
                ..Parts::ZERO
            };
            Ok(parts.pack())
        } else {
            Err(W3cDateTime::explain(&format!("{year:04}-{month:02}-{day:02}")))
        }
    }

    /// Reads a W3C Datetime; [`explain`](Self::explain) makes the error for any other text.
    #[doc(hidden)]
    #[inline]
    pub fn parse(text: &str) -> Option<Self> {
        parse::parse(text.as_bytes())
    }

    /// The error for a text that [`parse`](Self::parse) rejects.
    #[doc(hidden)]
    #[cold]
    pub fn explain(text: &str) -> ValueError {
        explain::explain(text)
    }

    /// Reads a date in another form whose meaning is clear: other separators, single digits, a zone in another form, or an RFC 822 date,
    /// as in feeds and `Last-Modified` headers. For a time without a zone, or in an unknown zone, returns the day. `None` if the order of
    /// day and month is ambiguous.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// let repaired = |text| W3cDateTime::repair(text).map(|date| date.to_string());
    /// assert_eq!(repaired("2026/1/5").as_deref(), Some("2026-01-05"));
    /// assert_eq!(repaired("2026-01-05 10:00 +0100").as_deref(), Some("2026-01-05T10:00+01:00"));
    /// assert_eq!(repaired("Mon, 05 Jan 2026 10:00:00 GMT").as_deref(), Some("2026-01-05T10:00:00Z"));
    /// assert_eq!(repaired("05/01/2026"), None);
    /// assert_eq!(repaired("2026-01-05 10:00").as_deref(), Some("2026-01-05"));
    /// ```
    #[doc(hidden)]
    pub fn repair(text: &str) -> Option<Self> {
        explain::repair(text)
    }

    /// Appends the text, which is ASCII.
    #[doc(hidden)]
    #[inline]
    pub fn push_to(&self, out: &mut Vec<u8>) {
        print::append(self, out);
    }

    /// The year, from 0 to 9999.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// assert_eq!("2024-05".parse::<W3cDateTime>()?.year(), 2024);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn year(&self) -> u16 {
        self.parts().year
    }

    /// The month, from 1 to 12.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// assert_eq!("2024-05".parse::<W3cDateTime>()?.month(), Some(5));
    /// assert_eq!("2024".parse::<W3cDateTime>()?.month(), None);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn month(&self) -> Option<u8> {
        (self.precision() >= Precision::Month).then_some(self.parts().month)
    }

    /// The day of the month, from 1 to 31.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// assert_eq!("2024-05-06".parse::<W3cDateTime>()?.day(), Some(6));
    /// assert_eq!("2024-05".parse::<W3cDateTime>()?.day(), None);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn day(&self) -> Option<u8> {
        (self.precision() >= Precision::Day).then_some(self.parts().day)
    }

    /// The hour in the value's own zone, from 0 to 23.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// assert_eq!("2024-05-06T07:08+09:00".parse::<W3cDateTime>()?.hour(), Some(7));
    /// assert_eq!("2024-05-06".parse::<W3cDateTime>()?.hour(), None);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn hour(&self) -> Option<u8> {
        self.has_time().then_some(self.parts().hour)
    }

    /// The minute, from 0 to 59.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// assert_eq!("2024-05-06T07:08Z".parse::<W3cDateTime>()?.minute(), Some(8));
    /// assert_eq!("2024-05-06".parse::<W3cDateTime>()?.minute(), None);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn minute(&self) -> Option<u8> {
        self.has_time().then_some(self.parts().minute)
    }

    /// The second, from 0 to 59.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// assert_eq!("2024-05-06T07:08:09Z".parse::<W3cDateTime>()?.second(), Some(9));
    /// assert_eq!("2024-05-06T07:08Z".parse::<W3cDateTime>()?.second(), None);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn second(&self) -> Option<u8> {
        (self.precision() >= Precision::Second).then_some(self.parts().second)
    }

    /// The fraction of the second in nanoseconds, from 0 to 999,999,999; `None` if no fraction is written.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// assert_eq!("2024-05-06T07:08:09.25Z".parse::<W3cDateTime>()?.nanosecond(), Some(250_000_000));
    /// assert_eq!("2024-05-06T07:08:09Z".parse::<W3cDateTime>()?.nanosecond(), None);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn nanosecond(&self) -> Option<u32> {
        (self.precision() >= Precision::Fraction).then_some(self.nanosecond)
    }

    /// The number of written digits of the second's fraction: 1 to 9, or 0 if there is no fraction.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// assert_eq!("2024-05-06T07:08:09.250Z".parse::<W3cDateTime>()?.fraction_digits(), 3);
    /// assert_eq!("2024-05-06".parse::<W3cDateTime>()?.fraction_digits(), 0);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn fraction_digits(&self) -> u8 {
        self.parts().fraction_digits
    }

    /// The offset from UTC in minutes, positive east of Greenwich, from -1439 to 1439; `None` if there is no time.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// assert_eq!("2024-05-06T07:08-03:30".parse::<W3cDateTime>()?.offset_minutes(), Some(-210));
    /// assert_eq!("2024-05-06T07:08Z".parse::<W3cDateTime>()?.offset_minutes(), Some(0));
    /// assert_eq!("2024-05-06".parse::<W3cDateTime>()?.offset_minutes(), None);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn offset_minutes(&self) -> Option<i16> {
        let Parts { zone, offset, .. } = self.parts();
        match zone {
            Zone::Absent => None,
            Zone::Minus => 0_i16.checked_sub_unsigned(offset),
            Zone::Plus | Zone::Z => 0_i16.checked_add_unsigned(offset),
        }
    }

    /// The form of the value.
    ///
    /// ```
    /// use sitemap_serde::{Precision, W3cDateTime};
    ///
    /// assert_eq!("2024-05-06T07:08Z".parse::<W3cDateTime>()?.precision(), Precision::Minute);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn precision(&self) -> Precision {
        self.parts().precision
    }

    /// Returns `true` if the protocol's XML schema (`xsd:date` or `xsd:dateTime`) allows the value too (rule P-LASTMODX).
    ///
    /// The protocol's text allows six forms, its schema only three: `YYYY`, `YYYY-MM` and times without seconds are invalid
    /// there, as are the year 0000 and an offset beyond 14:00.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// assert!("2024-05-06".parse::<W3cDateTime>()?.is_xsd());
    /// assert!("2024-05-06T07:08:09Z".parse::<W3cDateTime>()?.is_xsd());
    /// assert!(!"2024-05".parse::<W3cDateTime>()?.is_xsd());
    /// assert!(!"2024-05-06T07:08Z".parse::<W3cDateTime>()?.is_xsd());
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn is_xsd(&self) -> bool {
        let Parts {
            precision,
            year,
            offset,
            ..
        } = self.parts();
        let form = match precision {
            Precision::Day | Precision::Second | Precision::Fraction => true,
            Precision::Year | Precision::Month | Precision::Minute => false,
        };
        form && year > 0 && offset <= 14 * 60
    }

    /// The value truncated to `precision`; a value that is not finer is returned unchanged.
    ///
    /// Nothing is rounded. If only a date remains, it is the date in the value's own zone.
    ///
    /// ```
    /// use sitemap_serde::{Precision, W3cDateTime};
    ///
    /// let lastmod: W3cDateTime = "2024-05-06T07:08:09.123456+09:00".parse()?;
    /// assert_eq!(lastmod.truncated_to(Precision::Second).to_string(), "2024-05-06T07:08:09+09:00");
    /// assert_eq!(lastmod.truncated_to(Precision::Day).to_string(), "2024-05-06");
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    #[must_use]
    pub fn truncated_to(self, precision: Precision) -> Self {
        let parts = self.parts();
        if precision >= parts.precision {
            return self;
        }
        let mut kept = Parts {
            year: parts.year,
            precision,
            ..Parts::ZERO
        };
        if precision >= Precision::Month {
            kept.month = parts.month;
        }
        if precision >= Precision::Day {
            kept.day = parts.day;
        }
        if precision >= Precision::Minute {
            kept.hour = parts.hour;
            kept.minute = parts.minute;
            kept.zone = parts.zone;
            kept.offset = parts.offset;
        }
        if precision >= Precision::Second {
            kept.second = parts.second;
        }
        kept.pack()
    }

    /// Returns the first instant of a year, month or day in UTC. A value with a time has a zone, and is returned unchanged.
    ///
    /// Values are ordered by this instant.
    ///
    /// ```
    /// # use sitemap_serde::W3cDateTime;
    /// use std::time::{Duration, SystemTime};
    ///
    /// let lastmod: W3cDateTime = "2024-05".parse()?;
    /// assert_eq!(lastmod.assume_utc().to_string(), "2024-05-01T00:00:00Z");
    /// assert_eq!(
    ///     SystemTime::try_from(lastmod.assume_utc())?,
    ///     SystemTime::UNIX_EPOCH + Duration::from_secs(1_714_521_600),
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    #[must_use]
    pub fn assume_utc(self) -> Self {
        if self.has_time() {
            return self;
        }
        let start = Parts {
            precision: Precision::Second,
            zone: Zone::Z,
            ..self.parts()
        };
        start.pack()
    }

    fn has_time(&self) -> bool {
        self.precision() >= Precision::Minute
    }
}

impl PartialOrd for W3cDateTime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for W3cDateTime {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        if (self.packed.get() ^ other.packed.get()) & parts::FORM == 0 {
            // In one form, as a document's lastmods mostly are, the words are in the order of the instants.
            return (self.packed, self.nanosecond).cmp(&(other.packed, other.nanosecond));
        }
        self.cmp_forms(other)
    }
}

impl W3cDateTime {
    /// Compares values of different forms.
    fn cmp_forms(&self, other: &Self) -> Ordering {
        let form = |parts: &Parts| (parts.precision, parts.fraction_digits);
        // Texts of the same form have parts of equal lengths, so comparing the parts compares the texts.
        let text = |parts: &Parts| {
            let date = (parts.year, parts.month, parts.day);
            let time = (parts.hour, parts.minute, parts.second, parts.nanosecond);
            (date, time, parts.zone, parts.offset)
        };
        let (a, b) = (self.parts(), other.parts());
        // In months of 31 days. Two months are more than what offsets and such months can make of a difference.
        let day =
            |parts: &Parts| 31 * (12 * i32::from(parts.year) + i32::from(parts.month)) + i32::from(parts.day);
        let (day_a, day_b) = (day(&a), day(&b));
        if day_a.abs_diff(day_b) > 62 {
            return day_a.cmp(&day_b);
        }
        self.unix()
            .cmp(&other.unix())
            .then_with(|| form(&a).cmp(&form(&b)).then_with(|| text(&a).cmp(&text(&b))))
    }
}

/// # Errors
///
/// A [`ValueError`] if the text is not a W3C Datetime; the message names the mistake. White space around the text is an error too.
///
/// ```
/// use sitemap_serde::W3cDateTime;
///
/// let error = "2024-05-06 07:08:09+0900".parse::<W3cDateTime>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`2024-05-06 07:08:09+0900` is not a W3C Datetime: a `T` stands between the date and the time (P-LASTMOD); \
///      write `2024-05-06T07:08:09+09:00`",
/// );
/// assert_eq!(error.rule(), Some(sitemap_serde::Rule::Lastmod));
/// ```
impl FromStr for W3cDateTime {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self> {
        W3cDateTime::parse(text).ok_or_else(|| W3cDateTime::explain(text))
    }
}

/// See [`from_str`](Self::from_str).
impl TryFrom<&str> for W3cDateTime {
    type Error = ValueError;

    fn try_from(text: &str) -> Result<Self> {
        text.parse()
    }
}

impl fmt::Display for W3cDateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(print::StackText::of(self).as_str())
    }
}

impl fmt::Debug for W3cDateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "W3cDateTime({self})")
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests;

//! chrono's `DateTime` and `NaiveDate`.

use ::chrono::{DateTime, Datelike, FixedOffset, NaiveDate, Offset, TimeZone, Utc};

use super::W3cDateTime;
use crate::error::{Result, ValueError};

/// Keeps the value's offset, written as `Z` if it is 0. The precision is the second, or a fraction with all digits that
/// the value needs.
///
/// An offset with seconds cannot be written, so the same instant is written in UTC. A leap second is written as the
/// second after it. A `NaiveDateTime` has no zone and does not convert:
///
/// ```compile_fail,E0277
/// # use sitemap_serde::W3cDateTime;
/// let naive: chrono::NaiveDateTime = "2024-05-06T07:08:09".parse().unwrap();
/// W3cDateTime::try_from(naive);
/// ```
///
/// ```
/// use chrono::{FixedOffset, TimeZone, Utc};
/// use sitemap_serde::W3cDateTime;
///
/// let modified = Utc.with_ymd_and_hms(2024, 5, 6, 7, 8, 9).unwrap();
/// assert_eq!(W3cDateTime::try_from(modified)?.to_string(), "2024-05-06T07:08:09Z");
/// let tokyo = modified.with_timezone(&FixedOffset::east_opt(9 * 3600).unwrap());
/// assert_eq!(W3cDateTime::try_from(tokyo)?.to_string(), "2024-05-06T16:08:09+09:00");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// # Errors
///
/// A [`ValueError`] before the year 0000 and after the year 9999.
impl<Tz: TimeZone> TryFrom<DateTime<Tz>> for W3cDateTime {
    type Error = ValueError;

    fn try_from(time: DateTime<Tz>) -> Result<Self> {
        let offset = time.offset().fix().local_minus_utc();
        W3cDateTime::from_unix(time.timestamp(), time.timestamp_subsec_nanos(), offset)
    }
}

/// ```
/// use chrono::NaiveDate;
/// use sitemap_serde::W3cDateTime;
///
/// let date = NaiveDate::from_ymd_opt(2024, 5, 6).unwrap();
/// assert_eq!(W3cDateTime::try_from(date)?.to_string(), "2024-05-06");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// # Errors
///
/// A [`ValueError`] before the year 0000 and after the year 9999.
impl TryFrom<NaiveDate> for W3cDateTime {
    type Error = ValueError;

    fn try_from(date: NaiveDate) -> Result<Self> {
        let [month, day] = [date.month(), date.day()].map(|n| u8::try_from(n).unwrap_or_default());
        W3cDateTime::from_date(date.year(), month, day)
    }
}

/// Keeps the written offset.
///
/// # Errors
///
/// A [`ValueError`] if the value has no time ([`W3cDateTime::assume_utc`] gives it one).
impl TryFrom<W3cDateTime> for DateTime<FixedOffset> {
    type Error = ValueError;

    fn try_from(value: W3cDateTime) -> Result<Self> {
        let utc = utc(value, "`chrono::DateTime<FixedOffset>`")?;
        let offset = i32::from(value.offset_minutes().unwrap_or_default()) * 60;
        // Offsets are less than a day, which chrono accepts, so the default is never taken.
        let offset = FixedOffset::east_opt(offset).unwrap_or_else(|| Utc.fix());
        Ok(utc.with_timezone(&offset))
    }
}

/// # Errors
///
/// A [`ValueError`] if the value has no time ([`W3cDateTime::assume_utc`] gives it one).
///
/// ```
/// use chrono::{DateTime, TimeZone, Utc};
/// use sitemap_serde::W3cDateTime;
///
/// let lastmod: W3cDateTime = "2024-05-06T16:08:09+09:00".parse()?;
/// let modified = Utc.with_ymd_and_hms(2024, 5, 6, 7, 8, 9).unwrap();
/// assert_eq!(DateTime::<Utc>::try_from(lastmod)?, modified);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
impl TryFrom<W3cDateTime> for DateTime<Utc> {
    type Error = ValueError;

    fn try_from(value: W3cDateTime) -> Result<Self> {
        utc(value, "`chrono::DateTime<Utc>`")
    }
}

/// Takes the written date; a time is dropped.
///
/// # Errors
///
/// A [`ValueError`] if the value has no day.
impl TryFrom<W3cDateTime> for NaiveDate {
    type Error = ValueError;

    fn try_from(value: W3cDateTime) -> Result<Self> {
        let target = "`chrono::NaiveDate`";
        let (year, month, day) = value.to_date(target)?;
        NaiveDate::from_ymd_opt(year.into(), month.into(), day.into()).ok_or_else(|| value.not_in(target))
    }
}

fn utc(value: W3cDateTime, target: &str) -> Result<DateTime<Utc>> {
    let (seconds, nanosecond) = value.to_unix(target)?;
    DateTime::from_timestamp(seconds, nanosecond).ok_or_else(|| value.not_in(target))
}

#[cfg(test)]
mod tests {
    use ::chrono::NaiveDateTime;

    use super::*;
    use crate::rules::Rule;

    fn w3c(text: &str) -> W3cDateTime {
        text.parse().unwrap()
    }

    fn fixed(text: &str) -> DateTime<FixedOffset> {
        DateTime::parse_from_rfc3339(text).unwrap()
    }

    #[test]
    fn date_times_there_and_back() {
        for text in [
            "2024-05-06T07:08:09Z",
            "2024-05-06T07:08:09.5Z",
            "2024-05-06T07:08:09.000000001+09:00",
            "1969-12-31T23:59:59.999-03:30",
            "0000-01-01T00:00:00Z",
            "0000-01-01T00:00:00+23:59",
            "9999-12-31T23:59:59.999999999-23:59",
        ] {
            let time = DateTime::<FixedOffset>::try_from(w3c(text)).unwrap();
            assert_eq!(time, fixed(text), "{text}");
            assert_eq!(time.offset(), fixed(text).offset(), "{text}");
            assert_eq!(W3cDateTime::try_from(time).unwrap(), w3c(text));
            assert_eq!(
                DateTime::<Utc>::try_from(w3c(text)).unwrap(),
                fixed(text).to_utc()
            );
        }
        assert_eq!(
            DateTime::<FixedOffset>::try_from(w3c("2024-05-06T07:08+09:00")).unwrap(),
            fixed("2024-05-06T07:08:00+09:00")
        );
    }

    #[test]
    fn the_offset_zero_is_z() {
        let time = fixed("2024-05-06T07:08:09+00:00");
        assert_eq!(
            W3cDateTime::try_from(time).unwrap().to_string(),
            "2024-05-06T07:08:09Z"
        );
    }

    #[test]
    fn an_offset_with_seconds_becomes_utc() {
        let offset = FixedOffset::east_opt(9 * 3600 + 18 * 60 + 59).unwrap();
        let time = fixed("1887-12-31T15:00:00Z").with_timezone(&offset);
        assert_eq!(
            W3cDateTime::try_from(time).unwrap().to_string(),
            "1887-12-31T15:00:00Z"
        );
    }

    #[test]
    fn a_leap_second_counts_into_the_next() {
        let leap = fixed("2016-12-31T23:59:60.5Z");
        assert_eq!(
            W3cDateTime::try_from(leap).unwrap().to_string(),
            "2017-01-01T00:00:00.5Z"
        );
    }

    #[test]
    fn years_beyond_four_digits_do_not_convert() {
        let message = "is not a W3C Datetime: years are from 0000 to 9999 (P-LASTMOD); \
                       write a date in that range, or leave the field out";
        let before = DateTime::<Utc>::from_timestamp(-62_167_219_201, 0).unwrap();
        let error = W3cDateTime::try_from(before).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("a date before the year 0000 {message}")
        );
        assert_eq!(error.rule(), Some(Rule::Lastmod));
        for after in [
            DateTime::from_timestamp(253_402_300_800, 0).unwrap(),
            DateTime::<Utc>::MAX_UTC,
        ] {
            let error = W3cDateTime::try_from(after).unwrap_err();
            assert_eq!(error.to_string(), format!("a date after the year 9999 {message}"));
        }
        assert!(W3cDateTime::try_from(DateTime::<Utc>::MIN_UTC).is_err());
        let naive = NaiveDate::from_ymd_opt(12024, 1, 1).unwrap();
        let error = W3cDateTime::try_from(naive).unwrap_err();
        assert_eq!(error.to_string(), format!("a date in the year 12024 {message}"));
        let naive = NaiveDate::from_ymd_opt(-1, 1, 1).unwrap();
        let error = W3cDateTime::try_from(naive).unwrap_err();
        assert_eq!(error.to_string(), format!("a date in the year -1 {message}"));
    }

    #[test]
    fn dates_there_and_back() {
        for text in ["0000-01-01", "2024-02-29", "9999-12-31"] {
            let date = NaiveDate::try_from(w3c(text)).unwrap();
            assert_eq!(date, text.parse().unwrap());
            assert_eq!(W3cDateTime::try_from(date).unwrap(), w3c(text));
        }
        assert_eq!(
            NaiveDate::try_from(w3c("2024-05-06T00:30+09:00")).unwrap(),
            NaiveDateTime::default().date() + ::chrono::Days::new(19_849)
        );
    }

    #[test]
    fn too_little_precision_does_not_convert() {
        assert_eq!(
            NaiveDate::try_from(w3c("2024-05")).unwrap_err().to_string(),
            "`2024-05` does not convert to `chrono::NaiveDate`: it has no day; \
             write the whole date, or call `assume_utc` for the first day"
        );
        assert_eq!(
            NaiveDate::try_from(w3c("2024")).unwrap_err().to_string(),
            "`2024` does not convert to `chrono::NaiveDate`: it has no month and no day; \
             write the whole date, or call `assume_utc` for the first day"
        );
        assert_eq!(
            DateTime::<Utc>::try_from(w3c("2024-05-06"))
                .unwrap_err()
                .to_string(),
            "`2024-05-06` does not convert to `chrono::DateTime<Utc>`: it has no time and no zone; \
             write both, or call `assume_utc` for the start of it in UTC"
        );
        assert_eq!(
            DateTime::<FixedOffset>::try_from(w3c("2024"))
                .unwrap_err()
                .to_string(),
            "`2024` does not convert to `chrono::DateTime<FixedOffset>`: it has no time and no zone; \
             write both, or call `assume_utc` for the start of it in UTC"
        );
    }
}

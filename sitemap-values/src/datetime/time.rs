//! time's `OffsetDateTime`, `UtcDateTime` and `Date`.

use ::time::{Date, Month, OffsetDateTime, Time, UtcDateTime, UtcOffset};

use super::W3cDateTime;
use crate::error::{Result, ValueError};

/// Keeps the value's offset, written as `Z` if it is 0. The precision is the second, or a fraction with all digits that
/// the value needs.
///
/// An offset with seconds cannot be written, so the same instant is written in UTC. A `PrimitiveDateTime` has no zone
/// and does not convert:
///
/// ```compile_fail,E0277
/// # use sitemap_serde::W3cDateTime;
/// let date = time::Date::from_calendar_date(2024, time::Month::May, 6).unwrap();
/// W3cDateTime::try_from(time::PrimitiveDateTime::new(date, time::Time::MIDNIGHT));
/// ```
///
/// ```
/// use sitemap_serde::W3cDateTime;
/// use time::{OffsetDateTime, UtcOffset};
///
/// let modified = OffsetDateTime::from_unix_timestamp(1_714_979_289).unwrap();
/// assert_eq!(W3cDateTime::try_from(modified)?.to_string(), "2024-05-06T07:08:09Z");
/// let tokyo = modified.to_offset(UtcOffset::from_hms(9, 0, 0).unwrap());
/// assert_eq!(W3cDateTime::try_from(tokyo)?.to_string(), "2024-05-06T16:08:09+09:00");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// For a field of type `OffsetDateTime` in a serde struct, see
/// `sitemap_serde::with::offset_date_time`.
///
/// # Errors
///
/// A [`ValueError`] before the year 0000 and after the year 9999.
impl TryFrom<OffsetDateTime> for W3cDateTime {
    type Error = ValueError;

    fn try_from(time: OffsetDateTime) -> Result<Self> {
        W3cDateTime::from_unix(
            time.unix_timestamp(),
            time.nanosecond(),
            time.offset().whole_seconds(),
        )
    }
}

/// Writes the zone as `Z`. The precision is the second, or a fraction with all digits that the value needs.
///
/// # Errors
///
/// A [`ValueError`] before the year 0000 and after the year 9999.
impl TryFrom<UtcDateTime> for W3cDateTime {
    type Error = ValueError;

    fn try_from(time: UtcDateTime) -> Result<Self> {
        W3cDateTime::from_unix(time.unix_timestamp(), time.nanosecond(), 0)
    }
}

/// ```
/// use sitemap_serde::W3cDateTime;
/// use time::{Date, Month};
///
/// let date = Date::from_calendar_date(2024, Month::May, 6).unwrap();
/// assert_eq!(W3cDateTime::try_from(date)?.to_string(), "2024-05-06");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// # Errors
///
/// A [`ValueError`] before the year 0000 and after the year 9999.
impl TryFrom<Date> for W3cDateTime {
    type Error = ValueError;

    fn try_from(date: Date) -> Result<Self> {
        W3cDateTime::from_date(date.year(), date.month().into(), date.day())
    }
}

/// Keeps the written offset.
///
/// # Errors
///
/// A [`ValueError`] if the value has no time ([`W3cDateTime::assume_utc`] gives it one).
///
/// ```
/// use sitemap_serde::W3cDateTime;
/// use time::OffsetDateTime;
///
/// let lastmod: W3cDateTime = "2024-05-06T16:08:09+09:00".parse()?;
/// let modified = OffsetDateTime::try_from(lastmod)?;
/// assert_eq!(modified.unix_timestamp(), 1_714_979_289);
/// assert_eq!(modified.offset().whole_hours(), 9);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
impl TryFrom<W3cDateTime> for OffsetDateTime {
    type Error = ValueError;

    fn try_from(value: W3cDateTime) -> Result<Self> {
        let target = "`time::OffsetDateTime`";
        value.to_unix(target)?;
        let assemble = || {
            let parts = value.parts();
            let date = date(parts.year, parts.month, parts.day)?;
            let time = Time::from_hms_nano(parts.hour, parts.minute, parts.second, parts.nanosecond).ok()?;
            let offset = i32::from(value.offset_minutes()?) * 60;
            let offset = UtcOffset::from_whole_seconds(offset).ok()?;
            Some(OffsetDateTime::new_in_offset(date, time, offset))
        };
        assemble().ok_or_else(|| value.not_in(target))
    }
}

/// # Errors
///
/// A [`ValueError`] if the value has no time ([`W3cDateTime::assume_utc`] gives it one), or if its
/// year in UTC is not from 0 to 9999.
impl TryFrom<W3cDateTime> for UtcDateTime {
    type Error = ValueError;

    fn try_from(value: W3cDateTime) -> Result<Self> {
        let target = "`time::UtcDateTime`";
        let (seconds, nanosecond) = value.to_unix(target)?;
        UtcDateTime::from_unix_timestamp(seconds)
            .and_then(|time| time.replace_nanosecond(nanosecond))
            .map_err(|_| value.not_in(target))
    }
}

/// Takes the written date; a time is dropped.
///
/// # Errors
///
/// A [`ValueError`] if the value has no day.
impl TryFrom<W3cDateTime> for Date {
    type Error = ValueError;

    fn try_from(value: W3cDateTime) -> Result<Self> {
        let target = "`time::Date`";
        let (year, month, day) = value.to_date(target)?;
        date(year, month, day).ok_or_else(|| value.not_in(target))
    }
}

fn date(year: u16, month: u8, day: u8) -> Option<Date> {
    Date::from_calendar_date(year.into(), Month::try_from(month).ok()?, day).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn w3c(text: &str) -> W3cDateTime {
        text.parse().unwrap()
    }

    #[test]
    fn date_times_there_and_back() {
        for (text, seconds, nanosecond, offset) in [
            ("2024-05-06T07:08:09Z", 1_714_979_289, 0, 0),
            ("2024-05-06T16:08:09.000000001+09:00", 1_714_979_289, 1, 32_400),
            ("1969-12-31T20:29:59.999-03:30", -1, 999_000_000, -12_600),
            ("0000-01-01T00:00:00+23:59", -62_167_305_540, 0, 86_340),
            ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999, 0),
            ("9999-12-31T23:59:59-23:59", 253_402_387_139, 0, -86_340),
        ] {
            let time = OffsetDateTime::try_from(w3c(text)).unwrap();
            assert_eq!(time.unix_timestamp(), seconds, "{text}");
            assert_eq!(time.nanosecond(), nanosecond, "{text}");
            assert_eq!(time.offset().whole_seconds(), offset, "{text}");
            assert_eq!(W3cDateTime::try_from(time).unwrap(), w3c(text));
        }
        let utc = UtcDateTime::try_from(w3c("2024-05-06T16:08:09.25+09:00")).unwrap();
        assert_eq!(
            W3cDateTime::try_from(utc).unwrap(),
            w3c("2024-05-06T07:08:09.25Z")
        );
        let utc = UtcDateTime::try_from(w3c("1969-12-31T23:59:59.25Z")).unwrap();
        assert_eq!(
            W3cDateTime::try_from(utc).unwrap(),
            w3c("1969-12-31T23:59:59.25Z")
        );
    }

    #[test]
    fn an_offset_with_seconds_or_beyond_a_day_becomes_utc() {
        let utc = OffsetDateTime::from_unix_timestamp(1_714_979_289).unwrap();
        for offset in [(9, 18, 59), (0, 0, -1), (24, 0, 0), (-25, -59, -59)] {
            let time = utc.to_offset(UtcOffset::from_hms(offset.0, offset.1, offset.2).unwrap());
            assert_eq!(
                W3cDateTime::try_from(time).unwrap().to_string(),
                "2024-05-06T07:08:09Z"
            );
        }
    }

    #[test]
    fn years_beyond_four_digits_do_not_convert() {
        let message = "is not a W3C Datetime: years are from 0000 to 9999 (P-LASTMOD); \
                       write a date in that range, or leave the field out";
        let before = OffsetDateTime::from_unix_timestamp(-62_167_219_201).unwrap();
        let error = W3cDateTime::try_from(before).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("a date before the year 0000 {message}")
        );
        let date = Date::from_calendar_date(-1, Month::May, 6).unwrap();
        let error = W3cDateTime::try_from(date).unwrap_err();
        assert_eq!(error.to_string(), format!("a date in the year -1 {message}"));
    }

    #[test]
    fn dates_there_and_back() {
        for text in ["0000-01-01", "2024-02-29", "9999-12-31"] {
            let date = Date::try_from(w3c(text)).unwrap();
            assert_eq!(date.to_string(), text);
            assert_eq!(W3cDateTime::try_from(date).unwrap(), w3c(text));
        }
    }

    #[test]
    fn dates_out_of_range_do_not_convert() {
        assert_eq!(
            OffsetDateTime::try_from(w3c("2024-05-06"))
                .unwrap_err()
                .to_string(),
            "`2024-05-06` does not convert to `time::OffsetDateTime`: it has no time and no zone; \
             write both, or call `assume_utc` for the start of it in UTC"
        );
        assert_eq!(
            Date::try_from(w3c("2024-05")).unwrap_err().to_string(),
            "`2024-05` does not convert to `time::Date`: it has no day; \
             write the whole date, or call `assume_utc` for the first day"
        );
        assert_eq!(
            UtcDateTime::try_from(w3c("2024-05-06")).unwrap_err().to_string(),
            "`2024-05-06` does not convert to `time::UtcDateTime`: it has no time and no zone; \
             write both, or call `assume_utc` for the start of it in UTC"
        );
        // time's range is larger if another crate enables its feature `large-dates`.
        if let Err(error) = UtcDateTime::try_from(w3c("9999-12-31T23:59-00:01")) {
            assert_eq!(
                error.to_string(),
                "`9999-12-31T23:59-00:01` does not convert to `time::UtcDateTime`: it is outside of the range of \
                 that type; keep it as a `W3cDateTime`"
            );
        }
    }
}

//! The `Timestamp`, `ZonedDateTime` and `civil::Date` of jiff 1, and the same types of jiff 0.2, whose `ZonedDateTime` is
//! `Zoned`.

macro_rules! conversions {
    ($jiff:ident, $Zoned:ident, $to_zoned:ident) => {
        use ::$jiff::civil::Date;
        use ::$jiff::tz::{Offset, TimeZone};
        use ::$jiff::{Timestamp, $Zoned};

        use crate::datetime::W3cDateTime;
        use crate::error::{Result, ValueError};

        /// Writes the zone as `Z`. The precision is the second, or a fraction with all digits that the value needs.
        ///
        /// ```
        /// # use jiff1 as jiff;
        /// use jiff::Timestamp;
        /// use sitemap_serde::W3cDateTime;
        ///
        /// let modified = Timestamp::from_second(1_714_979_289).unwrap();
        /// assert_eq!(W3cDateTime::try_from(modified)?.to_string(), "2024-05-06T07:08:09Z");
        /// # Ok::<(), sitemap_serde::Error>(())
        /// ```
        ///
        /// A `civil::DateTime` has no zone and does not convert:
        ///
        /// ```compile_fail,E0277
        /// # use jiff1 as jiff;
        /// # use sitemap_serde::W3cDateTime;
        /// W3cDateTime::try_from(jiff::civil::date(2024, 5, 6).at(7, 8, 9, 0));
        /// ```
        ///
        /// # Errors
        ///
        /// A [`ValueError`] before the year 0000.
        impl TryFrom<Timestamp> for W3cDateTime {
            type Error = ValueError;

            fn try_from(time: Timestamp) -> Result<Self> {
                from_timestamp(time, 0)
            }
        }

        /// Keeps the value's offset, written as `Z` if it is 0. The precision is the second, or a fraction with all digits that
        /// the value needs.
        ///
        /// The name of the time zone is not written. An offset with seconds cannot be written, so the same instant is written
        /// in UTC.
        ///
        /// ```
        /// # use jiff1 as jiff;
        /// use jiff::tz::{TimeZone, offset};
        /// use sitemap_serde::W3cDateTime;
        ///
        /// let tokyo = TimeZone::fixed(offset(9));
        /// let modified = jiff::civil::date(2024, 5, 6).at(16, 8, 9, 0).to_zoned_datetime(tokyo).unwrap();
        /// assert_eq!(W3cDateTime::try_from(modified)?.to_string(), "2024-05-06T16:08:09+09:00");
        /// # Ok::<(), sitemap_serde::Error>(())
        /// ```
        ///
        /// # Errors
        ///
        /// A [`ValueError`] before the year 0000.
        impl TryFrom<&$Zoned> for W3cDateTime {
            type Error = ValueError;

            fn try_from(time: &$Zoned) -> Result<Self> {
                from_timestamp(time.timestamp(), time.offset().seconds())
            }
        }

        /// Converts like a reference.
        impl TryFrom<$Zoned> for W3cDateTime {
            type Error = ValueError;

            fn try_from(time: $Zoned) -> Result<Self> {
                W3cDateTime::try_from(&time)
            }
        }

        /// ```
        /// # use jiff1 as jiff;
        /// use sitemap_serde::W3cDateTime;
        ///
        /// let date = jiff::civil::date(2024, 5, 6);
        /// assert_eq!(W3cDateTime::try_from(date)?.to_string(), "2024-05-06");
        /// # Ok::<(), sitemap_serde::Error>(())
        /// ```
        ///
        /// # Errors
        ///
        /// A [`ValueError`] before the year 0000.
        impl TryFrom<Date> for W3cDateTime {
            type Error = ValueError;

            fn try_from(date: Date) -> Result<Self> {
                let [month, day] = [date.month(), date.day()].map(|n| u8::try_from(n).unwrap_or_default());
                W3cDateTime::from_date(date.year().into(), month, day)
            }
        }

        /// # Errors
        ///
        /// A [`ValueError`] if the value has no time ([`W3cDateTime::assume_utc`] gives it one), or is
        /// later than jiff's last instant, 9999-12-30T22:00:00.999999999Z.
        ///
        /// ```
        /// # use jiff1 as jiff;
        /// use jiff::Timestamp;
        /// use sitemap_serde::W3cDateTime;
        ///
        /// let lastmod: W3cDateTime = "2024-05-06T16:08:09+09:00".parse()?;
        /// assert_eq!(Timestamp::try_from(lastmod)?.as_second(), 1_714_979_289);
        /// # Ok::<(), sitemap_serde::Error>(())
        /// ```
        impl TryFrom<W3cDateTime> for Timestamp {
            type Error = ValueError;

            fn try_from(value: W3cDateTime) -> Result<Self> {
                timestamp(value, "`jiff::Timestamp`")
            }
        }

        /// Gives a time zone with the written offset, fixed; UTC if the offset is 0.
        ///
        /// # Errors
        ///
        /// A [`ValueError`] if the value has no time ([`W3cDateTime::assume_utc`] gives it one), or is
        /// later than jiff's last instant, 9999-12-30T22:00:00.999999999Z.
        impl TryFrom<W3cDateTime> for $Zoned {
            type Error = ValueError;

            fn try_from(value: W3cDateTime) -> Result<Self> {
                let target = concat!("`jiff::", stringify!($Zoned), "`");
                let offset = i32::from(value.offset_minutes().unwrap_or_default()) * 60;
                let offset = Offset::from_seconds(offset).map_err(|_| value.not_in(target))?;
                Ok(timestamp(value, target)?.$to_zoned(TimeZone::fixed(offset)))
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
                let target = "`jiff::civil::Date`";
                let (year, month, day) = value.to_date(target)?;
                let parts = || {
                    Some((
                        i16::try_from(year).ok()?,
                        i8::try_from(month).ok()?,
                        i8::try_from(day).ok()?,
                    ))
                };
                parts()
                    .and_then(|(year, month, day)| Date::new(year, month, day).ok())
                    .ok_or_else(|| value.not_in(target))
            }
        }

        fn from_timestamp(time: Timestamp, offset: i32) -> Result<W3cDateTime> {
            // Nanoseconds have the sign of the whole value; negative ones are counted from the previous second.
            let (seconds, nanoseconds) = (time.as_second(), time.subsec_nanosecond());
            match u32::try_from(nanoseconds) {
                Ok(nanosecond) => W3cDateTime::from_unix(seconds, nanosecond, offset),
                Err(_) => W3cDateTime::from_unix(seconds - 1, 1_000_000_000 - nanoseconds.unsigned_abs(), offset),
            }
        }

        fn timestamp(value: W3cDateTime, target: &str) -> Result<Timestamp> {
            let (seconds, nanosecond) = value.to_unix(target)?;
            Timestamp::new(seconds, nanosecond.cast_signed()).map_err(|_| value.not_in(target))
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            fn w3c(text: &str) -> W3cDateTime {
                text.parse().unwrap()
            }

            #[test]
            fn times_there_and_back() {
                for (text, expected) in [
                    ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z"),
                    (
                        "2024-05-06T16:08:09.000000001+09:00",
                        "2024-05-06T07:08:09.000000001Z",
                    ),
                    ("1969-12-31T20:29:59.999-03:30", "1969-12-31T23:59:59.999Z"),
                    ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
                    ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
                    ("0000-01-01T00:00:00+23:59", "-000001-12-31T00:01:00Z"),
                ] {
                    let time = Timestamp::try_from(w3c(text)).unwrap();
                    assert_eq!(time, expected.parse().unwrap(), "{text}");
                    let zoned = $Zoned::try_from(w3c(text)).unwrap();
                    assert_eq!(zoned.timestamp(), time, "{text}");
                    assert_eq!(W3cDateTime::try_from(zoned).unwrap(), w3c(text));
                    if !expected.starts_with('-') {
                        assert_eq!(W3cDateTime::try_from(time).unwrap(), w3c(expected));
                    }
                }
            }

            #[test]
            fn an_offset_with_seconds_or_beyond_a_day_becomes_utc() {
                let time = Timestamp::from_second(1_714_979_289).unwrap();
                for seconds in [33_539, -1, 86_400, -93_599] {
                    let zone = TimeZone::fixed(Offset::from_seconds(seconds).unwrap());
                    let text = W3cDateTime::try_from(time.$to_zoned(zone)).unwrap().to_string();
                    assert_eq!(text, "2024-05-06T07:08:09Z");
                }
            }

            #[test]
            fn years_before_0_do_not_convert() {
                let message = "is not a W3C Datetime: years are from 0000 to 9999 (P-LASTMOD); \
                               write a date in that range, or leave the field out";
                let error = W3cDateTime::try_from(Timestamp::MIN).unwrap_err();
                assert_eq!(
                    error.to_string(),
                    format!("a date before the year 0000 {message}")
                );
                let error = W3cDateTime::try_from(Date::MIN).unwrap_err();
                assert_eq!(error.to_string(), format!("a date in the year -9999 {message}"));
                assert_eq!(
                    W3cDateTime::try_from(Timestamp::MAX).unwrap().to_string(),
                    "9999-12-30T22:00:00.999999999Z"
                );
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
                    $Zoned::try_from(w3c("2024-05-06")).unwrap_err().to_string(),
                    concat!(
                        "`2024-05-06` does not convert to `jiff::",
                        stringify!($Zoned),
                        "`: it has no time and no zone; write both, or call `assume_utc` for the start of it in UTC"
                    )
                );
                assert_eq!(
                    Date::try_from(w3c("2024-05")).unwrap_err().to_string(),
                    "`2024-05` does not convert to `jiff::civil::Date`: it has no day; \
                     write the whole date, or call `assume_utc` for the first day"
                );
                assert_eq!(
                    Timestamp::try_from(w3c("9999-12-31T00:00Z"))
                        .unwrap_err()
                        .to_string(),
                    "`9999-12-31T00:00Z` does not convert to `jiff::Timestamp`: it is outside of the range of that type; \
                     keep it as a `W3cDateTime`"
                );
            }
        }
    };
}

#[cfg(feature = "jiff02")]
mod jiff02 {
    conversions!(jiff02, Zoned, to_zoned);
}

#[cfg(feature = "jiff1")]
mod jiff1 {
    conversions!(jiff1, ZonedDateTime, to_zoned_datetime);
}

//! Modules for serde's `with` attribute: times of other types as W3C Datetimes, and numbers that serde has buffered as text.
//!
//! The modules for times are for structs with `#[derive(Serialize, Deserialize)]` whose lastmod has a type of another crate. Each
//! module converts an `Option` of its type too; with serde's `default` the field may be absent.
//!
//! chrono's `DateTime` and jiff's `Timestamp` need no module: their own serde support writes W3C Datetimes.
//! [`W3cDateTime`](crate::W3cDateTime) reads every form.

pub mod text_or_number;
mod time_field;
mod unix;

use time_field::TimeField;
use unix::{ReadUnix, WriteUnix};

/// The functions of a `with` module, for types of one trait.
macro_rules! functions {
    ($write:ident $read:ident $([$kind:ident, $per_second:literal])?) => {
        use serde_core::de::Deserializer;
        use serde_core::ser::Serializer;

        /// Writes a W3C Datetime, or none for `None`.
        ///
        /// # Errors
        /// The serializer's error, or an error of this module if the year is not in 0 to 9999.
        pub fn serialize<T: super::$write$(<$kind, $per_second>)? $(, $kind)?, S: Serializer>(
            time: &T,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            time.write(serializer)
        }

        /// Reads a W3C Datetime that has a time; for an `Option`, perhaps none. Smaller units than the type's are truncated.
        ///
        /// # Errors
        /// The deserializer's error, or an error of this module if the text is not a W3C Datetime, has no time, or is out of the type's range.
        pub fn deserialize<'de, T: super::$read$(<$kind, $per_second>)? $(, $kind)?, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<T, D::Error> {
            T::read(deserializer)
        }
    };
}

/// [`SystemTime`](std::time::SystemTime), written in UTC, or an `Option` of one.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use std::time::{Duration, SystemTime};
///
/// #[derive(Serialize, Deserialize)]
/// struct Page {
///     loc: String,
///     #[serde(with = "sitemap_serde::with::system_time", default)]
///     lastmod: Option<SystemTime>,
/// }
///
/// let page = Page {
///     loc: "https://example.com/".to_owned(),
///     lastmod: Some(SystemTime::UNIX_EPOCH + Duration::from_secs(1_714_979_289)),
/// };
/// let json = serde_json::to_string(&page)?;
/// assert_eq!(json, r#"{"loc":"https://example.com/","lastmod":"2024-05-06T07:08:09Z"}"#);
/// assert_eq!(serde_json::from_str::<Page>(&json)?.lastmod, page.lastmod);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub mod system_time {
    functions!(TimeField TimeField);
}

/// Unix time: an integer number of seconds since 1970 in UTC, of any type that fits an `i64`, or an `Option` of one.
///
/// ```
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Page {
///     loc: String,
///     #[serde(with = "sitemap_serde::with::unix_seconds", default)]
///     lastmod: Option<u64>,
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
    functions!(WriteUnix ReadUnix [Kind, 1]);
}

/// Like [`unix_seconds`], but in milliseconds, as in JavaScript's `Date.now()`.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Page {
///     loc: &'static str,
///     #[serde(with = "sitemap_serde::with::unix_millis")]
///     lastmod: i64,
/// }
///
/// let page = Page { loc: "https://example.com/", lastmod: 1_714_979_289_500 };
/// let xml = sitemap_serde::to_string(&[page])?;
/// assert!(xml.contains("<lastmod>2024-05-06T07:08:09.5Z</lastmod>"));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
pub mod unix_millis {
    functions!(WriteUnix ReadUnix [Kind, 1_000]);
}

/// [`time::OffsetDateTime`], at its own offset, or an `Option` of one.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use time::OffsetDateTime;
///
/// #[derive(Serialize, Deserialize)]
/// struct Page {
///     loc: String,
///     #[serde(with = "sitemap_serde::with::offset_date_time")]
///     lastmod: OffsetDateTime,
/// }
///
/// let page: Page = serde_json::from_str(
///     r#"{"loc":"https://example.com/","lastmod":"2024-05-06T07:08:09.5+09:00"}"#,
/// )?;
/// assert_eq!(page.lastmod.unix_timestamp(), 1_714_946_889);
/// assert_eq!(
///     serde_json::to_string(&page)?,
///     r#"{"loc":"https://example.com/","lastmod":"2024-05-06T07:08:09.5+09:00"}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[cfg(feature = "time03")]
pub mod offset_date_time {
    functions!(TimeField TimeField);
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Page {
        #[serde(with = "super::system_time")]
        made: SystemTime,
        #[serde(with = "super::system_time", default)]
        changed: Option<SystemTime>,
    }

    #[test]
    fn system_time_there_and_back() {
        let made = SystemTime::UNIX_EPOCH + Duration::from_millis(1_500);
        for (page, json) in [
            (
                Page {
                    made,
                    changed: Some(SystemTime::UNIX_EPOCH),
                },
                r#"{"made":"1970-01-01T00:00:01.5Z","changed":"1970-01-01T00:00:00Z"}"#,
            ),
            (
                Page { made, changed: None },
                r#"{"made":"1970-01-01T00:00:01.5Z","changed":null}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&page).unwrap(), json);
            assert_eq!(serde_json::from_str::<Page>(json).unwrap(), page);
        }
        let absent: Page = serde_json::from_str(r#"{"made":"1970-01-01T00:00:01.5Z"}"#).unwrap();
        assert_eq!(absent, Page { made, changed: None });
    }

    #[test]
    fn errors_of_conversions() {
        let date = serde_json::from_str::<Page>(r#"{"made":"2024-05-06"}"#);
        assert_eq!(
            date.unwrap_err().to_string(),
            "`2024-05-06` does not convert to `SystemTime`: it has no time and no zone; \
             write both, or call `assume_utc` for the start of it in UTC at line 1 column 21"
        );
        let late = SystemTime::UNIX_EPOCH + Duration::from_secs(253_402_300_800);
        for page in [
            Page {
                made: late,
                changed: None,
            },
            Page {
                made: SystemTime::UNIX_EPOCH,
                changed: Some(late),
            },
        ] {
            assert_eq!(
                serde_json::to_string(&page).unwrap_err().to_string(),
                "a date after the year 9999 is not a W3C Datetime: years are from 0000 to 9999 (P-LASTMOD); \
                 write a date in that range, or leave the field out"
            );
        }
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of times, both ways")]
    fn unix_times_there_and_back() {
        #[derive(Serialize, Deserialize, PartialEq, Debug)]
        #[serde(bound(
            serialize = "A: Copy + TryInto<i64>, B: Copy + TryInto<i64>",
            deserialize = "A: TryFrom<i64>, B: TryFrom<i64>"
        ))]
        struct Times<A, B> {
            #[serde(with = "super::unix_seconds")]
            seconds: A,
            #[serde(with = "super::unix_millis", default = "none")]
            milliseconds: Option<B>,
        }
        fn none<T>() -> Option<T> {
            None
        }
        /// The first and the last second that a W3C Datetime has.
        const FIRST: i64 = -62_167_219_200;
        const LAST: i64 = 253_402_300_799;

        for (seconds, milliseconds, text) in [
            (0, 0, ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"]),
            (-1, -1, ["1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999Z"]),
            (
                FIRST,
                FIRST * 1_000,
                ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
            ),
            (
                LAST,
                LAST * 1_000 + 999,
                ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999Z"],
            ),
        ] {
            let times = Times {
                seconds,
                milliseconds: Some(milliseconds),
            };
            let json = format!(r#"{{"seconds":"{}","milliseconds":"{}"}}"#, text[0], text[1]);
            assert_eq!(serde_json::to_string(&times).unwrap(), json);
            assert_eq!(serde_json::from_str::<Times<i64, i64>>(&json).unwrap(), times);
            assert_eq!(
                serde_json::from_str::<Times<i128, i128>>(&json).unwrap().seconds,
                i128::from(seconds)
            );
        }
        // Fractions of the unit are truncated, towards the past before 1970 too.
        let json =
            r#"{"seconds":"1969-12-31T23:59:58.9+00:00","milliseconds":"2024-05-06T09:08:09.0019+02:00"}"#;
        let times: Times<i8, u64> = serde_json::from_str(json).unwrap();
        assert_eq!(
            times,
            Times {
                seconds: -2,
                milliseconds: Some(1_714_979_289_001)
            }
        );
        let absent: Times<u8, u8> = serde_json::from_str(r#"{"seconds":"1970-01-01T00:04:15Z"}"#).unwrap();
        assert_eq!(
            absent,
            Times {
                seconds: 255,
                milliseconds: None
            }
        );

        let unreadable = |seconds: &str| {
            let json = format!(r#"{{"seconds":"{seconds}"}}"#);
            serde_json::from_str::<Times<u8, u8>>(&json)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            unreadable("1970-01-01T00:04:16Z"),
            "`1970-01-01T00:04:16Z` does not convert to a Unix time in `u8`: it is outside of the range of that type; keep it \
             as a `W3cDateTime` at line 1 column 34"
        );
        assert_eq!(
            unreadable("1970-01-01"),
            "`1970-01-01` does not convert to a Unix time in `u8`: it has no time and no zone; write both, or call \
             `assume_utc` for the start of it in UTC at line 1 column 24"
        );

        let unwritable = |seconds: i128| {
            let times = Times::<i128, u8> {
                seconds,
                milliseconds: None,
            };
            serde_json::to_string(&times).unwrap_err().to_string()
        };
        let allowed = "is not a W3C Datetime: years are from 0000 to 9999 (P-LASTMOD); write a date in that range, or leave \
                       the field out";
        assert_eq!(
            unwritable(i128::from(FIRST) - 1),
            format!("a date before the year 0000 {allowed}")
        );
        assert_eq!(
            unwritable(i128::from(LAST) + 1),
            format!("a date after the year 9999 {allowed}")
        );
        assert_eq!(
            unwritable(i128::from(i64::MAX)),
            format!("a date after the year 9999 {allowed}")
        );
        assert_eq!(
            unwritable(i128::MIN),
            "the integer of a Unix time is outside of 64 bits with a sign; write a date from 0000 to 9999, or leave the field \
             out"
        );
    }

    #[cfg(feature = "time03")]
    #[test]
    fn offset_date_time_there_and_back() {
        #[derive(Serialize, Deserialize, PartialEq, Debug)]
        struct Page {
            #[serde(with = "crate::with::offset_date_time")]
            made: time::OffsetDateTime,
            #[serde(with = "crate::with::offset_date_time")]
            changed: Option<time::OffsetDateTime>,
        }

        for json in [
            r#"{"made":"2024-05-06T07:08:09+09:00","changed":"2024-05-06T07:08:09.000000001-00:01"}"#,
            r#"{"made":"2024-05-06T07:08:09Z","changed":null}"#,
        ] {
            let page: Page = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&page).unwrap(), json);
        }
        let date = serde_json::from_str::<Page>(r#"{"made":"2024-05-06","changed":null}"#);
        assert_eq!(
            date.unwrap_err().to_string(),
            "`2024-05-06` does not convert to `time::OffsetDateTime`: it has no time and no zone; \
             write both, or call `assume_utc` for the start of it in UTC at line 1 column 20"
        );
    }
}

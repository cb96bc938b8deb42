//! Modules for serde's `with` attribute: times of other types as W3C Datetimes, and numbers that serde has buffered as text.
//!
//! The modules for times are for structs with `#[derive(Serialize, Deserialize)]` whose lastmod has a type of another crate. Each
//! module converts an `Option` of its type too; with serde's `default` the field may be absent.
//!
//! chrono's `DateTime` and jiff's `Timestamp` need no module: their own serde support writes W3C Datetimes.
//! [`W3cDateTime`](crate::W3cDateTime) reads every form.

pub mod text_or_number;
mod time_field;

#[doc(inline)]
pub use crate::entry::column::{unix_millis, unix_seconds};

pub use time_field::TimeField;

/// The functions of a `with` module, for the types of a trait.
macro_rules! functions {
    ($field:ident) => {
        use serde_core::de::Deserializer;
        use serde_core::ser::Serializer;

        /// Writes a W3C Datetime, or none for `None`.
        ///
        /// # Errors
        /// The serializer's error, or an error of this module if the year is not in 0 to 9999.
        pub fn serialize<T: super::$field, S: Serializer>(
            time: &T,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            time.write(serializer)
        }

        /// Reads a W3C Datetime that has a time; for an `Option`, perhaps none. Smaller units than the type's are truncated.
        ///
        /// # Errors
        /// The deserializer's error, or an error of this module if the text is not a W3C Datetime, has no time, or is out of the type's range.
        pub fn deserialize<'de, T: super::$field, D: Deserializer<'de>>(
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
    functions!(TimeField);
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
    functions!(TimeField);
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

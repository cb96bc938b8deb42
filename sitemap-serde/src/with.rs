//! Times of other types as W3C Datetimes: modules for serde's `with` attribute.
//!
//! They are for structs that are read and written with `#[derive(Serialize, Deserialize)]` and that keep their own
//! type for a time. Each has a twin for an `Option`, for which `default` lets the field be absent.
//!
//! Chrono's and jiff's types bring their own serde support, which writes a W3C Datetime for a `DateTime` or a
//! `Timestamp`; [`W3cDateTime`](crate::W3cDateTime) itself reads the most.

/// The functions of a `with` module, and its `option`.
macro_rules! functions {
    ($type:ty) => {
        use serde::de::{Deserialize as _, Deserializer, Error as _};
        use serde::ser::{Error as _, Serialize as _, Serializer};

        use crate::datetime::W3cDateTime;

        /// Writes a W3C Datetime.
        ///
        /// # Errors
        ///
        /// An error of the serializer's, or one that says so if the year is not one of 0 to 9999.
        pub fn serialize<S: Serializer>(time: &$type, serializer: S) -> Result<S::Ok, S::Error> {
            W3cDateTime::try_from(*time)
                .map_err(S::Error::custom)?
                .serialize(serializer)
        }

        /// Reads a W3C Datetime that has a time.
        ///
        /// # Errors
        ///
        /// An error of the deserializer's, or one that says so if the text is not a W3C Datetime, has no time, or is
        /// out of the type's range.
        pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
            W3cDateTime::deserialize(deserializer)?
                .try_into()
                .map_err(D::Error::custom)
        }

        /// The same for an `Option`.
        pub mod option {
            use serde::de::{Deserialize as _, Deserializer, Error as _};
            use serde::ser::{Error as _, Serialize as _, Serializer};

            use crate::datetime::W3cDateTime;

            /// Writes a W3C Datetime, or none.
            ///
            /// # Errors
            ///
            /// An error of the serializer's, or one that says so if the year is not one of 0 to 9999.
            pub fn serialize<S: Serializer>(time: &Option<$type>, serializer: S) -> Result<S::Ok, S::Error> {
                let time = time
                    .map(W3cDateTime::try_from)
                    .transpose()
                    .map_err(S::Error::custom)?;
                time.serialize(serializer)
            }

            /// Reads a W3C Datetime that has a time, or none.
            ///
            /// # Errors
            ///
            /// An error of the deserializer's, or one that says so if the text is not a W3C Datetime, has no time, or
            /// is out of the type's range.
            pub fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Option<$type>, D::Error> {
                let value = Option::<W3cDateTime>::deserialize(deserializer)?;
                value
                    .map(<$type>::try_from)
                    .transpose()
                    .map_err(D::Error::custom)
            }
        }
    };
}

/// [`SystemTime`](std::time::SystemTime), written in UTC.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use std::time::{Duration, SystemTime};
///
/// #[derive(Serialize, Deserialize)]
/// struct Page {
///     loc: String,
///     #[serde(with = "sitemap_serde::convert::system_time::option", default)]
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
    functions!(std::time::SystemTime);
}

/// [`time::OffsetDateTime`], at its own offset.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use time::OffsetDateTime;
///
/// #[derive(Serialize, Deserialize)]
/// struct Page {
///     loc: String,
///     #[serde(with = "sitemap_serde::convert::offset_date_time")]
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
#[cfg(feature = "time")]
pub mod offset_date_time {
    functions!(time::OffsetDateTime);
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Page {
        #[serde(with = "super::system_time")]
        made: SystemTime,
        #[serde(with = "super::system_time::option", default)]
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
    fn what_does_not_convert_says_so() {
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

    #[cfg(feature = "time")]
    #[test]
    fn offset_date_time_there_and_back() {
        #[derive(Serialize, Deserialize, PartialEq, Debug)]
        struct Page {
            #[serde(with = "crate::convert::offset_date_time")]
            made: time::OffsetDateTime,
            #[serde(with = "crate::convert::offset_date_time::option")]
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

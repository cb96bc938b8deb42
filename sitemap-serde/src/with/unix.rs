//! Integers that count from the start of 1970 in UTC.

use sitemap_values::W3cDateTime;

use crate::error::{Error, Result};

/// How many of a unit make a second.
pub(super) const SECONDS: i64 = 1;
pub(super) const MILLISECONDS: i64 = 1_000;

const NANOSECONDS_OF_SECOND: i64 = 1_000_000_000;

/// The W3C Datetime, in UTC, of so many units of which a second has `per_second`.
pub(super) fn to_w3c<T: TryInto<i64>>(units: T, per_second: i64) -> Result<W3cDateTime> {
    let units = units.try_into().map_err(|_| {
        Error::data(
            "the integer of a Unix time is outside of 64 bits with a sign; write a date from 0000 to 9999, or leave the field out",
        )
    })?;
    let nanoseconds = units.rem_euclid(per_second) * (NANOSECONDS_OF_SECOND / per_second);
    Ok(W3cDateTime::from_unix(
        units.div_euclid(per_second),
        u32::try_from(nanoseconds).unwrap_or_default(),
        0,
    )?)
}

/// The units of a W3C Datetime that has a time. Less than a unit is cut off.
pub(super) fn from_w3c<T: TryFrom<i64>>(time: W3cDateTime, per_second: i64) -> Result<T> {
    let target = std::any::type_name::<T>();
    let (seconds, nanosecond) = time.to_unix(&format!("a Unix time in `{target}`"))?;
    let units = seconds * per_second + i64::from(nanosecond) / (NANOSECONDS_OF_SECOND / per_second);
    T::try_from(units).map_err(|_| time.not_in(&format!("a Unix time in `{target}`")).into())
}

/// The functions of a `with` module for a unit, and its `option`.
macro_rules! unix {
    ($per_second:ident) => {
        use serde_core::de::{Deserialize as _, Deserializer, Error as _};
        use serde_core::ser::{Error as _, Serialize as _, Serializer};

        use super::unix;
        use sitemap_values::W3cDateTime;

        /// Writes a W3C Datetime in UTC.
        ///
        /// # Errors
        ///
        /// An error of the serializer's, or one that says so if the year is not one of 0 to 9999.
        pub fn serialize<T: Copy + TryInto<i64>, S: Serializer>(
            time: &T,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            unix::to_w3c(*time, unix::$per_second)
                .map_err(S::Error::custom)?
                .serialize(serializer)
        }

        /// Reads a W3C Datetime that has a time. Less than the unit is cut off.
        ///
        /// # Errors
        ///
        /// An error of the deserializer's, or one that says so if the text is not a W3C Datetime, has no time, or is out of the
        /// integer's range.
        pub fn deserialize<'de, T: TryFrom<i64>, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<T, D::Error> {
            let time = W3cDateTime::deserialize(deserializer)?;
            unix::from_w3c(time, unix::$per_second).map_err(D::Error::custom)
        }

        /// The same for an `Option`.
        pub mod option {
            use serde_core::de::{Deserialize as _, Deserializer, Error as _};
            use serde_core::ser::{Error as _, Serialize as _, Serializer};

            use crate::with::unix;
            use sitemap_values::W3cDateTime;

            /// Writes a W3C Datetime in UTC, or none.
            ///
            /// # Errors
            ///
            /// An error of the serializer's, or one that says so if the year is not one of 0 to 9999.
            pub fn serialize<T: Copy + TryInto<i64>, S: Serializer>(
                time: &Option<T>,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let time = time.map(|time| unix::to_w3c(time, unix::$per_second));
                time.transpose()
                    .map_err(S::Error::custom)?
                    .serialize(serializer)
            }

            /// Reads a W3C Datetime that has a time, or none. Less than the unit is cut off.
            ///
            /// # Errors
            ///
            /// An error of the deserializer's, or one that says so if the text is not a W3C Datetime, has no time, or is out of
            /// the integer's range.
            pub fn deserialize<'de, T: TryFrom<i64>, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Option<T>, D::Error> {
                let time = Option::<W3cDateTime>::deserialize(deserializer)?;
                time.map(|time| unix::from_w3c(time, unix::$per_second))
                    .transpose()
                    .map_err(D::Error::custom)
            }
        }
    };
}
pub(super) use unix;

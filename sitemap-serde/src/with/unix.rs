//! Integers of units since 1970 in UTC.

use sitemap_values::W3cDateTime;

use crate::error::{Error, Message, Result};

const NANOSECONDS_OF_SECOND: i64 = 1_000_000_000;

/// The W3C Datetime, in UTC, of a number of units; a second has `PER_SECOND` units.
pub(super) fn to_w3c<T: TryInto<i64>, const PER_SECOND: i64>(units: T) -> Result<W3cDateTime> {
    let units = units.try_into().map_err(|_| {
        Error::data(
            Message::new("the integer of a Unix time is outside of 64 bits with a sign")
                .advice("write a date from 0000 to 9999, or leave the field out"),
        )
    })?;
    let nanoseconds = units.rem_euclid(PER_SECOND) * (NANOSECONDS_OF_SECOND / PER_SECOND);
    Ok(W3cDateTime::from_unix(
        units.div_euclid(PER_SECOND),
        u32::try_from(nanoseconds).unwrap_or_default(),
        0,
    )?)
}

/// The units of a W3C Datetime that has a time. Smaller units are truncated.
pub(super) fn from_w3c<T: TryFrom<i64>, const PER_SECOND: i64>(time: W3cDateTime) -> Result<T> {
    let target = std::any::type_name::<T>();
    let (seconds, nanosecond) = time.to_unix(&format!("a Unix time in `{target}`"))?;
    let units = seconds * PER_SECOND + i64::from(nanosecond) / (NANOSECONDS_OF_SECOND / PER_SECOND);
    T::try_from(units).map_err(|_| time.not_in(&format!("a Unix time in `{target}`")).into())
}

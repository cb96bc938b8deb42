//! Integers of units since 1970 in UTC.

use serde_core::de::{Deserialize, Deserializer, Error as _};
use serde_core::ser::{Error as _, Serialize, Serializer};
use sitemap_values::W3cDateTime;

use crate::error::{Error, Message};

/// A field that holds an integer of units since 1970, or perhaps one. A second has `PER_SECOND` units. `Kind` is inferred; without it the two
/// implementations would overlap.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of units since 1970",
    label = "expected an integer, or an `Option` of one"
)]
pub trait WriteUnix<Kind, const PER_SECOND: i64> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// A field that is read from such units.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of units since 1970",
    label = "expected an integer, or an `Option` of one"
)]
pub trait ReadUnix<Kind, const PER_SECOND: i64>: Sized {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// The kind of an integer.
#[derive(Debug)]
pub struct Integer;

/// The kind of an `Option` of one.
#[derive(Debug)]
pub struct Optional;

impl<T: Copy + TryInto<i64>, const PER_SECOND: i64> WriteUnix<Integer, PER_SECOND> for T {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let time = to_w3c::<T, PER_SECOND>(*self).map_err(S::Error::custom)?;
        time.serialize(serializer)
    }
}

impl<T: Copy + TryInto<i64>, const PER_SECOND: i64> WriteUnix<Optional, PER_SECOND> for Option<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let time = self.map(to_w3c::<T, PER_SECOND>).transpose();
        time.map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<T: TryFrom<i64>, const PER_SECOND: i64> ReadUnix<Integer, PER_SECOND> for T {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_w3c::<T, PER_SECOND>(W3cDateTime::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<T: TryFrom<i64>, const PER_SECOND: i64> ReadUnix<Optional, PER_SECOND> for Option<T> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let time = Option::<W3cDateTime>::deserialize(deserializer)?;
        time.map(from_w3c::<T, PER_SECOND>)
            .transpose()
            .map_err(D::Error::custom)
    }
}

const NANOSECONDS_OF_SECOND: i64 = 1_000_000_000;

/// The W3C Datetime, in UTC, of a number of units; a second has `PER_SECOND` units.
fn to_w3c<T: TryInto<i64>, const PER_SECOND: i64>(units: T) -> Result<W3cDateTime, Error> {
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
fn from_w3c<T: TryFrom<i64>, const PER_SECOND: i64>(time: W3cDateTime) -> Result<T, Error> {
    let target = std::any::type_name::<T>();
    let (seconds, nanosecond) = time.to_unix(&format!("a Unix time in `{target}`"))?;
    let units = seconds * PER_SECOND + i64::from(nanosecond) / (NANOSECONDS_OF_SECOND / PER_SECOND);
    T::try_from(units).map_err(|_| time.not_in(&format!("a Unix time in `{target}`")).into())
}

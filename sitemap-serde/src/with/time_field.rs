//! Fields of a time that a W3C Datetime converts to and from, or of an `Option` of one.

use serde_core::de::{Deserialize, Deserializer, Error as _};
use serde_core::ser::{Error as _, Serialize, Serializer};
use sitemap_values::{ValueError, W3cDateTime};

/// A type of times.
pub trait Time:
    Copy + TryInto<W3cDateTime, Error = ValueError> + TryFrom<W3cDateTime, Error = ValueError>
{
}

impl Time for std::time::SystemTime {}

#[cfg(feature = "time03")]
impl Time for time::OffsetDateTime {}

/// A field that holds a time, or perhaps one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a time of this module",
    label = "expected the time that the module is named for, or an `Option` of it"
)]
pub trait TimeField: Sized {
    /// Writes the time, or none.
    ///
    /// # Errors
    /// The serializer's error, or an error of this module if the year is not in 0 to 9999.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads a W3C Datetime that has a time; for an `Option`, perhaps none.
    ///
    /// # Errors
    /// The deserializer's error, or an error of this module if the text does not convert to the type.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

impl<T: Time> TimeField for T {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let time: W3cDateTime = (*self).try_into().map_err(S::Error::custom)?;
        time.serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::try_from(W3cDateTime::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<T: Time> TimeField for Option<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let time: Option<W3cDateTime> = self
            .map(TryInto::try_into)
            .transpose()
            .map_err(S::Error::custom)?;
        time.serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let time = Option::<W3cDateTime>::deserialize(deserializer)?;
        time.map(T::try_from).transpose().map_err(D::Error::custom)
    }
}

//! A decimal as a serde value.

use std::fmt;

use serde_core::de::{self, Deserialize, Deserializer, Visitor};
use serde_core::ser::{Serialize, Serializer};

use super::Decimal;

/// The newtype struct's name. This crate's serializer and deserializer recognise a [`Decimal`] by it, to keep its
/// digits.
#[doc(hidden)]
pub const DECIMAL_NAME: &str = "$sitemap_serde::Decimal";

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(DECIMAL_NAME, &DecimalValue(self))
    }
}

/// The newtype struct's content: a number or the text.
struct DecimalValue<'a>(&'a Decimal);

impl Serialize for DecimalValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = self.0.get();
        if serializer.is_human_readable() && Decimal::try_from(number).is_ok_and(|exact| exact == *self.0) {
            serializer.serialize_f64(number)
        } else {
            serializer.serialize_str(self.0.as_str())
        }
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(DECIMAL_NAME, DecimalVisitor)
    }
}

struct DecimalVisitor;

impl<'de> Visitor<'de> for DecimalVisitor {
    type Value = Decimal;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a decimal number of at least 0")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Decimal, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(self)
        } else {
            deserializer.deserialize_str(self)
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Decimal, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Decimal, E> {
        Decimal::try_from(value).map_err(E::custom)
    }

    fn visit_f32<E: de::Error>(self, value: f32) -> Result<Decimal, E> {
        Decimal::try_from(value).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Decimal, E> {
        Ok(Decimal(value.to_string().into()))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Decimal, E> {
        value.to_string().parse().map_err(E::custom)
    }
}

//! A priority as a serde value.

use std::fmt;

use serde_core::de::{self, Deserialize, Deserializer, Visitor};
use serde_core::ser::{Serialize, Serializer};

use super::Priority;
use super::parse::explain_number;
use crate::stack_text::StackText;

/// The newtype struct's name. This crate's serializer and deserializer recognise a [`Priority`] by it, to keep its
/// digits.
#[doc(hidden)]
pub const PRIORITY_NAME: &str = "$sitemap_serde::Priority";

impl Serialize for Priority {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(PRIORITY_NAME, &PriorityValue(*self))
    }
}

/// The newtype struct's content: a number or the text.
struct PriorityValue(Priority);

impl Serialize for PriorityValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.serialize_f64(self.0.get_f64());
        }
        if let Some((bytes, len)) = self.0.usual_text() {
            return serializer.serialize_str(std::str::from_utf8(&bytes[..len]).unwrap_or_default());
        }
        let mut text = StackText::<40>::new();
        match self.0.write_to(&mut text) {
            Ok(()) => serializer.serialize_str(text.as_str()),
            Err(fmt::Error) => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Priority {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(PRIORITY_NAME, PriorityVisitor)
    }
}

struct PriorityVisitor;

impl<'de> Visitor<'de> for PriorityVisitor {
    type Value = Priority;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a priority (a decimal from 0.0 to 1.0)")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Priority, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(self)
        } else {
            deserializer.deserialize_str(self)
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Priority, E> {
        Priority::parse(text).ok_or_else(|| E::custom(Priority::explain(text)))
    }

    fn visit_f32<E: de::Error>(self, value: f32) -> Result<Priority, E> {
        Priority::new(value).map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Priority, E> {
        Priority::try_from(value).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Priority, E> {
        match value {
            0 => Ok(Priority::MIN),
            1 => Ok(Priority::MAX),
            _ => Err(E::custom(explain_number(value))),
        }
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Priority, E> {
        match u64::try_from(value) {
            Ok(value) => self.visit_u64(value),
            Err(_) => Err(E::custom(explain_number(value))),
        }
    }
}

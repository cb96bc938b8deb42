//! A date as a serde value.

use std::fmt;

use serde_core::de::{self, Deserialize, Deserializer, Visitor};
use serde_core::ser::{Serialize, Serializer};

use super::{W3cDateTime, explain, handover, print};

impl W3cDateTime {
    /// Parses like [`parse`](Self::parse) a text from serde, which may come from a date.
    #[doc(hidden)]
    #[inline]
    pub fn parse_serialized(text: &str) -> Option<Self> {
        handover::received(text).or_else(|| W3cDateTime::parse(text))
    }
}

impl Serialize for W3cDateTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = print::StackText::of(self);
        handover::hand_over(*self, text.as_str(), |text| serializer.serialize_str(text))
    }
}

impl<'de> Deserialize<'de> for W3cDateTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;

        impl Visitor<'_> for TextVisitor {
            type Value = W3cDateTime;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a W3C Datetime ({})", explain::FORMS)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<W3cDateTime, E> {
                W3cDateTime::parse(text).ok_or_else(|| E::custom(W3cDateTime::explain(text)))
            }
        }

        deserializer.deserialize_str(TextVisitor)
    }
}

//! A change frequency as a serde value.

use std::fmt;

use serde_core::de::{self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

use super::ChangeFreq;

impl Serialize for ChangeFreq {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit_variant("ChangeFreq", *self as u32, self.as_str())
    }
}

// Not derived: the derived error cannot suggest the nearest value.
impl<'de> Deserialize<'de> for ChangeFreq {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("ChangeFreq", ChangeFreq::NAMES, EnumVisitor)
    }
}

struct EnumVisitor;

impl<'de> Visitor<'de> for EnumVisitor {
    type Value = ChangeFreq;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a changefreq (always, hourly, daily, weekly, monthly, yearly or never)")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<ChangeFreq, A::Error> {
        let (freq, variant) = data.variant_seed(self)?;
        variant.unit_variant()?;
        Ok(freq)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<ChangeFreq, E> {
        ChangeFreq::parse(text).ok_or_else(|| E::custom(ChangeFreq::explain(text)))
    }

    /// Compact formats hold the variant's number.
    fn visit_u64<E: de::Error>(self, index: u64) -> Result<ChangeFreq, E> {
        usize::try_from(index)
            .ok()
            .and_then(|index| ChangeFreq::ALL.get(index).copied())
            .ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(index), &self))
    }
}

/// Reads the variant's name or number inside the enum.
impl<'de> DeserializeSeed<'de> for EnumVisitor {
    type Value = ChangeFreq;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ChangeFreq, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

#[cfg(test)]
mod tests {
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error as ValueError, U32Deserializer};

    use super::*;

    const RULE: &str = "is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ);";

    #[test]
    fn json_has_a_string() {
        for freq in ChangeFreq::ALL {
            let json = format!("\"{freq}\"");
            assert_eq!(serde_json::to_string(&freq).unwrap(), json);
            assert_eq!(serde_json::from_str::<ChangeFreq>(&json).unwrap(), freq);
        }
        assert_eq!(
            serde_json::from_str::<ChangeFreq>("\"Daily\"")
                .unwrap_err()
                .to_string(),
            format!("`Daily` {RULE} did you mean `daily`? at line 1 column 7")
        );
        assert!(serde_json::from_str::<ChangeFreq>("7").is_err());
        assert!(serde_json::from_str::<ChangeFreq>("{\"daily\":1}").is_err());
    }

    #[test]
    fn a_compact_format_has_a_number() {
        let read = |index: u32| {
            let number: U32Deserializer<ValueError> = index.into_deserializer();
            ChangeFreq::deserialize(number)
        };
        for freq in ChangeFreq::ALL {
            assert_eq!(read(freq as u32).unwrap(), freq);
        }
        assert_eq!(
            read(7).unwrap_err().to_string(),
            "invalid value: integer `7`, expected a changefreq (always, hourly, daily, weekly, monthly, yearly \
             or never)"
        );
    }
}

//! Deserializing a text as an enum.

use serde_core::de::value::{StrDeserializer, UnitDeserializer};
use serde_core::de::{DeserializeSeed, EnumAccess, IntoDeserializer, Unexpected, VariantAccess, Visitor};
use sitemap_values::quote::quote;

use crate::error::{Error, Message, Result};

use super::refused::or_as_text;

/// A text as the unit variant of an enum.
pub(super) struct UnitVariant<'r> {
    pub(super) text: &'r str,
    pub(super) variants: &'static [&'static str],
}

impl UnitVariant<'_> {
    /// Improves serde's error for a text that names no variant, unless the error already names a rule. The text is checked
    /// only after serde, since `#[serde(alias)]` and `#[serde(other)]` accept other texts.
    #[cold]
    fn not_taken(&self, error: Error) -> Error {
        if self.variants.contains(&self.text) || error.rule().is_some() {
            return error;
        }
        let known = self
            .variants
            .iter()
            .map(|variant| format!("`{variant}`"))
            .collect::<Vec<_>>()
            .join(", ");
        Error::data(Message::new(format!("{} is not one of {known}", quote(self.text))).advice(or_as_text()))
    }
}

impl<'de> EnumAccess<'de> for UnitVariant<'_> {
    type Error = Error;
    type Variant = Unit;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Unit)> {
        let name: StrDeserializer<'_, Error> = self.text.into_deserializer();
        match seed.deserialize(name) {
            Ok(value) => Ok((value, Unit)),
            Err(error) => Err(self.not_taken(error)),
        }
    }
}

/// The content of a unit variant: nothing.
pub(super) struct Unit;

impl<'de> VariantAccess<'de> for Unit {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(UnitDeserializer::new())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        Err(serde_core::de::Error::invalid_type(
            Unexpected::UnitVariant,
            &visitor,
        ))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value> {
        Err(serde_core::de::Error::invalid_type(
            Unexpected::UnitVariant,
            &visitor,
        ))
    }
}

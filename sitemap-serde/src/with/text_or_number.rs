//! Numbers from text, and text from numbers, for fields that serde buffers before their types are known.
//!
//! serde buffers the fields of a `flatten`, of an untagged and of an internally tagged enum. An element outside the schema is text
//! there, and a priority is a number. This module reads either as the type that the field needs: integers, floats, `bool`s and
//! strings, also within an `Option`, a map, a struct, an enum or a sequence. A single element is a sequence of one.
//!
//! Use it on a field of the buffered struct or variant, or on the `flatten` field itself. For an `Option` with `flatten`, use
//! [`option`].
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use serde::{Deserialize, Serialize};
//! use sitemap_serde::ReaderBuilder;
//!
//! #[derive(Serialize, Deserialize)]
//! struct Page {
//!     loc: String,
//!     #[serde(flatten, with = "sitemap_serde::with::text_or_number")]
//!     counts: BTreeMap<String, u32>,
//! }
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:shop="urn:shop">
//!   <url><loc>https://example.com/</loc><shop:stock>5</shop:stock></url>
//! </urlset>"#;
//! let mut reader = ReaderBuilder::new().namespace("shop", "urn:shop").from_str(xml);
//! let page: Page = reader.deserialize().next().unwrap()?;
//! assert_eq!(page.counts["shop:stock"], 5);
//! # Ok::<(), sitemap_serde::Error>(())
//! ```

use std::cell::Cell;
use std::fmt;

use serde_core::de::value::MapAccessDeserializer;
use serde_core::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde_core::ser::{Serialize, Serializer};

use crate::de::{no_decimal, no_integer, parse_bool, parse_decimal};

/// Writes the value unchanged.
///
/// # Errors
///
/// The serializer's error.
pub fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.serialize(serializer)
}

/// Reads text as a number, and a number as text, if the type needs it.
///
/// # Errors
///
/// The deserializer's error, or an error of this module if the text is not a number that the type can hold.
pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::deserialize(Adapted::new(deserializer))
}

/// The same for an `Option`: `None` if there is no value; with `flatten`, if the entry has none of the struct's elements.
///
/// serde itself also turns a flattened struct with an invalid value into `None`; here that is an error.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use sitemap_serde::{ReaderBuilder, UrlEntry};
///
/// #[derive(Serialize, Deserialize)]
/// struct Product {
///     #[serde(flatten)]
///     entry: UrlEntry,
///     #[serde(flatten, with = "sitemap_serde::with::text_or_number::option")]
///     stock: Option<Stock>,
/// }
///
/// #[derive(Serialize, Deserialize)]
/// struct Stock {
///     #[serde(rename = "shop:stock")]
///     count: u32,
/// }
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:shop="urn:shop">
///   <url><loc>https://example.com/lamp</loc><shop:stock>5</shop:stock></url>
///   <url><loc>https://example.com/about</loc></url>
/// </urlset>"#;
/// let mut reader = ReaderBuilder::new().namespace("shop", "urn:shop").from_str(xml);
/// let products: Vec<Product> = reader.deserialize().collect::<Result<_, _>>()?;
/// assert_eq!(products[0].stock.as_ref().unwrap().count, 5);
/// assert!(products[1].stock.is_none());
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
pub mod option {
    use super::{Adapted, Cell, Deserialize, Deserializer, Serialize, Serializer};

    /// Writes the value unchanged, or nothing.
    ///
    /// # Errors
    ///
    /// The serializer's error.
    pub fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    /// Reads text as a number, and a number as text, if the type needs it.
    ///
    /// # Errors
    ///
    /// The deserializer's error, or an error of this module if the text is not a number that the type can hold.
    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let is_there = Cell::new(false);
        let value = T::deserialize(Adapted {
            inner: deserializer,
            is_there: Some(&is_there),
        });
        if is_there.get() { value.map(Some) } else { Ok(None) }
    }
}

/// The type that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hint {
    Any,
    Bool,
    Integer,
    Single,
    Double,
    Text,
    Sequence,
}

/// A deserializer, visitor, seed or access whose values are adapted.
struct Adapted<'f, T> {
    inner: T,
    /// Set when there is a value, or an element of a struct.
    is_there: Option<&'f Cell<bool>>,
}

impl<T> Adapted<'_, T> {
    fn new(inner: T) -> Self {
        Adapted {
            inner,
            is_there: None,
        }
    }
}

macro_rules! hinted {
    ($($method:ident $hint:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.deserialize_any(AdaptedVisitor { visitor, hint: Hint::$hint, is_there: self.is_there })
        })*
    };
}

macro_rules! forwarded {
    ($($method:ident ($($argument:ident: $type:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method($($argument,)* AdaptedVisitor { visitor, hint: Hint::Any, is_there: self.is_there })
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Adapted<'_, D> {
    type Error = D::Error;

    hinted! {
        deserialize_bool Bool
        deserialize_i8 Integer deserialize_i16 Integer deserialize_i32 Integer deserialize_i64 Integer deserialize_i128 Integer
        deserialize_u8 Integer deserialize_u16 Integer deserialize_u32 Integer deserialize_u64 Integer deserialize_u128 Integer
        deserialize_f32 Single deserialize_f64 Double
        deserialize_char Text deserialize_str Text deserialize_string Text
        deserialize_seq Sequence
    }

    forwarded! {
        deserialize_any()
        deserialize_bytes()
        deserialize_byte_buf()
        deserialize_option()
        deserialize_unit()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_map()
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
        deserialize_identifier()
        deserialize_ignored_any()
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, D::Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.deserialize_seq(visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

struct AdaptedVisitor<'f, V> {
    visitor: V,
    hint: Hint,
    is_there: Option<&'f Cell<bool>>,
}

impl<V> AdaptedVisitor<'_, V> {
    fn found(&self) {
        if let Some(is_there) = self.is_there {
            is_there.set(true);
        }
    }
}

/// Gives a value to the visitor: as text or as a sequence of one, if the type needs it.
macro_rules! visited {
    ($($method:ident $type:ty)*) => {
        $(fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.found();
            match self.hint {
                Hint::Text => self.visitor.visit_string(value.to_string()),
                Hint::Sequence => self.visitor.visit_seq(One(Some(value.into_deserializer()))),
                _ => self.visitor.$method(value),
            }
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for AdaptedVisitor<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    visited! {
        visit_bool bool
        visit_i64 i64
        visit_i128 i128
        visit_u64 u64
        visit_u128 u128
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        self.found();
        match self.hint {
            // A number of the schema may have been written without a point.
            Hint::Integer if value.fract() == 0.0 => self.visit_str(&value.to_string()),
            Hint::Text => self.visitor.visit_string(value.to_string()),
            Hint::Sequence => self.visitor.visit_seq(One(Some(value.into_deserializer()))),
            _ => self.visitor.visit_f64(value),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        self.found();
        match self.hint {
            Hint::Any | Hint::Text => self.visitor.visit_str(text),
            Hint::Bool => self.visitor.visit_bool(parse_bool(text).map_err(E::custom)?),
            Hint::Integer => {
                if let Ok(number) = text.parse::<u64>() {
                    self.visitor.visit_u64(number)
                } else if let Ok(number) = text.parse::<i64>() {
                    self.visitor.visit_i64(number)
                } else if let Ok(number) = text.parse::<u128>() {
                    self.visitor.visit_u128(number)
                } else if let Ok(number) = text.parse::<i128>() {
                    self.visitor.visit_i128(number)
                } else {
                    Err(E::custom(no_integer(text)))
                }
            }
            Hint::Single => match parse_decimal(text) {
                Some(number) => self.visitor.visit_f32(number),
                None => Err(E::custom(no_decimal(text))),
            },
            Hint::Double => match parse_decimal(text) {
                Some(number) => self.visitor.visit_f64(number),
                None => Err(E::custom(no_decimal(text))),
            },
            Hint::Sequence => self.visitor.visit_seq(One(Some(text.into_deserializer()))),
        }
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<V::Value, E> {
        match self.hint {
            Hint::Any | Hint::Text => {
                self.found();
                self.visitor.visit_borrowed_str(text)
            }
            _ => self.visit_str(text),
        }
    }

    fn visit_string<E: Error>(self, text: String) -> Result<V::Value, E> {
        match self.hint {
            Hint::Any | Hint::Text => {
                self.found();
                self.visitor.visit_string(text)
            }
            _ => self.visit_str(&text),
        }
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<V::Value, E> {
        self.found();
        self.visitor.visit_bytes(bytes)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let is_there = self.is_there;
        self.visitor.visit_some(Adapted { inner, is_there })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let is_there = self.is_there;
        self.visitor.visit_newtype_struct(Adapted { inner, is_there })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<V::Value, A::Error> {
        self.found();
        self.visitor.visit_seq(Adapted::new(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let is_there = self.is_there;
        let map = Adapted { inner: map, is_there };
        if self.hint == Hint::Sequence {
            self.visitor.visit_seq(One(Some(MapAccessDeserializer::new(map))))
        } else {
            self.visitor.visit_map(map)
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.found();
        self.visitor.visit_enum(Adapted::new(inner))
    }
}

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for Adapted<'_, T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T::Value, D::Error> {
        self.inner.deserialize(Adapted::new(deserializer))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Adapted<'_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        self.inner.next_element_seed(Adapted::new(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Adapted<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let key = self.inner.next_key_seed(Adapted::new(seed))?;
        if let Some(is_there) = self.is_there.filter(|_| key.is_some()) {
            is_there.set(true);
        }
        Ok(key)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.inner.next_value_seed(Adapted::new(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Adapted<'_, A> {
    type Error = A::Error;
    type Variant = Adapted<'static, A::Variant>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant), A::Error> {
        let (value, variant) = self.inner.variant_seed(seed)?;
        Ok((value, Adapted::new(variant)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Adapted<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        self.inner.newtype_variant_seed(Adapted::new(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.inner.tuple_variant(len, any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.inner.struct_variant(fields, any(visitor))
    }
}

fn any<V>(visitor: V) -> AdaptedVisitor<'static, V> {
    AdaptedVisitor {
        visitor,
        hint: Hint::Any,
        is_there: None,
    }
}

/// A sequence with one element.
struct One<D>(Option<D>);

impl<'de, D: Deserializer<'de>> SeqAccess<'de> for One<D> {
    type Error = D::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, D::Error> {
        let element = self.0.take();
        element
            .map(|element| seed.deserialize(Adapted::new(element)))
            .transpose()
    }
}

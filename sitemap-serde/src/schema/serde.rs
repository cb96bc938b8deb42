//! serde's traits for the structs of the tables, over the same rows.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{SerializeStruct, Serializer};

use super::element::{Element, Item};
use super::read::lacks;
use super::{FieldSink, FieldSource, Leaf, Name, SchemaRow, Shape};

/// Name of the newtype struct that tells this crate's deserializer to return a text of the crate's types.
pub(crate) const LEAF_NAME: &str = "$sitemap_serde::leaf";

/// Name of the newtype struct that tells it to return an element.
pub(crate) const ELEMENT_NAME: &str = "$sitemap_serde::element";

pub(super) fn serialize<T: Element, S: Serializer>(element: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let mut count = Count(0);
    let Ok(()) = element.write(&mut count);
    let mut fields = Fields(serializer.serialize_struct(T::SERDE_NAME, count.0)?);
    element.write(&mut fields)?;
    fields.0.end()
}

/// Counts the fields with a value, since some formats write the number of fields first.
struct Count(usize);

impl FieldSink for Count {
    type Error = std::convert::Infallible;

    fn leaf<T: Leaf>(&mut self, _: Name, _: &T) -> Result<(), Self::Error> {
        self.0 += 1;
        Ok(())
    }

    fn element<T: Element>(&mut self, _: Name, _: &T) -> Result<(), Self::Error> {
        self.0 += 1;
        Ok(())
    }

    fn many<T: Item>(&mut self, _: Name, _: &[T]) -> Result<(), Self::Error> {
        self.0 += 1;
        Ok(())
    }

    fn flag(&mut self, _: Name) -> Result<(), Self::Error> {
        self.0 += 1;
        Ok(())
    }

    fn absent(&mut self, _: Name) -> Result<(), Self::Error> {
        Ok(())
    }
}

struct Fields<S>(S);

impl<S: SerializeStruct> FieldSink for Fields<S> {
    type Error = S::Error;

    fn leaf<T: Leaf>(&mut self, name: Name, value: &T) -> Result<(), S::Error> {
        self.0.serialize_field(name.shown(), value)
    }

    fn element<T: Element>(&mut self, name: Name, value: &T) -> Result<(), S::Error> {
        self.0.serialize_field(name.shown(), value)
    }

    fn many<T: Item>(&mut self, name: Name, values: &[T]) -> Result<(), S::Error> {
        self.0.serialize_field(name.shown(), values)
    }

    fn flag(&mut self, name: Name) -> Result<(), S::Error> {
        self.0.serialize_field(name.shown(), &true)
    }

    fn absent(&mut self, name: Name) -> Result<(), S::Error> {
        self.0.skip_field(name.shown())
    }
}

pub(super) fn deserialize<'de, T: Element, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let mut element = T::blank();
    let filled = Fill(&mut element).deserialize(deserializer)?;
    if !filled && let Some(part) = T::GROUP.first_missing(0) {
        return Err(de::Error::custom(lacks::<T>(part)));
    }
    Ok(element)
}

/// Fills an element. Returns `true` if it has content.
struct Fill<'e, T>(&'e mut T);

impl<'de, T: Element> DeserializeSeed<'de> for Fill<'_, T> {
    type Value = bool;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_newtype_struct(ELEMENT_NAME, self)
        } else {
            deserializer.deserialize_struct(T::SERDE_NAME, T::FIELDS, self)
        }
    }
}

impl<'de, T: Element> Visitor<'de> for Fill<'_, T> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match T::GROUP.element {
            Some(element) => write!(f, "a `{}`", element.shown()),
            None => write!(f, "a `{}` entry", T::SERDE_NAME),
        }
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        // An element with text may be given as a plain string, if it has no attributes, and an empty one as nothing. From a flattened
        // entry, only the fields may be taken.
        if T::GROUP.element.is_some() {
            deserializer.deserialize_any(self)
        } else {
            deserializer.deserialize_struct(T::SERDE_NAME, T::FIELDS, self)
        }
    }

    fn visit_none<E: de::Error>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_unit<E: de::Error>(self) -> Result<bool, E> {
        Ok(false)
    }

    /// An element given as a plain string: its text.
    fn visit_str<E: de::Error>(self, text: &str) -> Result<bool, E> {
        struct SingleText<'t, E>(&'t str, PhantomData<E>);

        impl<E: de::Error> FieldSource<'_> for SingleText<'_, E> {
            type Error = E;

            fn leaf<T: Leaf>(self, name: Name) -> Result<Option<T>, E> {
                read_text(self.0, name).map(Some)
            }

            fn fill<T: Element>(self, _: &mut T) -> Result<bool, E> {
                Ok(false)
            }

            fn many<T: Item>(self, _: Name, _: &mut Vec<T>) -> Result<bool, E> {
                Ok(false)
            }

            fn flag(self, _: Name) -> Result<bool, E> {
                Ok(false)
            }

            fn skip(self) -> Result<(), E> {
                Ok(())
            }
        }

        let Some(name) = T::GROUP.text else {
            return Err(E::invalid_type(de::Unexpected::Str(text), &self));
        };
        let read = self.0.read(name, SingleText(text, PhantomData))?;
        check_seen::<T, E>(if read { T::GROUP.bit(name) } else { 0 })
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let (mut seen, mut next) = (0_u64, 0);
        while let Some(name) = map.next_key_seed(Key::<T>(next, PhantomData))? {
            let Some(name) = name else {
                map.next_value::<de::IgnoredAny>()?;
                continue;
            };
            next = T::GROUP.number(name).map_or(0, |number| number + 1);
            let bit = T::GROUP.bit(name);
            if seen & bit != 0 {
                return Err(de::Error::duplicate_field(name.shown()));
            }
            if self.0.read(name, Entry(&mut map))? {
                seen |= bit;
            }
        }
        check_seen::<T, A::Error>(seen)
    }
}

/// Checks that all required parts are present.
#[inline]
fn check_seen<T: Element, E: de::Error>(seen: u64) -> Result<bool, E> {
    match T::GROUP.first_missing(seen) {
        Some(part) => Err(de::Error::custom(lacks::<T>(part))),
        None => Ok(true),
    }
}

#[inline]
fn read_text<T: Leaf, E: de::Error>(text: &str, name: Name) -> Result<T, E> {
    match name.row() {
        Some(row) => T::read(text, row).map_err(E::custom),
        None => Err(E::custom("not a name of the schema")),
    }
}

/// Reads a map's key as the name of a row of `T`. The number is the index of the most likely row.
struct Key<T>(usize, PhantomData<T>);

impl<'de, T: Element> DeserializeSeed<'de> for Key<T> {
    type Value = Option<Name>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Name>, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<T: Element> Visitor<'_> for Key<T> {
    type Value = Option<Name>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    #[inline]
    fn visit_str<E: de::Error>(self, name: &str) -> Result<Option<Name>, E> {
        Ok(T::GROUP.find(name, self.0))
    }

    fn visit_bytes<E: de::Error>(self, name: &[u8]) -> Result<Option<Name>, E> {
        Ok(std::str::from_utf8(name)
            .ok()
            .and_then(|name| T::GROUP.find(name, self.0)))
    }
}

/// The value of a map's last key.
struct Entry<'a, A>(&'a mut A);

impl<'de, A: MapAccess<'de>> FieldSource<'de> for Entry<'_, A> {
    type Error = A::Error;

    #[inline]
    fn leaf<T: Leaf>(self, name: Name) -> Result<Option<T>, A::Error> {
        self.0.next_value_seed(TextSeed::<T>(name, PhantomData))
    }

    #[inline]
    fn fill<T: Element>(self, element: &mut T) -> Result<bool, A::Error> {
        self.0.next_value_seed(Fill(element))
    }

    #[inline]
    fn many<T: Item>(self, name: Name, into: &mut Vec<T>) -> Result<bool, A::Error> {
        self.0.next_value_seed(Many(name, into))
    }

    fn flag(self, _: Name) -> Result<bool, A::Error> {
        self.0.next_value()
    }

    fn skip(self) -> Result<(), A::Error> {
        self.0.next_value::<de::IgnoredAny>().map(drop)
    }
}

/// A value of a sequence.
struct One<D>(D);

impl<'de, D: Deserializer<'de>> FieldSource<'de> for One<D> {
    type Error = D::Error;

    #[inline]
    fn leaf<T: Leaf>(self, name: Name) -> Result<Option<T>, D::Error> {
        TextSeed::<T>(name, PhantomData).deserialize(self.0)
    }

    #[inline]
    fn fill<T: Element>(self, element: &mut T) -> Result<bool, D::Error> {
        let read = Fill(element).deserialize(self.0)?;
        match T::GROUP.first_missing(0) {
            Some(part) if !read => Err(de::Error::custom(lacks::<T>(part))),
            _ => Ok(read),
        }
    }

    fn many<T: Item>(self, name: Name, into: &mut Vec<T>) -> Result<bool, D::Error> {
        Many(name, into).deserialize(self.0)
    }

    fn flag(self, _: Name) -> Result<bool, D::Error> {
        serde_core::Deserialize::deserialize(self.0)
    }

    fn skip(self) -> Result<(), D::Error> {
        <de::IgnoredAny as serde_core::Deserialize>::deserialize(self.0).map(drop)
    }
}

/// Appends the values of a sequence to a field.
struct Many<'v, T>(Name, &'v mut Vec<T>);

impl<'de, T: Item> DeserializeSeed<'de> for Many<'_, T> {
    type Value = bool;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Item> Visitor<'de> for Many<'_, T> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a sequence of `{}`", self.0.shown())
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<bool, A::Error> {
        // Like serde, trust a size hint up to one megabyte only.
        let most = (1 << 20) / size_of::<T>().max(1);
        self.1
            .reserve_exact(values.size_hint().unwrap_or_default().min(most));
        while values.next_element_seed(Next(self.0, &mut *self.1))?.is_some() {}
        Ok(!self.1.is_empty())
    }
}

/// The next value of a sequence.
struct Next<'v, T>(Name, &'v mut Vec<T>);

impl<'de, T: Item> DeserializeSeed<'de> for Next<'_, T> {
    type Value = bool;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        T::push_item(One(deserializer), self.0, self.1)
    }
}

/// Reads a text, or a number or boolean of another format; `None` for an empty element.
struct TextSeed<T>(Name, PhantomData<T>);

impl<'de, T: Leaf> DeserializeSeed<'de> for TextSeed<T> {
    type Value = Option<T>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_newtype_struct(LEAF_NAME, self);
        }
        let value = T::deserialize(deserializer)?;
        self.checked(&value)?;
        Ok(Some(value))
    }
}

impl<T: Leaf> TextSeed<T> {
    fn row(&self) -> Option<&'static SchemaRow> {
        self.0.row()
    }

    /// Checks a value that a binary format gave as a typed value, in the same way as its text.
    fn checked<E: de::Error>(&self, value: &T) -> Result<(), E> {
        let mut scratch = String::new();
        read_text::<T, E>(value.text(&mut scratch), self.0).map(drop)
    }

    /// Reads a number as its text.
    fn number<E: de::Error>(self, number: de::Unexpected<'_>, text: &str) -> Result<Option<T>, E> {
        match self.row().map(SchemaRow::shape) {
            Some(Shape::Decimal | Shape::Integer) => read_text(text, self.0).map(Some),
            _ => Err(E::invalid_type(number, &self)),
        }
    }
}

impl<'de, T: Leaf> Visitor<'de> for TextSeed<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.row().map(SchemaRow::shape) {
            Some(Shape::Decimal) => "a decimal number",
            Some(Shape::Integer) => "a whole number",
            Some(Shape::YesNo) => "yes or no",
            _ => "a string",
        })
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_none<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    #[inline]
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Option<T>, E> {
        read_text(text, self.0).map(Some)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Option<T>, E> {
        match self.row().map(SchemaRow::shape) {
            Some(Shape::YesNo) => read_text(if value { "yes" } else { "no" }, self.0).map(Some),
            _ => Err(E::invalid_type(de::Unexpected::Bool(value), &self)),
        }
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Option<T>, E> {
        self.number(de::Unexpected::Unsigned(value), &value.to_string())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Option<T>, E> {
        self.number(de::Unexpected::Signed(value), &value.to_string())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Option<T>, E> {
        self.number(de::Unexpected::Float(value), &value.to_string())
    }
}

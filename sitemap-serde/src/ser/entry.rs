//! Serializing an entry: a struct or map with fields named as the schema's elements.

use serde_core::ser::{SerializeMap, SerializeStruct};
use serde_core::{Serialize, Serializer};
use sitemap_values::quote::quote;

use crate::error::{Error, Message, Result, Step, skip_field};
use crate::model::Kind;
use crate::raw::OTHER;
use crate::record::{ElementName, RecordWriter, Slot};
use crate::schema::field_meant;

use super::element::ElementSerializer;
use super::field::FieldSerializer;
use super::raw::RawSerializer;
use super::refuse::refuse;

/// Gives an entry's fields to a record.
pub(crate) struct EntrySerializer<'a> {
    record: RecordWriter<'a>,
}

impl<'a> EntrySerializer<'a> {
    pub(crate) fn new(record: RecordWriter<'a>) -> Self {
        EntrySerializer { record }
    }
}

fn refused(found: &str) -> Error {
    Error::custom(format_args!(
        "found {found} for an entry: it is a struct or map with the fields `loc`, `lastmod`, `changefreq`, `priority`"
    ))
}

impl<'a> Serializer for EntrySerializer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeMap = EntryFields<'a>;
    type SerializeStruct = EntryFields<'a>;

    refuse!(refused: scalars unit newtype_variant sequences tuple_structs struct_variant);

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<EntryFields<'a>> {
        Ok(EntryFields {
            record: self.record,
            key: String::new(),
        })
    }

    fn serialize_struct(mut self, name: &'static str, _: usize) -> Result<EntryFields<'a>> {
        // A struct named as the entry of one kind of document may only be in that kind.
        if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.entry() == name) {
            self.record.expect(kind)?;
        }
        self.serialize_map(None)
    }
}

/// The fields of one entry.
pub(crate) struct EntryFields<'a> {
    record: RecordWriter<'a>,
    key: String,
}

impl EntryFields<'_> {
    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let result = match Slot::from_name(name) {
            Some(slot) => value
                .serialize(FieldSerializer::new(&mut self.record, slot))
                .map_err(|error| {
                    if error.path().is_none() {
                        error.within(slot.name())
                    } else {
                        error
                    }
                }),
            None => self.element(name, value),
        };
        if result.is_err() {
            self.record.fail();
        }
        result
    }
}

impl EntryFields<'_> {
    /// Writes a field that is not one of the core's.
    fn element<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        if name == OTHER && self.record.known().keeps_raw() {
            return value
                .serialize(RawSerializer::new(&mut self.record))
                .map_err(|error| error.within(OTHER));
        }
        let is_expanded = name.starts_with('{');
        if !(name.contains(':') || is_expanded) || name.starts_with('@') {
            return value.serialize(Unknown(name));
        }
        let known = ElementName::find(self.record.known(), name);
        let result = match known {
            Ok(name) => {
                self.record.touch(name);
                value.serialize(ElementSerializer::new(&mut self.record, name))
            }
            // An unknown field is accepted if it is empty.
            Err(error) => match value.serialize(Unknown(name)) {
                Ok(()) => Ok(()),
                Err(_) => Err(error),
            },
        };
        result.map_err(|error| error.within(Step::other(name)))
    }
}

impl SerializeMap for EntryFields<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key.clear();
        key.serialize(KeySerializer(&mut self.key))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let key = std::mem::take(&mut self.key);
        let result = self.field(&key, value);
        self.key = key;
        result
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

impl SerializeStruct for EntryFields<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.field(name, value)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

/// Serializes a map's key: a string, or the name of a unit variant.
pub(super) struct KeySerializer<'a>(pub(super) &'a mut String);

fn refused_key(found: &str) -> Error {
    Error::custom(format_args!(
        "found {found} for a key: the name of a field is a string"
    ))
}

impl Serializer for KeySerializer<'_> {
    type Ok = ();
    type Error = Error;

    refuse!(refused_key: scalars_but_names unit newtype_variant sequences tuple_structs maps struct_variant);

    fn serialize_str(self, key: &str) -> Result<()> {
        self.0.push_str(key);
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }
}

/// Serializes a field that the schema does not have: accepted if empty, since nothing is lost; an error otherwise.
pub(super) struct Unknown<'a>(pub(super) &'a str);

impl Unknown<'_> {
    #[cold]
    fn refused(&self) -> Error {
        let name = quote(self.0);
        let rename = match field_meant(self.0) {
            Some(meant) => format!("did you mean `{meant}`? Rename it with `#[serde(rename = \"{meant}\")]`"),
            None => "rename it with `#[serde(rename = …)]`".to_owned(),
        };
        let message = Message::new(format!(
            "{name} is not a field of an entry: `loc`, `lastmod`, `changefreq`, `priority` are"
        ));
        Error::data(message.advice(format!("{rename}, or {}", skip_field()))).within(Step::other(self.0))
    }
}

macro_rules! unknown {
    ($($method:ident($($arg:ty),*) -> $output:ty;)*) => {
        $(fn $method(self, $(_: $arg),*) -> Result<$output> {
            Err(self.refused())
        })*
    };
}

impl Serializer for Unknown<'_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = serde_core::ser::Impossible<(), Error>;
    type SerializeTuple = serde_core::ser::Impossible<(), Error>;
    type SerializeTupleStruct = serde_core::ser::Impossible<(), Error>;
    type SerializeTupleVariant = serde_core::ser::Impossible<(), Error>;
    type SerializeMap = serde_core::ser::Impossible<(), Error>;
    type SerializeStruct = serde_core::ser::Impossible<(), Error>;
    type SerializeStructVariant = serde_core::ser::Impossible<(), Error>;

    unknown! {
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_i128(i128) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_u64(u64) -> ();
        serialize_u128(u128) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_str(&str) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
    }

    fn serialize_none(self) -> Result<()> {
        Ok(())
    }

    fn serialize_unit(self) -> Result<()> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        Err(self.refused())
    }
}

//! Serializing an entry: a struct or map with fields named like the schema's elements.

use serde_core::{Serialize, Serializer};
use sitemap_values::quote::quote;

use crate::error::{Error, Message, Result, Step, skip_field};
use crate::model::Kind;
use crate::raw::OTHER;
use crate::record::{ElementName, RecordWriter, Slot};
use crate::schema::field_meant;

use super::compound::fields;
use super::element::ElementSerializer;
use super::raw::RawSerializer;
use super::refuse::refuse;
use super::text::{TextSerializer, TextTarget};

/// Gives an entry's fields to a record.
pub(crate) struct EntrySerializer<'a> {
    record: RecordWriter<'a>,
}

impl<'a> EntrySerializer<'a> {
    pub(crate) fn new(record: RecordWriter<'a>) -> Self {
        EntrySerializer { record }
    }
}

impl EntrySerializer<'_> {
    fn refused(&self, found: &str) -> Error {
        Error::custom(format_args!(
            "found {found} for an entry: it is a struct or map with the fields `loc`, `lastmod`, `changefreq`, `priority`"
        ))
    }
}

impl<'a> Serializer for EntrySerializer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeMap = EntryFields<'a>;
    type SerializeStruct = EntryFields<'a>;

    refuse!(scalars unit newtype_variant sequences tuple_structs struct_variant);

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
                .serialize(TextSerializer::new(&mut self.record, TextTarget::Core(slot)))
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

    /// Writes a field outside the core.
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

    fn finish(self) -> Result<()> {
        Ok(())
    }
}

fields!([] EntryFields<'_>);

/// Serializes a map's key: a string, or the name of a unit variant.
pub(super) struct KeySerializer<'a>(pub(super) &'a mut String);

impl KeySerializer<'_> {
    fn refused(&self, found: &str) -> Error {
        Error::custom(format_args!(
            "found {found} for a key: the name of a field is a string"
        ))
    }
}

impl Serializer for KeySerializer<'_> {
    type Ok = ();
    type Error = Error;

    refuse!(scalars_but_names unit newtype_variant sequences tuple_structs maps struct_variant);

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
    fn refused(&self, _found: &str) -> Error {
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

impl Serializer for Unknown<'_> {
    type Ok = ();
    type Error = Error;

    refuse!(scalars newtype_variant sequences tuple_structs maps struct_variant);

    fn serialize_none(self) -> Result<()> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    /// A unit is a value: in a namespace of your own it is an empty element.
    fn serialize_unit(self) -> Result<()> {
        Err(self.refused("a unit"))
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<()> {
        match name {
            // It says something only to the compiler.
            "PhantomData" => Ok(()),
            _ => Err(self.refused("a unit")),
        }
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }
}

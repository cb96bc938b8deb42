//! Serializing the value of a core field: text, or a number where the schema has one.

use std::fmt::{self, Write};

use serde_core::{Serialize, Serializer};
use sitemap_values::newtype::PRIORITY_NAME;
use sitemap_values::{Priority, Rule, ValueError};

use crate::error::{Error, Message, Result};
use crate::record::{RecordWriter, Slot};

use super::refuse::refuse;

/// Serializes one value of the record.
pub(crate) struct FieldSerializer<'r, 'a> {
    record: &'r mut RecordWriter<'a>,
    slot: Slot,
}

impl<'r, 'a> FieldSerializer<'r, 'a> {
    pub(crate) fn new(record: &'r mut RecordWriter<'a>, slot: Slot) -> Self {
        FieldSerializer { record, slot }
    }

    /// Writes a value as its `Display` text.
    fn display(self, value: fmt::Arguments<'_>) -> Result<()> {
        let mut text = std::mem::take(self.record.scratch());
        text.clear();
        let result = match text.write_fmt(value) {
            Ok(()) => self.record.text(self.slot, &text),
            Err(fmt::Error) => {
                Err(Error::custom("the value's `Display` returned an error").within(self.slot.name()))
            }
        };
        *self.record.scratch() = text;
        result
    }

    /// An integer: a year if it is a lastmod's, which is often a Unix time by mistake.
    fn integer(self, value: fmt::Arguments<'_>) -> Result<()> {
        let slot = self.slot;
        self.display(value).map_err(|error| match error.rule() {
            Some(Rule::Lastmod) if slot == Slot::Lastmod => Error::data(
                Message::new(format!("the integer {value} is not a lastmod: it is a W3C Datetime, such as `2026-05-01`")).advice(
                    "Unix seconds: `#[serde(with = \"sitemap_serde::convert::unix_seconds\")]`, and `unix_millis` in the same \
                     place",
                ),
            )
            .breaks(Rule::Lastmod)
            .within(slot.name()),
            _ => error,
        })
    }

    fn number(self, priority: Result<Priority, ValueError>) -> Result<()> {
        let name = self.slot.name();
        if self.slot != Slot::Priority {
            return Err(refused("a float").within(name));
        }
        self.record
            .priority(priority.map_err(|error| Error::from(error).within(name))?)
    }
}

fn refused(found: &str) -> Error {
    Error::custom(format_args!(
        "found {found} for a field of an entry: it is text, or a number for a priority; skip the field, or convert it \
         with `#[serde(serialize_with = …)]`"
    ))
}

macro_rules! integers {
    ($($method:ident($type:ty))*) => {
        $(fn $method(self, value: $type) -> Result<()> {
            self.integer(format_args!("{value}"))
        })*
    };
}

impl Serializer for FieldSerializer<'_, '_> {
    type Ok = ();
    type Error = Error;

    refuse!(refused: bytes newtype_variant sequences tuple_structs maps struct_variant);

    integers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.display(format_args!("{value}"))
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.display(format_args!("{value}"))
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        self.number(Priority::try_from(value))
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        self.number(Priority::try_from(value))
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        self.record.text(self.slot, value)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<()> {
        self.display(format_args!("{value}"))
    }

    fn serialize_none(self) -> Result<()> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        if name == PRIORITY_NAME {
            return value.serialize(DigitsSerializer(self));
        }
        value.serialize(self)
    }
}

/// Serializes a `Priority` as text: not human-readable, so that it gives its digits, not a number.
struct DigitsSerializer<'r, 'a>(FieldSerializer<'r, 'a>);

impl Serializer for DigitsSerializer<'_, '_> {
    type Ok = ();
    type Error = Error;

    refuse!(refused: scalars_but_str unit newtypes newtype_variant sequences tuple_structs maps struct_variant);

    fn serialize_str(self, value: &str) -> Result<()> {
        match self.0.slot {
            // A `Priority` is valid already, and needs no second check.
            Slot::Priority => self.0.record.checked_text(Slot::Priority, value),
            _ => self.0.serialize_str(value),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

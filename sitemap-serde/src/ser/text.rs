//! Serializing one text: the value of a core field, an element's text, or an attribute.

use std::fmt::{self, Write};

use serde_core::{Serialize, Serializer};
use sitemap_values::newtype::{DECIMAL_NAME, PRIORITY_NAME};
use sitemap_values::quote::quote;
use sitemap_values::{Priority, Rule};

use crate::error::{Advice, Error, Message, Result};
use crate::record::{ElementName, RecordWriter, Slot};
use crate::schema::Shape;

use super::options::options;
use super::refuse::refuse;

/// The destination of a text.
#[derive(Clone, Copy)]
pub(super) enum TextTarget<'n> {
    /// A core field.
    Core(Slot),
    /// An element of its own.
    Element(ElementName<'n>),
    /// Like `Element`, within a sequence.
    Item(ElementName<'n>),
    /// An attribute of the open element, `@` included.
    Attribute(&'n str),
    /// The text of the open element.
    OpenElement(ElementName<'n>),
}

/// Serializes a value as one text of the record.
pub(super) struct TextSerializer<'r, 'a, 'n> {
    record: &'r mut RecordWriter<'a>,
    target: TextTarget<'n>,
}

impl<'r, 'a, 'n> TextSerializer<'r, 'a, 'n> {
    #[inline]
    pub(super) fn new(record: &'r mut RecordWriter<'a>, target: TextTarget<'n>) -> Self {
        TextSerializer { record, target }
    }

    #[inline]
    fn put(self, text: &str) -> Result<()> {
        match self.target {
            TextTarget::Core(slot) => self.record.text(slot, text),
            TextTarget::Item(_) if crate::xml::trim(text).is_empty() => Err(absent_item("a blank text")),
            TextTarget::Element(name) | TextTarget::Item(name) => self.record.leaf(name, text),
            TextTarget::Attribute(name) => self.record.attribute(name, text),
            TextTarget::OpenElement(_) => self.record.element_text(text),
        }
    }

    /// Writes a value as its `Display` text.
    fn display(self, value: fmt::Arguments<'_>) -> Result<()> {
        let TextSerializer { record, target } = self;
        let mut text = std::mem::take(record.scratch());
        text.clear();
        let result = match text.write_fmt(value) {
            Ok(()) => TextSerializer::new(record, target).put(&text),
            Err(fmt::Error) => Err(Error::custom("the value's `Display` returned an error")),
        };
        *record.scratch() = text;
        result
    }

    /// Writes an integer. For a lastmod it is a year, but often a Unix time by mistake.
    fn integer(self, value: fmt::Arguments<'_>) -> Result<()> {
        let is_lastmod = matches!(self.target, TextTarget::Core(Slot::Lastmod));
        self.display(value).map_err(|error| match error.rule() {
            Some(Rule::Lastmod) if is_lastmod => not_a_lastmod(value),
            _ => error,
        })
    }

    fn float(self, value: f64, text: fmt::Arguments<'_>) -> Result<()> {
        if let TextTarget::Core(_) = self.target {
            return Err(self.refused("a float"));
        }
        if value.is_finite() {
            return self.display(text);
        }
        Err(Error::data(
            Message::new(format!(
                "{} is not a decimal number: XML's have digits and a point",
                quote(&value.to_string())
            ))
            .advice("leave the field out, or write a number"),
        ))
    }

    /// Returns `true` if the text is `yes` or `no`.
    fn is_yes_no(&self) -> bool {
        match self.target {
            TextTarget::Core(_) => false,
            TextTarget::Attribute(name) => name == "@allow_embed",
            TextTarget::Element(name) | TextTarget::Item(name) | TextTarget::OpenElement(name) => {
                name.shape() == Some(Shape::YesNo)
            }
        }
    }

    fn refused(&self, found: &str) -> Error {
        if let TextTarget::Core(Slot::Lastmod) = self.target {
            return Error::data(
                Message::new(format!("found {found} for a lastmod: it is text")).advice(Advice::of_api(
                    "with",
                    "make the field a `sitemap_serde::W3cDateTime`, or convert it by a module of `sitemap_serde::with`: that for \
                     `time::OffsetDateTime` is `#[serde(with = \"sitemap_serde::with::offset_date_time\")]`",
                )),
            );
        }
        if let TextTarget::Core(_) = self.target {
            return Error::custom(format_args!(
                "found {found} for a field of an entry: it is text, or a number for a priority; skip the field, or convert it \
                 with `#[serde(serialize_with = …)]`"
            ));
        }
        Error::custom(format_args!(
            "found {found} for a text or attribute: it is text, a number or a bool; skip the field, or convert it with \
             `#[serde(serialize_with = …)]`"
        ))
    }
}

/// The error for an item of a sequence that has no element: the items after it would change their index.
#[cold]
pub(super) fn absent_item(found: &str) -> Error {
    Error::data(
        Message::new(format!(
            "{found} in a sequence: it has no element, so what comes after it would take its place"
        ))
        .advice("leave it out of the sequence, or write a value"),
    )
}

#[cold]
fn not_a_lastmod(value: fmt::Arguments<'_>) -> Error {
    Error::data(
        Message::new(format!(
            "the integer {value} is not a lastmod: it is a W3C Datetime, such as `2026-05-01`"
        ))
        .advice(
            "Unix seconds: `#[serde(with = \"sitemap_serde::with::unix_seconds\")]`, and `unix_millis` in the same place",
        ),
    )
    .breaks(Rule::Lastmod)
}

macro_rules! integers {
    ($($method:ident($type:ty))*) => {
        $(fn $method(self, value: $type) -> Result<()> {
            self.integer(format_args!("{value}"))
        })*
    };
}

impl Serializer for TextSerializer<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    refuse!(bytes newtype_variant sequences tuple_structs maps struct_variant);

    integers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        match (self.is_yes_no(), value) {
            (true, true) => self.put("yes"),
            (true, false) => self.put("no"),
            (false, _) => self.put(if value { "true" } else { "false" }),
        }
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        match self.target {
            TextTarget::Core(Slot::Priority) => self.record.priority(Priority::try_from(value)?),
            _ => self.float(value.into(), format_args!("{value}")),
        }
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        match self.target {
            TextTarget::Core(Slot::Priority) => self.record.priority(Priority::try_from(value)?),
            _ => self.float(value, format_args!("{value}")),
        }
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.put(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.put(value)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<()> {
        self.display(format_args!("{value}"))
    }

    options!();

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.put(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        let is_core = matches!(self.target, TextTarget::Core(_));
        if name == PRIORITY_NAME || name == DECIMAL_NAME && !is_core {
            return value.serialize(DigitsSerializer(self));
        }
        value.serialize(self)
    }
}

/// Serializes a `Decimal` or `Priority` as text: not human-readable, so that these give their digits, not a number.
struct DigitsSerializer<'r, 'a, 'n>(TextSerializer<'r, 'a, 'n>);

impl DigitsSerializer<'_, '_, '_> {
    fn refused(&self, found: &str) -> Error {
        Error::custom(format_args!("found {found} for the digits of a number"))
    }
}

impl Serializer for DigitsSerializer<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    refuse!(scalars_but_str unit newtypes newtype_variant sequences tuple_structs maps struct_variant);

    fn serialize_str(self, value: &str) -> Result<()> {
        match self.0.target {
            // A `Priority` is valid already, and needs no second check.
            TextTarget::Core(Slot::Priority) => self.0.record.checked_text(Slot::Priority, value),
            _ => self.0.put(value),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

//! Serializing an element of an extension or a user namespace: text, or a struct of attributes and children.

use std::fmt::{self, Write};

use serde_core::ser::{SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct};
use serde_core::{Serialize, Serializer};
use sitemap_values::newtype::{DECIMAL_NAME, PRIORITY_NAME};
use sitemap_values::quote::quote;

use crate::error::{Error, Result, Step};
use crate::raw::OTHER;
use crate::record::{ElementName, RecordWriter};
use crate::schema::{Name, Shape};

use super::entry::KeySerializer;
use super::raw::RawSerializer;
use super::refuse::refuse;

/// Gives one element, or several of one name, to the record. The caller adds the name to an error's path.
pub(crate) struct ElementSerializer<'r, 'a, 'n> {
    record: &'r mut RecordWriter<'a>,
    name: ElementName<'n>,
    /// Whether the element is an item of a sequence.
    in_sequence: bool,
    /// Whether the element is in an `Option`.
    in_option: bool,
}

impl<'r, 'a, 'n> ElementSerializer<'r, 'a, 'n> {
    pub(crate) fn new(record: &'r mut RecordWriter<'a>, name: ElementName<'n>) -> Self {
        ElementSerializer {
            record,
            name,
            in_sequence: false,
            in_option: false,
        }
    }

    /// Accepts a value without an element. Alone it is an absent field; within a sequence it is an error, since the items
    /// after it would change their index.
    fn nothing(self, found: &str) -> Result<()> {
        if self.in_sequence {
            return Err(Error::data(format!(
                "{found} in a sequence: it has no element, so what comes after it would take its place; leave it out of the \
                 sequence, or write a value"
            )));
        }
        Ok(())
    }

    fn display(self, value: fmt::Arguments<'_>) -> Result<()> {
        let (name, in_sequence, in_option) = (self.name, self.in_sequence, self.in_option);
        displayed(self.record, value, |record, text| {
            let element = ElementSerializer {
                record,
                name,
                in_sequence,
                in_option,
            };
            element.serialize_str(text)
        })
    }

    fn empty(self) -> Result<()> {
        if self.in_option && self.name.shape() != Some(Shape::Flag) {
            return Err(bare_some(self.name));
        }
        self.record.open(self.name)?;
        self.record.close()
    }

    fn sequence(self) -> Result<Sequence<'r, 'a, 'n>> {
        if self.in_sequence {
            return Err(refused("a sequence in a sequence"));
        }
        Ok(Sequence {
            record: self.record,
            name: self.name,
            index: 0,
        })
    }

    fn children(self) -> Result<Children<'r, 'a, 'n>> {
        self.record.open(self.name)?;
        Ok(Children {
            record: self.record,
            name: self.name,
            key: String::new(),
            in_option: self.in_option,
        })
    }
}

/// The error for a `Some` whose element would be empty.
#[cold]
fn bare_some(name: ElementName<'_>) -> Error {
    let name = name.as_str();
    Error::data(format!(
        "`Some` of an empty `{name}`: it would be written as `<{name}/>`, which reads as `None`; write `None`, or give it an \
         attribute, a child or a text"
    ))
}

/// Writes a value as its `Display` text.
fn displayed<'a>(
    record: &mut RecordWriter<'a>,
    value: fmt::Arguments<'_>,
    give: impl FnOnce(&mut RecordWriter<'a>, &str) -> Result<()>,
) -> Result<()> {
    let mut text = std::mem::take(record.scratch());
    text.clear();
    let result = match text.write_fmt(value) {
        Ok(()) => give(record, &text),
        Err(fmt::Error) => Err(Error::custom("the value's `Display` returned an error")),
    };
    *record.scratch() = text;
    result
}

fn finite(value: f64) -> Result<()> {
    if value.is_finite() {
        return Ok(());
    }
    Err(Error::data(format!(
        "{} is not a decimal number: XML's have digits and a point; leave the field out, or write a number",
        quote(&value.to_string())
    )))
}

fn refused(found: &str) -> Error {
    Error::custom(format_args!(
        "found {found} for an element: it is text, a number, a bool, a struct of attributes (`@name`), children and `$text`, or a \
         sequence of these; skip the field, or convert it with `#[serde(serialize_with = …)]`"
    ))
}

macro_rules! displayed {
    ($($method:ident($type:ty))*) => {
        $(fn $method(self, value: $type) -> Result<()> {
            self.display(format_args!("{value}"))
        })*
    };
}

impl<'r, 'a, 'n> Serializer for ElementSerializer<'r, 'a, 'n> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Sequence<'r, 'a, 'n>;
    type SerializeTuple = Sequence<'r, 'a, 'n>;
    type SerializeTupleStruct = Sequence<'r, 'a, 'n>;
    type SerializeTupleVariant = serde_core::ser::Impossible<(), Error>;
    type SerializeMap = Children<'r, 'a, 'n>;
    type SerializeStruct = Children<'r, 'a, 'n>;

    refuse!(refused: bytes newtype_variant struct_variant);

    displayed! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_char(char)
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        match (self.name.shape(), value) {
            (Some(Shape::Flag), true) => self.empty(),
            (Some(Shape::Flag), false) => self.nothing("`false`"),
            (Some(Shape::YesNo), _) => self.serialize_str(if value { "yes" } else { "no" }),
            _ => self.display(format_args!("{value}")),
        }
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        finite(value.into())?;
        self.display(format_args!("{value}"))
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        finite(value)?;
        self.display(format_args!("{value}"))
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        if self.in_sequence && crate::xml::trim(value).is_empty() {
            return self.nothing("a blank text");
        }
        self.record.leaf(self.name, value)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<()> {
        self.display(format_args!("{value}"))
    }

    fn serialize_none(self) -> Result<()> {
        self.nothing("`None`")
    }

    fn serialize_some<T: Serialize + ?Sized>(mut self, value: &T) -> Result<()> {
        self.in_option = true;
        value.serialize(self)
    }

    /// Writes nothing, except for an element whose presence has a meaning; every element outside the schema may have one.
    fn serialize_unit(self) -> Result<()> {
        if self.name.is_outside_schema() || self.name.shape() == Some(Shape::Flag) {
            return self.empty();
        }
        self.nothing("a unit")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.empty()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        if name == PRIORITY_NAME || name == DECIMAL_NAME {
            return value.serialize(Digits(TextSerializer {
                record: self.record,
                target: TextTarget::Element(self.name),
            }));
        }
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
        self.sequence()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
        self.sequence()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
        self.sequence()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(refused("an enum's tuple variant"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
        self.children()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> {
        self.children()
    }
}

/// A sequence of elements of one name.
pub(crate) struct Sequence<'r, 'a, 'n> {
    record: &'r mut RecordWriter<'a>,
    name: ElementName<'n>,
    index: usize,
}

impl Sequence<'_, '_, '_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.index;
        self.index += 1;
        value
            .serialize(ElementSerializer {
                record: self.record,
                name: self.name,
                in_sequence: true,
                in_option: false,
            })
            .map_err(|error| {
                self.record.fail();
                error.at_index(index)
            })
    }
}

macro_rules! sequence {
    ($($trait:ident $method:ident)*) => {
        $(impl $trait for Sequence<'_, '_, '_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.element(value)
            }

            fn end(self) -> Result<()> {
                Ok(())
            }
        })*
    };
}
sequence! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
}

/// The attributes, children and text of one element.
pub(crate) struct Children<'r, 'a, 'n> {
    record: &'r mut RecordWriter<'a>,
    name: ElementName<'n>,
    key: String,
    /// Whether the element is in an `Option`.
    in_option: bool,
}

impl Children<'_, '_, '_> {
    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let result = if let Some(child) = Name::of_extension(name) {
            value.serialize(ElementSerializer::new(self.record, child.into()))
        } else if name == "$text" {
            value.serialize(TextSerializer {
                record: self.record,
                target: TextTarget::OpenElement(self.name),
            })
        } else if name == OTHER && self.record.known().keeps_raw() {
            value.serialize(RawSerializer::new(self.record))
        } else if name.starts_with('@') {
            value.serialize(TextSerializer {
                record: self.record,
                target: TextTarget::Attribute(name),
            })
        } else if name.contains(':') || name.starts_with('{') || self.takes_core_children() {
            ElementName::find(self.record.known(), name)
                .and_then(|child| value.serialize(ElementSerializer::new(self.record, child)))
        } else if name == "$value" {
            Err(Error::data(
                "`$value` is not a field of an element: its text is `$text`; rename it with `#[serde(rename = \"$text\")]`",
            ))
        } else {
            let (prefix, _) = crate::xml::names::split(self.name.as_str());
            Err(Error::data(format!(
                "{} is not a field of `{}`: its children have their prefix, attributes an `@`, and its text is `$text`; rename it, \
                 to `{prefix}:{name}` or `@{name}` perhaps, with `#[serde(rename = …)]`",
                quote(name),
                self.name.as_str()
            )))
        };
        result.map_err(|error| {
            self.record.fail();
            error.within(Step::other(name))
        })
    }

    /// Whether children may be in the sitemap's own namespace: only in an element of an unknown namespace.
    fn takes_core_children(&mut self) -> bool {
        self.name.is_outside_schema() && self.record.known().has_expanded_names()
    }

    fn finish(self) -> Result<()> {
        if self.in_option && self.record.is_bare() && self.name.shape() != Some(Shape::Flag) {
            return Err(bare_some(self.name));
        }
        self.record.close()
    }
}

impl SerializeMap for Children<'_, '_, '_> {
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
        self.finish()
    }
}

impl SerializeStruct for Children<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.field(name, value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

/// The destination of a text.
#[derive(Clone, Copy)]
enum TextTarget<'n> {
    /// An element of its own.
    Element(ElementName<'n>),
    /// An attribute of the open element, `@` included.
    Attribute(&'n str),
    /// The text of the open element.
    OpenElement(ElementName<'n>),
}

/// Serializes a value as one text of the record.
struct TextSerializer<'r, 'a, 'n> {
    record: &'r mut RecordWriter<'a>,
    target: TextTarget<'n>,
}

impl TextSerializer<'_, '_, '_> {
    fn put(self, text: &str) -> Result<()> {
        match self.target {
            TextTarget::Element(name) => self.record.leaf(name, text),
            TextTarget::Attribute(name) => self.record.attribute(name, text),
            TextTarget::OpenElement(_) => self.record.element_text(text),
        }
    }

    fn display(self, value: fmt::Arguments<'_>) -> Result<()> {
        let target = self.target;
        displayed(self.record, value, |record, text| {
            TextSerializer { record, target }.put(text)
        })
    }
}

fn refused_text(found: &str) -> Error {
    Error::custom(format_args!(
        "found {found} for a text or attribute: it is text, a number or a bool; skip the field, or convert it with \
         `#[serde(serialize_with = …)]`"
    ))
}

impl Serializer for TextSerializer<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    refuse!(refused_text: bytes newtype_variant sequences tuple_structs maps struct_variant);

    displayed! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_char(char)
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        let is_yes_no = match self.target {
            TextTarget::Attribute(name) => name == "@allow_embed",
            TextTarget::Element(name) | TextTarget::OpenElement(name) => name.shape() == Some(Shape::YesNo),
        };
        match (is_yes_no, value) {
            (true, true) => self.put("yes"),
            (true, false) => self.put("no"),
            (false, _) => self.display(format_args!("{value}")),
        }
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        finite(value.into())?;
        self.display(format_args!("{value}"))
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        finite(value)?;
        self.display(format_args!("{value}"))
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        self.put(value)
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
        self.put(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        if name == PRIORITY_NAME || name == DECIMAL_NAME {
            return value.serialize(Digits(self));
        }
        value.serialize(self)
    }
}

/// Serializes a `Decimal` or `Priority` as text: not human-readable, so that these give their digits, not a number.
struct Digits<'r, 'a, 'n>(TextSerializer<'r, 'a, 'n>);

fn refused_digits(found: &str) -> Error {
    Error::custom(format_args!("found {found} for the digits of a number"))
}

impl Serializer for Digits<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    refuse!(refused_digits: scalars_but_str unit newtypes newtype_variant sequences tuple_structs maps struct_variant);

    fn serialize_str(self, value: &str) -> Result<()> {
        self.0.put(value)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

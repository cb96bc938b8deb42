//! Serializing an element of an extension or a user namespace: text, or a struct of attributes and children.
//!
//! **Elements of a user's namespace go through serde.** `EntryWriter::element` and `EntryReader::element` are the (de)serializers of one
//! element in an entry, which a struct's fields go through as well, so both ways write and read the same.

use std::fmt;

use serde_core::{Serialize, Serializer};
use sitemap_values::newtype::{DECIMAL_NAME, PRIORITY_NAME};
use sitemap_values::quote::quote;

use crate::error::{Error, Message, Result, Step};
use crate::raw::OTHER;
use crate::record::{ElementName, RecordWriter};
use crate::schema::{Name, Shape};

use super::compound::{fields, sequence};
use super::link::LinkParts;
use super::raw::RawSerializer;
use super::refuse::refuse;
use super::text::{TextSerializer, TextTarget, absent_item};

/// Gives one element, or several with one name, to the record. The caller adds the name to an error's path.
pub(crate) struct ElementSerializer<'r, 'a, 'n> {
    record: &'r mut RecordWriter<'a>,
    name: ElementName<'n>,
    /// `true` if the element is an item of a sequence.
    in_sequence: bool,
    /// `true` if the element is in an `Option`.
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
            return Err(absent_item(found));
        }
        Ok(())
    }

    fn text(self) -> TextSerializer<'r, 'a, 'n> {
        let target = if self.in_sequence {
            TextTarget::Item(self.name)
        } else {
            TextTarget::Element(self.name)
        };
        TextSerializer::new(self.record, target)
    }

    fn refused(&self, found: &str) -> Error {
        Error::custom(format_args!(
            "found {found} for an element: it is text, a number, a bool, a struct of attributes (`@name`), children and `$text`, \
             or a sequence of these; skip the field, or convert it with `#[serde(serialize_with = …)]`"
        ))
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
            return Err(self.refused("a sequence in a sequence"));
        }
        Ok(Sequence {
            record: self.record,
            name: self.name,
            index: 0,
            in_option: self.in_option,
            is_bare: false,
        })
    }

    fn children(self) -> Result<Children<'r, 'a, 'n>> {
        let link = LinkParts::new(self.name, self.record);
        if link.is_none() {
            self.record.open(self.name)?;
        }
        Ok(Children {
            record: self.record,
            name: self.name,
            key: String::new(),
            in_option: self.in_option,
            link,
        })
    }
}

/// The error for a `Some` whose element would be empty.
#[cold]
fn bare_some(name: ElementName<'_>) -> Error {
    let name = name.as_str();
    Error::data(
        Message::new(format!(
            "`Some` of an empty `{name}`: it would be written as `<{name}/>`, which reads as `None`"
        ))
        .advice("write `None`, or give it an attribute, a child or a text"),
    )
}

macro_rules! texts {
    ($($method:ident($type:ty))*) => {
        $(fn $method(self, value: $type) -> Result<()> {
            self.text().$method(value)
        })*
    };
}

impl<'r, 'a, 'n> Serializer for ElementSerializer<'r, 'a, 'n> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Sequence<'r, 'a, 'n>;
    type SerializeTuple = Sequence<'r, 'a, 'n>;
    type SerializeTupleStruct = Sequence<'r, 'a, 'n>;
    type SerializeMap = Children<'r, 'a, 'n>;
    type SerializeStruct = Children<'r, 'a, 'n>;

    refuse!(bytes newtype_variant tuple_variant struct_variant);

    texts! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_f32(f32) serialize_f64(f64) serialize_char(char) serialize_str(&str)
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        match (self.name.shape(), value) {
            (Some(Shape::Flag), true) => self.empty(),
            (Some(Shape::Flag), false) => self.nothing("`false`"),
            _ => self.text().serialize_bool(value),
        }
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<()> {
        self.text().collect_str(value)
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
            return self.text().serialize_newtype_struct(name, value);
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

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
        self.children()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> {
        self.children()
    }
}

/// A sequence of elements with one name.
pub(crate) struct Sequence<'r, 'a, 'n> {
    record: &'r mut RecordWriter<'a>,
    name: ElementName<'n>,
    index: usize,
    /// `true` if the sequence is in an `Option`.
    in_option: bool,
    /// `true` if the last element is empty.
    is_bare: bool,
}

impl Sequence<'_, '_, '_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.index;
        self.index += 1;
        self.record.forget_bare();
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
            })?;
        self.is_bare = self.record.last_is_bare();
        Ok(())
    }

    /// A single empty element reads as `None`.
    fn finish(self) -> Result<()> {
        if self.in_option && self.index == 1 && self.is_bare {
            self.record.fail();
            return Err(bare_some(self.name));
        }
        Ok(())
    }
}

sequence!(Sequence<'_, '_, '_>);

/// The attributes, children and text of one element.
pub(crate) struct Children<'r, 'a, 'n> {
    record: &'r mut RecordWriter<'a>,
    name: ElementName<'n>,
    key: String,
    /// `true` if the element is in an `Option`.
    in_option: bool,
    /// The attributes so far, if it is a link that may be written at once. The element is not opened then.
    link: Option<LinkParts>,
}

impl Children<'_, '_, '_> {
    /// Opens the element after all, with the attributes so far.
    fn open_link(&mut self, link: LinkParts) -> Result<()> {
        self.record.open(self.name)?;
        let written = link
            .attributes()
            .try_for_each(|(name, text)| self.field(name, text));
        link.give_back(self.record);
        written
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        if let Some(mut link) = self.link.take() {
            if link.take(name, value) {
                self.link = Some(link);
                return Ok(());
            }
            self.open_link(link)?;
        }
        let result = if let Some(child) = Name::of_extension(name) {
            value.serialize(ElementSerializer::new(self.record, child.into()))
        } else if name == "$text" {
            value.serialize(TextSerializer::new(
                self.record,
                TextTarget::OpenElement(self.name),
            ))
        } else if name == OTHER && self.record.known().keeps_raw() {
            value.serialize(RawSerializer::new(self.record))
        } else if name.starts_with('@') {
            value.serialize(TextSerializer::new(self.record, TextTarget::Attribute(name)))
        } else if name.contains(':') || name.starts_with('{') || self.takes_core_children() {
            ElementName::find(self.record.known(), name)
                .and_then(|child| value.serialize(ElementSerializer::new(self.record, child)))
        } else if name == "$value" {
            Err(Error::data(
                Message::new("`$value` is not a field of an element: its text is `$text`")
                    .advice("rename it with `#[serde(rename = \"$text\")]`"),
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

    /// Returns `true` if children may be in the sitemap's own namespace: only in an element of an unknown namespace.
    fn takes_core_children(&mut self) -> bool {
        self.name.is_outside_schema() && self.record.known().has_expanded_names()
    }

    fn finish(mut self) -> Result<()> {
        if let Some(link) = self.link.take() {
            if link.write(self.record) {
                link.give_back(self.record);
                return Ok(());
            }
            self.open_link(link)?;
        }
        if self.in_option && self.record.is_bare() && self.name.shape() != Some(Shape::Flag) {
            return Err(bare_some(self.name));
        }
        self.record.close()
    }
}

fields!([] Children<'_, '_, '_>);

//! Deserializing the value of an element or attribute.
//!
//! **The crate's deserializer recognises the crate's types** by the private names of two newtype structs (`LEAF_NAME`, `ELEMENT_NAME`), as
//! serde_json recognises its `RawValue`. Then an empty element has no value, and a second one gives the schema's error. Other formats see
//! ordinary text, numbers and maps, checked by the same rows.

use serde_core::de::{DeserializeSeed, Deserializer, SeqAccess, Unexpected, Visitor};
use sitemap_values::newtype::{DECIMAL_NAME, PRIORITY_NAME};
use sitemap_values::quote::quote;
use sitemap_values::schema::yes_no;

use crate::error::{Defect, Error, Message, Result};
use crate::raw::{OTHER, RAW_NAME};
use crate::record::{Node, RecordView};
use crate::schema::{self, SchemaRow, Shape};
use crate::xml::source::SourceText;

use super::decimal::{self, Float};
use super::entry::{Fields, in_buffered_field};
use super::refused::{self, or_as_text};
use super::variant::UnitVariant;

/// All elements with one name within their parent, a single element, an element's text, or an attribute.
#[derive(Debug)]
pub(super) struct Value<'de, 'r> {
    record: &'r RecordView<'de, 'r>,
    node: &'r Node,
    text: SourceText<'de, 'r>,
    /// The node's index, if the node's attributes and children belong to the value.
    index: Option<usize>,
    /// `true` if the other elements of the same name belong to the value too.
    all: bool,
}

impl<'de, 'r> Value<'de, 'r> {
    /// The element at `index`, and all others of the same name in the same parent.
    #[inline]
    pub(super) fn element(record: &'r RecordView<'de, 'r>, index: usize, node: &'r Node) -> Self {
        Value {
            record,
            node,
            text: record.value(node),
            index: Some(index),
            all: true,
        }
    }

    /// The text of an element, without its attributes and children.
    pub(super) fn text(record: &'r RecordView<'de, 'r>, node: &'r Node) -> Self {
        Value {
            record,
            node,
            text: record.value(node),
            index: None,
            all: false,
        }
    }

    #[inline]
    fn fields(&self) -> Option<Fields<'de, 'r>> {
        self.index.map(|index| Fields::of(self.record, index, self.node))
    }

    /// Returns `true` if the element has attributes or children.
    #[inline]
    fn is_structured(&self) -> bool {
        self.index.is_some_and(|index| self.node.next() > index + 1)
    }

    /// The text of a single element; an error if there are several, or if its values are in its parts.
    #[inline]
    fn one(&self) -> Result<SourceText<'de, 'r>> {
        self.check_single()?;
        if self.text.get().is_empty() {
            self.check_text()?;
        }
        Ok(self.text)
    }

    /// Returns an error for an element without text that has children, or has attributes in the schema.
    #[cold]
    fn check_text(&self) -> Result<()> {
        let Some(index) = self.index else { return Ok(()) };
        let takes_attributes = match self.shape() {
            Some(Shape::Group) => true,
            None => false,
            Some(_) => return Ok(()),
        };
        let mut parts = Vec::new();
        for part in self.record.table.parts(index) {
            let name = self.record.node(part).map_or("", |node| self.record.name(node));
            if takes_attributes || !name.starts_with('@') {
                let name = quote(name).to_string();
                if !parts.contains(&name) {
                    parts.push(name);
                }
            }
            if parts.len() == 8 {
                break;
            }
        }
        if parts.is_empty() {
            return Ok(());
        }
        let (name, first) = (self.record.name(self.node), &parts[0]);
        let message = Message::new(format!(
            "`{name}` has no text, but {}, and the type takes a text",
            parts.join(", ")
        ));
        Err(Error::data(
            message.advice(format!("read it into a struct with a field {first}")),
        ))
    }

    /// Returns `true` if the value has more than one element.
    #[inline]
    fn is_several(&self) -> bool {
        self.all && self.node.same().is_some()
    }

    #[inline]
    fn check_single(&self) -> Result<()> {
        if self.is_several() {
            Err(self.second())
        } else {
            Ok(())
        }
    }

    #[cold]
    fn second(&self) -> Error {
        if self.shape() == Some(Shape::Flag)
            && let Err(error) = self.check_single_of_schema()
        {
            return error;
        }
        let name = self.record.name(self.node);
        let second = self.node.same().and_then(|same| self.record.node(same));
        Error::data(format!(
            "a second `{name}`, and the type takes one: read it into a `Vec`, or remove one from the document"
        ))
        .at_offset(second.unwrap_or(self.node).at())
    }

    /// Elements with their text: all that belong to the value, in one text.
    #[cold]
    fn visit_raw<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value> {
        let name = self.record.name(self.node);
        if name != OTHER {
            return Err(Error::data(format!(
                "`RawXml` as the type of `{name}`: it is that of elements that nobody knows, in a field `{OTHER}`"
            )));
        }
        let mut all = String::new();
        let mut next = Some(self.node);
        while let Some(node) = next {
            all.push_str(self.record.value(node).get());
            next = node
                .same()
                .filter(|_| self.all)
                .and_then(|same| self.record.node(same));
        }
        visitor.visit_string(all)
    }

    /// Returns `true` if the element counts as absent, being empty.
    #[cold]
    fn says_nothing(&self) -> bool {
        !self.is_structured() && !self.is_several() && self.shape() != Some(Shape::Flag)
    }

    fn row(&self) -> Option<&'static SchemaRow> {
        self.node.name.row()
    }

    /// The shape of the value in the schema.
    fn shape(&self) -> Option<Shape> {
        self.row().map(SchemaRow::shape)
    }

    /// Checks that there is only one element for a type of this crate, if the schema allows only one.
    #[inline]
    fn check_single_of_schema(&self) -> Result<()> {
        if self.all {
            self.record.check_single(self.node)?;
        }
        Ok(())
    }

    /// Gives an element to a visitor for a struct of this crate.
    #[inline]
    fn visit_element<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value> {
        self.check_single_of_schema()?;
        match self.fields() {
            Some(fields) if self.is_structured() || !self.text.get().is_empty() => visitor.visit_map(fields),
            _ => visitor.visit_none(),
        }
    }

    /// Gives a text to a visitor for a value type of this crate.
    #[inline]
    fn visit_leaf<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value> {
        self.check_single_of_schema()?;
        if self.text.get().is_empty() && self.node.name != schema::LOC {
            return visitor.visit_none();
        }
        visitor.visit_str(self.text.get())
    }

    /// Adds the rejected text to an error that names only the expected type, with advice on the type of the field.
    #[cold]
    pub(super) fn explained(&self, error: Error) -> Error {
        match self.index {
            Some(index) if self.is_structured() => {
                return in_buffered_field(self.record, index + 1, self.node.next(), error);
            }
            _ if self.is_several() => return error,
            _ => {}
        }
        refused::explained(error, self.text.get(), self.row())
    }

    fn integer<T: std::str::FromStr>(&self) -> Result<T> {
        let text = self.one()?.get();
        text.parse().map_err(|_| no_integer(text))
    }

    /// Parses a float as an XSD decimal: no exponent, `NaN` or `inf`.
    #[inline]
    fn decimal<T: Float>(&self) -> Result<T> {
        let text = self.one()?.get();
        decimal::parse(text).ok_or_else(|| no_decimal(text))
    }
}

/// Parses an XSD boolean.
pub(crate) fn parse_bool(text: &str) -> Result<bool> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        text => Err(Error::data(
            Message::new(format!(
                "{} is not a boolean: a boolean is `true`, `false`, `1` or `0`",
                quote(text)
            ))
            .advice(or_as_text()),
        )
        .with_defect(Defect::Refused)),
    }
}

#[cold]
pub(crate) fn no_integer(text: &str) -> Error {
    Error::data(
        Message::new(format!(
            "{} is not an integer that the type can hold",
            quote(text)
        ))
        .advice(or_as_text()),
    )
    .with_defect(Defect::Refused)
}

#[cold]
pub(crate) fn no_decimal(text: &str) -> Error {
    Error::data(
        Message::new(format!(
            "{} is not a decimal number: digits, with a point at most",
            quote(text)
        ))
        .advice(or_as_text()),
    )
    .with_defect(Defect::Refused)
}

/// Gives a text to a visitor, borrowed if possible.
#[inline]
fn visit<'de, V: Visitor<'de>>(text: SourceText<'de, '_>, visitor: V) -> Result<V::Value> {
    match text {
        SourceText::Borrowed(text) => visitor.visit_borrowed_str(text),
        SourceText::Transient(text) => visitor.visit_str(text).map_err(|error| unborrowed(text, error)),
    }
}

/// Explains why a text cannot be borrowed, if the type requires borrowed text: serde's own error does not.
#[cold]
fn unborrowed(text: &str, error: Error) -> Error {
    if !error.to_string().contains(", expected a borrowed ") {
        return error;
    }
    let message = Message::new(format!(
        "{} cannot be borrowed: it holds a reference, a carriage return, a comment, or a CDATA section beside other text, or \
         comes from a stream",
        quote(text)
    ));
    Error::data(message.advice("read it into a `String`, or into a `Cow<str>` with `#[serde(borrow)]`"))
}

macro_rules! parsed {
    ($($method:ident $visit:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.$visit(self.integer()?)
        })*
    };
}

/// Implemented for a reference, so that the value is not copied from call to call.
impl<'de> Deserializer<'de> for &Value<'de, '_> {
    type Error = Error;

    /// The schema decides the type: a numeric element is a number if it parses as one, a repeatable element a sequence, an
    /// element with attributes or children a map, an empty element a unit, and every other a string.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let shape = self.shape();
        if self.is_several() || self.all && self.row().is_some_and(SchemaRow::is_repeated) {
            return self.deserialize_seq(visitor);
        }
        if self.is_structured() && shape.is_none_or(|shape| shape == Shape::Group) {
            return self.deserialize_map(visitor);
        }
        let text = self.text;
        if shape == Some(Shape::Flag) {
            return visitor.visit_bool(true);
        }
        if text.get().is_empty() {
            return visitor.visit_unit();
        }
        if shape == Some(Shape::Integer)
            && let Ok(number) = text.get().parse()
        {
            return visitor.visit_u64(number);
        }
        if shape == Some(Shape::Decimal)
            && let Ok(number) = self.decimal()
        {
            return visitor.visit_f64(number);
        }
        visit(text, visitor)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visit(self.one()?, visitor)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.one()? {
            SourceText::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            SourceText::Transient(text) => visitor
                .visit_bytes(text.as_bytes())
                .map_err(|error| unborrowed(text, error)),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let text = self.one()?.get();
        match self.shape() {
            Some(Shape::Flag) => return visitor.visit_bool(true),
            Some(Shape::YesNo) => {
                if let Some(value) = yes_no(text) {
                    return visitor.visit_bool(value);
                }
            }
            _ => {}
        }
        visitor.visit_bool(parse_bool(text)?)
    }

    parsed! {
        deserialize_i8 visit_i8
        deserialize_i16 visit_i16
        deserialize_i32 visit_i32
        deserialize_i64 visit_i64
        deserialize_i128 visit_i128
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_u128 visit_u128
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f32(self.decimal()?)
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f64(self.decimal()?)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.text.get().is_empty() && self.says_nothing() {
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_single()?;
        let text = self.text.get();
        if text.is_empty() {
            return visitor.visit_unit();
        }
        Err(serde_core::de::Error::invalid_type(
            Unexpected::Str(text),
            &visitor,
        ))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name == schema::LEAF_NAME {
            return self.visit_leaf(visitor);
        }
        if name == schema::ELEMENT_NAME {
            return self.visit_element(visitor);
        }
        if name == RAW_NAME {
            return self.visit_raw(visitor);
        }
        if name == PRIORITY_NAME || name == DECIMAL_NAME {
            // Visited as text to keep the digits.
            return self.deserialize_str(visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    /// Gives all elements; an error if the type takes fewer than there are.
    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut elements = Same {
            record: self.record,
            number: 0,
            next: Some((self.index, self.node)),
            count: if self.all {
                self.record.count_from(self.node)
            } else {
                1
            },
            all: self.all,
        };
        let value = visitor.visit_seq(&mut elements)?;
        match elements.next {
            None => Ok(value),
            Some((_, node)) => Err(elements.left_over(node)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_single()?;
        match self.fields() {
            Some(fields) => visitor.visit_map(fields),
            None => Err(serde_core::de::Error::invalid_type(
                Unexpected::Str(self.text.get()),
                &visitor,
            )),
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(UnitVariant {
            text: self.one()?.get(),
            variants,
        })
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

/// The elements with one name as a serde sequence.
struct Same<'de, 'r> {
    record: &'r RecordView<'de, 'r>,
    next: Option<(Option<usize>, &'r Node)>,
    /// The number of elements already returned.
    number: usize,
    /// The total number of elements.
    count: usize,
    all: bool,
}

impl Same<'_, '_> {
    #[cold]
    fn left_over(&self, node: &Node) -> Error {
        let (name, taken, count) = (self.record.name(node), self.number, self.count);
        let error = Error::data(format!(
            "{count} `{name}`, and the type takes {taken}: read them into a `Vec`, or remove what is too many from the document"
        ))
        .at_offset(node.at());
        if self.all { error.at_index(taken) } else { error }
    }
}

impl<'de> SeqAccess<'de> for Same<'de, '_> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some((index, node)) = self.next.take() else {
            return Ok(None);
        };
        if self.all {
            self.next = node
                .same()
                .and_then(|same| Some((Some(same), self.record.node(same)?)));
        }
        let value = Value {
            record: self.record,
            node,
            text: self.record.value(node),
            index,
            all: false,
        };
        let number = self.number;
        self.number += 1;
        seed.deserialize(&value).map(Some).map_err(|error| {
            let error = value.explained(error).at_offset(node.at());
            if self.all { error.at_index(number) } else { error }
        })
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.count.saturating_sub(self.number))
    }
}

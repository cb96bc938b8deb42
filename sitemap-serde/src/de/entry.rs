//! Deserializing an entry, or an element with children, as a struct or map.

use serde_core::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde_core::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::error::{Defect, Error, Result, Step};
use crate::record::{Node, RecordView};

use super::refused;
use super::value::Value;

/// The key of an element's own text, next to its attributes and children.
const TEXT: &str = "$text";

/// Deserializes a record as an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryDeserializer<'de, 'r> {
    record: &'r RecordView<'de, 'r>,
}

impl<'de, 'r> EntryDeserializer<'de, 'r> {
    #[inline]
    pub(crate) fn new(record: &'r RecordView<'de, 'r>) -> Self {
        EntryDeserializer { record }
    }

    #[inline]
    fn fields(self) -> Fields<'de, 'r> {
        Fields {
            record: self.record,
            end: self.record.table.nodes().len(),
            next: 0,
            value: None,
            text: None,
        }
    }
}

/// serde reads the fields of a `flatten` before it knows their types, so its errors about them name no field. The errors quote the value:
/// if exactly one node from `start` to `end`, or inside them, has this value, the error is about that field.
#[cold]
pub(super) fn in_buffered_field(
    record: &RecordView<'_, '_>,
    start: usize,
    end: usize,
    error: Error,
) -> Error {
    // The message about a field that is missing or there twice quotes its name.
    if error.field().is_some() || matches!(error.defect(), Defect::Missing | Defect::Excess) {
        return error;
    }
    let Some((i, node)) = only_node_quoted(record, start, end, &error.message().problem) else {
        return error;
    };
    let error = refused::explained(
        refused::buffered(error),
        record.value(node).get(),
        node.name.row(),
    );
    let error = error.at_offset(node.at());
    // The elements that it is in, from the inside out.
    let around = (start..=i)
        .rev()
        .filter_map(|at| record.node(at).filter(|node| at == i || i < node.next()));
    around.fold(error, |error, node| error.within(record.step(node)))
}

/// The node with the first value that a message quotes; if there are several, the node that contains them all.
fn only_node_quoted<'r>(
    record: &'r RecordView<'_, '_>,
    start: usize,
    end: usize,
    problem: &str,
) -> Option<(usize, &'r Node)> {
    let quoted = refused::first_quoted(problem)?;
    let mut found = (start..end).filter(|i| {
        let text = record.node(*i).map_or("", |node| record.value(node).get());
        !text.is_empty() && refused::begins_with_quoted(quoted, text)
    });
    let first = found.next()?;
    let last = found.next_back().unwrap_or(first);
    let mut around = (start..=first).rev().filter_map(|i| Some((i, record.node(i)?)));
    around.find(|(_, node)| last < node.next())
}

impl<'de> Deserializer<'de> for EntryDeserializer<'de, '_> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_map(self.fields());
        value.map_err(|error| in_buffered_field(self.record, 0, self.record.table.nodes().len(), error))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier
    }
}

/// The children of an entry, or of an element in it, as map entries.
#[derive(Debug)]
pub(super) struct Fields<'de, 'r> {
    record: &'r RecordView<'de, 'r>,
    /// The index of the next child, and of the node after the last one.
    next: usize,
    end: usize,
    /// The node whose name was the last key.
    value: Option<&'r Node>,
    /// The element whose own text comes after its attributes and children, if it has text.
    text: Option<&'r Node>,
}

impl<'de, 'r> Fields<'de, 'r> {
    /// The attributes, children and text of the node at `i`.
    #[inline]
    pub(super) fn of(record: &'r RecordView<'de, 'r>, i: usize, node: &'r Node) -> Self {
        Fields {
            record,
            end: node.next(),
            next: i + 1,
            value: None,
            text: (!record.value(node).get().is_empty()).then_some(node),
        }
    }
}

impl<'de> MapAccess<'de> for Fields<'de, '_> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        while self.next < self.end
            && let Some(node) = self.record.node(self.next)
        {
            if node.first {
                self.value = Some(node);
                return match node.name.as_static() {
                    Some(name) => seed.deserialize(BorrowedStrDeserializer::new(name)),
                    None => seed.deserialize(StrDeserializer::new(self.record.name(node))),
                }
                .map(Some);
            }
            self.next = node.next();
        }
        if self.text.is_some() {
            return seed.deserialize(BorrowedStrDeserializer::new(TEXT)).map(Some);
        }
        Ok(None)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        if let Some(node) = self.value.take() {
            let i = self.next;
            self.next = node.next();
            let value = Value::element(self.record, i, node);
            return seed
                .deserialize(&value)
                .map_err(|error| in_field(value.explained(error), self.record.step(node), node));
        }
        let node = self.text.take().ok_or_else(no_key)?;
        let value = Value::text(self.record, node);
        seed.deserialize(&value)
            .map_err(|error| in_field(value.explained(error), TEXT.into(), node))
    }
}

#[cold]
fn in_field(error: Error, field: Step, node: &Node) -> Error {
    error.within(field).at_offset(node.at())
}

#[cold]
fn no_key() -> Error {
    Error::custom("a value was asked for before its key")
}

//! Deserializing the elements with one name in an entry, or their default if there are none.

use serde_core::de::value::SeqDeserializer;
use serde_core::de::{Deserialize, Deserializer, Visitor};
use serde_core::forward_to_deserialize_any;
use sitemap_values::quote::quote;

use crate::error::{Advice, Error, Message, Result, Step};
use crate::record::{RecordView, no_prefix};
use crate::xml::names::{split, split_expanded};

use super::value::Value;

/// Reads all elements of a name in an entry as one value.
pub(crate) fn element<'de, T: Deserialize<'de>>(record: &RecordView<'de, '_>, name: &str) -> Result<T> {
    let mut i = 0;
    while let Some(node) = record.node(i) {
        if record.name(node) == name {
            let value = Value::element(record, i, node);
            return T::deserialize(&value).map_err(|error| {
                value
                    .explained(error)
                    .within(record.step(node))
                    .at_offset(node.at())
            });
        }
        i = node.next();
    }
    check_name(record, name)
        .and_then(|()| T::deserialize(Absent { name }))
        .map_err(|error| error.within(Step::other(name)))
}

/// Checks that an element with this name may occur here.
fn check_name(record: &RecordView<'_, '_>, name: &str) -> Result<()> {
    let (prefix, _) = split(name);
    if split_expanded(name).is_some() || (!prefix.is_empty() && record.table.knows_prefix(prefix)) {
        return Ok(());
    }
    if prefix.is_empty() {
        return Err(no_prefix(name));
    }
    Err(Error::settings(
        Message::new(format!(
            "{} has the prefix `{prefix}`, and no namespace is known by it",
            quote(name)
        ))
        .advice(Advice::of_api(
            "namespace",
            format!("make it known with `ReaderBuilder::namespace(\"{prefix}\", …)`"),
        )),
    ))
}

/// An element that the entry does not have.
struct Absent<'n> {
    name: &'n str,
}

impl<'de> Deserializer<'de> for Absent<'_> {
    type Error = Error;

    #[cold]
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(Error::data(
            Message::new(format!(
                "no `{}`, and the field that it is read into cannot be without one",
                self.name
            ))
            .advice("make the field an `Option`, or a `Vec`"),
        ))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_none()
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(SeqDeserializer::new(std::iter::empty::<bool>()))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple
        tuple_struct map struct enum identifier
    }
}

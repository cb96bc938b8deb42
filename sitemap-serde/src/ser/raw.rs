//! Elements that are written unchanged.

use serde_core::{Serialize, Serializer};

use crate::error::{Error, Result};
use crate::raw::RAW_NAME;
use crate::record::RecordWriter;

use super::compound::sequence;
use super::options::options;
use super::refuse::refuse;

/// Gives elements of a field `$other` to the record.
pub(super) struct RawSerializer<'r, 'a> {
    record: &'r mut RecordWriter<'a>,
    /// `true` if the value is a `RawXml`.
    is_raw: bool,
}

impl<'r, 'a> RawSerializer<'r, 'a> {
    pub(super) fn new(record: &'r mut RecordWriter<'a>) -> Self {
        RawSerializer {
            record,
            is_raw: false,
        }
    }
}

impl RawSerializer<'_, '_> {
    fn refused(&self, found: &str) -> Error {
        Error::custom(format_args!(
            "found {found} for `$other`: it is a `RawXml`, or an option or a sequence of these; rename the field, or convert it with \
         `#[serde(serialize_with = …)]`"
        ))
    }
}

impl<'r, 'a> Serializer for RawSerializer<'r, 'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = RawSequence<'r, 'a>;
    type SerializeTuple = RawSequence<'r, 'a>;
    type SerializeTupleStruct = RawSequence<'r, 'a>;

    refuse!(scalars_but_str newtype_variant tuple_variant maps struct_variant);

    fn serialize_str(self, text: &str) -> Result<()> {
        if !self.is_raw {
            return Err(self.refused("a string"));
        }
        self.record.raw(text)
    }

    options!();

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        self.is_raw |= name == RAW_NAME;
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
        Ok(RawSequence { record: self.record })
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
        self.serialize_seq(None)
    }
}

/// Several of them.
pub(super) struct RawSequence<'r, 'a> {
    record: &'r mut RecordWriter<'a>,
}

impl RawSequence<'_, '_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(RawSerializer::new(self.record))
    }

    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "another sequence checks its items"
    )]
    fn finish(self) -> Result<()> {
        Ok(())
    }
}

sequence!(RawSequence<'_, '_>);

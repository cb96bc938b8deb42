//! The attributes of a link to an alternate page, collected so that the link is written at once (see `record/link`).

use serde_core::{Serialize, Serializer};

use crate::error::{Error, Result};
use crate::record::{ElementName, RecordWriter};
use crate::schema::{ALTERNATE, ALTERNATE_REL};
use crate::xml::trim;

use super::refuse::refuse;

/// The attributes of a link, in their usual order.
const NAMES: [&str; 3] = ["@rel", "@hreflang", "@href"];

/// The first attributes of a link: texts in one buffer.
pub(super) struct LinkParts {
    text: String,
    ends: [usize; NAMES.len()],
    count: usize,
}

impl LinkParts {
    /// Begins a link; `None` for another element.
    #[inline]
    pub(super) fn new(element: ElementName<'_>, record: &mut RecordWriter<'_>) -> Option<Self> {
        element.is(ALTERNATE).then(|| {
            let mut text = std::mem::take(record.scratch());
            text.clear();
            LinkParts {
                text,
                ends: [0; NAMES.len()],
                count: 0,
            }
        })
    }

    /// Takes the next attribute; an absent one is none. Returns `false` for anything else.
    #[inline]
    pub(super) fn take<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> bool {
        let start = self.text.len();
        let mut is_text = false;
        let is_taken = value
            .serialize(Capture {
                text: &mut self.text,
                is_text: &mut is_text,
            })
            .is_ok();
        if is_taken && !is_text {
            return true;
        }
        let is_next = is_taken && NAMES.get(self.count) == Some(&name);
        let text = self.text.get(start..).unwrap_or_default();
        if !is_next || text.is_empty() || trim(text).len() != text.len() {
            self.text.truncate(start);
            return false;
        }
        if let Some(end) = self.ends.get_mut(self.count) {
            *end = self.text.len();
        }
        self.count += 1;
        true
    }

    /// The attributes so far.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let mut start = 0;
        let parts = NAMES.into_iter().zip(self.ends).take(self.count);
        parts.map(move |(name, end)| {
            let text = self.text.get(start..end).unwrap_or_default();
            start = end;
            (name, text)
        })
    }

    /// Writes the link. Returns `false`, and writes nothing, if it needs to be written by its parts.
    #[inline]
    pub(super) fn write(&self, record: &mut RecordWriter<'_>) -> bool {
        let mut texts = self.attributes().map(|(_, text)| text);
        match (texts.next(), texts.next(), texts.next()) {
            (Some(ALTERNATE_REL), Some(hreflang), Some(href)) => record.plain_link(hreflang, href),
            _ => false,
        }
    }

    /// Returns the buffer to the record.
    pub(super) fn give_back(self, record: &mut RecordWriter<'_>) {
        *record.scratch() = self.text;
    }
}

/// Appends a text to a buffer. Any other value is an error, which nobody reads.
struct Capture<'t> {
    text: &'t mut String,
    is_text: &'t mut bool,
}

impl Capture<'_> {
    #[cold]
    fn refused(&self, found: &str) -> Error {
        Error::custom(found)
    }
}

impl Serializer for Capture<'_> {
    type Ok = ();
    type Error = Error;

    refuse!(scalars_but_names unit_variant newtype_variant sequences tuple_structs maps struct_variant);

    fn serialize_str(self, text: &str) -> Result<()> {
        self.text.push_str(text);
        *self.is_text = true;
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<()> {
        Ok(())
    }

    fn serialize_unit(self) -> Result<()> {
        Err(self.refused("a unit"))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        Err(self.refused("a unit struct"))
    }
}

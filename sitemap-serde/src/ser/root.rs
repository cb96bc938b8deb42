//! Serializing a document: a sequence of entries, or a struct, enum or map around it.

use std::io::Write;

use serde_core::Serialize;
use serde_core::ser::{SerializeSeq, SerializeTuple};
use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::document::DocumentWriter;
use crate::error::{Error, Message, Result, skip_field};
use crate::model::Kind;

use super::compound::fields;
use super::entry::{EntrySerializer, Unknown};
use super::options::options;
use super::refuse::refuse;

/// A serde serializer for one whole document. `&mut Serializer` implements serde's trait.
///
/// ```
/// use serde::Serialize;
/// use sitemap_serde::{Serializer, UrlEntry};
///
/// let mut serializer = Serializer::new(Vec::new());
/// [UrlEntry::new("https://example.com/")].serialize(&mut serializer)?;
/// assert!(serializer.into_inner().ends_with(b"</urlset>"));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Debug)]
pub struct Serializer<W: Write> {
    document: DocumentWriter<W>,
}

impl<W: Write> Serializer<W> {
    /// Makes a serializer for a compact document with the protocol's limits and no base. For other settings see
    /// [`WriterBuilder::serializer_from_writer`](crate::WriterBuilder::serializer_from_writer).
    pub fn new(writer: W) -> Self {
        Serializer::over(DocumentWriter::plain(writer, false))
    }

    pub(crate) fn over(document: DocumentWriter<W>) -> Self {
        Serializer { document }
    }

    /// Returns the writer. After an error, its document is incomplete.
    pub fn into_inner(self) -> W {
        self.document.into_inner()
    }

    fn refused(&self, found: &str) -> Error {
        Error::custom(format_args!(
            "found {found} for a document: it is a sequence of entries, a `UrlSet` or `SitemapIndex`, or a struct with a \
         field `url` or `sitemap`"
        ))
    }

    fn begin(&mut self) -> Result<()> {
        if self.document.is_complete() || self.document.entries() > 0 {
            return Err(Error::custom(
                "a second document for one serializer: make a serializer for each",
            ));
        }
        Ok(())
    }

    fn begin_named(&mut self, name: &'static str) -> Result<()> {
        self.begin()?;
        match Kind::ALL.iter().find(|kind| kind.root() == name) {
            Some(&kind) => self.document.set_kind(kind),
            None => {
                return Err(Error::custom(format_args!(
                    "the variant {} is not a document: its name is `urlset` or `sitemapindex`; rename it with \
                     `#[serde(rename = …)]`, or use `#[serde(untagged)]`",
                    quote(name)
                )));
            }
        }
        Ok(())
    }

    fn fields(&mut self) -> Result<RootFields<'_, W>> {
        self.begin()?;
        Ok(RootFields {
            document: &mut self.document,
            named: false,
            key: String::new(),
        })
    }

    fn sequence(&mut self) -> Result<EntrySequence<'_, W>> {
        self.begin()?;
        // In sequences, the name of the entry type does not decide the kind, as in reading.
        self.document.set_kind(self.document.kind());
        Ok(EntrySequence {
            document: &mut self.document,
            finish: true,
        })
    }
}

impl<'a, W: Write> serde_core::Serializer for &'a mut Serializer<W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = EntrySequence<'a, W>;
    type SerializeTuple = EntrySequence<'a, W>;
    type SerializeMap = RootFields<'a, W>;
    type SerializeStruct = RootFields<'a, W>;
    type SerializeStructVariant = RootFields<'a, W>;

    refuse!(scalars unit tuple_structs);

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        if name == Kind::UrlSet.root() || name == Kind::SitemapIndex.root() {
            self.begin_named(name)?;
        }
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.begin_named(variant)?;
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<EntrySequence<'a, W>> {
        self.sequence()
    }

    fn serialize_tuple(self, _: usize) -> Result<EntrySequence<'a, W>> {
        self.sequence()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<RootFields<'a, W>> {
        self.fields()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<RootFields<'a, W>> {
        self.fields()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<RootFields<'a, W>> {
        self.begin_named(variant)?;
        self.fields()
    }
}

/// Serializes the entries of a document.
#[derive(Debug)]
pub struct EntrySequence<'a, W: Write> {
    document: &'a mut DocumentWriter<W>,
    /// `true` if the document ends with the sequence; if not, it ends with the struct around it.
    finish: bool,
}

impl<W: Write> EntrySequence<'_, W> {
    fn entry<T: Serialize + ?Sized>(&mut self, entry: &T) -> Result<()> {
        self.document
            .entry(|record| entry.serialize(EntrySerializer::new(record)))
    }

    fn finish(self) -> Result<()> {
        if self.finish {
            self.document.finish()
        } else {
            Ok(())
        }
    }
}

impl<W: Write> SerializeSeq for EntrySequence<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, entry: &T) -> Result<()> {
        self.entry(entry)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl<W: Write> SerializeTuple for EntrySequence<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, entry: &T) -> Result<()> {
        self.entry(entry)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

/// Serializes the fields of a struct for a document: `url` or `sitemap`, and the root's attributes.
#[derive(Debug)]
pub struct RootFields<'a, W: Write> {
    document: &'a mut DocumentWriter<W>,
    /// `true` if a field has determined the document's kind.
    named: bool,
    key: String,
}

impl<W: Write> RootFields<'_, W> {
    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        // The writer declares namespaces itself; fields that other XML libraries need for them are ignored.
        if name == "@xmlns" || name.starts_with("@xmlns:") || name == "@xsi:schemaLocation" {
            return Ok(());
        }
        // A type that accepts any value has read the entries under the root's name.
        match Kind::ALL
            .into_iter()
            .find(|kind| kind.entry() == name || kind.root() == name)
        {
            Some(kind) => value.serialize(FieldOfEntries {
                document: &mut *self.document,
                named: &mut self.named,
                kind,
            }),
            None => value.serialize(Unknown(name)).map_err(|_| {
                let message = Message::new(format!(
                    "{} is not a field of a document: `url` and `sitemap` are",
                    quote(name)
                ));
                Error::data(message.advice(format!(
                    "serialize a sequence of entries, rename the field, or {}",
                    skip_field()
                )))
            }),
        }
    }

    fn finish(self) -> Result<()> {
        self.document.finish()
    }
}

fields!([W: Write] RootFields<'_, W>);
fields!(@[W: Write] SerializeStructVariant, RootFields<'_, W>);

/// Serializes the value of a field `url` or `sitemap`: entries, or one entry.
struct FieldOfEntries<'a, W: Write> {
    document: &'a mut DocumentWriter<W>,
    named: &'a mut bool,
    kind: Kind,
}

impl<'a, W: Write> FieldOfEntries<'a, W> {
    fn refused(&self, found: &str) -> Error {
        Error::custom(format_args!(
            "found {found} for the entries of a document: they are a sequence"
        ))
    }

    fn sequence(self) -> Result<EntrySequence<'a, W>> {
        if self.document.entries() > 0 && self.document.kind() != self.kind {
            return Err(Error::data("a document lists `url` or `sitemap`, not both").breaks(Rule::Ns));
        }
        self.document.set_kind(self.kind);
        *self.named = true;
        Ok(EntrySequence {
            document: self.document,
            finish: false,
        })
    }
}

impl<'a, W: Write> serde_core::Serializer for FieldOfEntries<'a, W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = EntrySequence<'a, W>;
    type SerializeTuple = EntrySequence<'a, W>;

    refuse!(scalars newtype_variant tuple_structs maps struct_variant);

    options!();

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<EntrySequence<'a, W>> {
        if len == Some(0) {
            // The entries may be in the other field; if there is none, the first field decides.
            if !std::mem::replace(self.named, true) {
                self.document.set_kind(self.kind);
            }
            return Ok(EntrySequence {
                document: self.document,
                finish: false,
            });
        }
        self.sequence()
    }

    fn serialize_tuple(self, _: usize) -> Result<EntrySequence<'a, W>> {
        self.sequence()
    }
}

//! Deserializing a document: a sequence of entries, or a struct, enum or map around it.

use std::io::Read;

use serde_core::Deserialize;
use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{DeserializeSeed, EnumAccess, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::document::DocumentReader;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::loc;
use crate::model::Kind;
use crate::xml::names::KnownNamespaces;
use crate::xml::source::{DocumentSource, SliceSource, StreamSource, Window};

use super::entry::EntryDeserializer;
use super::lenient::lenient_seed;

/// A serde deserializer for one whole document. `&mut Deserializer` implements serde's trait.
///
/// Make it from text, bytes or a reader; for other settings, from a [`Reader`](crate::Reader).
///
/// ```
/// use serde::Deserialize;
/// use sitemap_serde::{Deserializer, UrlSet};
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>"#;
/// let set: UrlSet = UrlSet::deserialize(&mut Deserializer::from_str(xml))?;
/// assert!(set.is_empty());
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<S> {
    document: DocumentReader<S>,
}

impl<'de> Deserializer<SliceSource<'de>> {
    /// Makes a deserializer for text.
    #[expect(
        clippy::should_implement_trait,
        reason = "the name that serde's formats have, and it does not fail"
    )]
    pub fn from_str(text: &'de str) -> Self {
        Deserializer::plain(SliceSource::from_str(text))
    }

    /// Makes a deserializer for bytes; see [`from_slice`](crate::from_slice).
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer::plain(SliceSource::from_slice(bytes))
    }
}

impl<R: Read> Deserializer<StreamSource<R>> {
    /// Makes a deserializer for a reader.
    pub fn from_reader(reader: R) -> Self {
        Deserializer::plain(StreamSource::new(reader))
    }
}

impl<S> Deserializer<S> {
    pub(crate) fn over(document: DocumentReader<S>) -> Self {
        Deserializer { document }
    }
}

impl<S: Window> Deserializer<S> {
    /// With the limits of reading, and without user namespaces.
    fn plain(source: S) -> Self {
        Deserializer::over(DocumentReader::new(
            source,
            Limits::reading(),
            KnownNamespaces::default(),
        ))
    }

    pub(super) fn read<'de, T: Deserialize<'de>>(mut self) -> Result<T>
    where
        S: DocumentSource<'de>,
    {
        let value = T::deserialize(&mut self)?;
        check_end(&mut self.document)?;
        Ok(value)
    }
}

impl<'de, S: DocumentSource<'de>> Deserializer<S> {
    /// Reads up to the root, and returns the document's kind.
    fn begin(&mut self) -> Result<Kind> {
        let kind = self.document.kind()?;
        if self.document.has_begun() {
            return Err(Error::custom(
                "a second value from one deserializer, whose document is read: make a deserializer for each",
            ));
        }
        Ok(kind)
    }

    fn entries(&mut self) -> Result<EntrySequence<'_, S>> {
        self.begin()?;
        Ok(EntrySequence {
            document: &mut self.document,
        })
    }

    fn fields(&mut self, fields: Option<&'static [&'static str]>) -> Result<RootFields<'_, S>> {
        let kind = self.begin()?;
        if fields.is_some_and(|fields| !fields.iter().any(|field| matches!(*field, "url" | "sitemap"))) {
            return Err(Error::custom(
                "the type has neither a field `url` nor `sitemap`: a document is a sequence of entries; read it into a `Vec` \
                 of the type, or into a struct with such a field",
            ));
        }
        let other = match kind {
            Kind::UrlSet => Kind::SitemapIndex,
            Kind::SitemapIndex => Kind::UrlSet,
        };
        if let Some(fields) = fields
            && fields.contains(&other.entry())
            && !fields.contains(&kind.entry())
        {
            self.document.expect(other)?;
        }
        Ok(RootFields {
            document: &mut self.document,
            namespace: fields.is_some_and(|fields| fields.contains(&NAMESPACE)),
            at: RootField::Namespace,
        })
    }
}

/// The key that other XML libraries use for the root's namespace.
const NAMESPACE: &str = "@xmlns";

impl<'de, S: DocumentSource<'de>> serde_core::Deserializer<'de> for &mut Deserializer<S> {
    type Error = Error;

    /// Gives a map with one key, the root's name, whose value is the sequence of entries.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let kind = self.begin()?;
        visitor.visit_map(RootFields {
            document: &mut self.document,
            namespace: false,
            at: RootField::Named(kind.root()),
        })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.document.expect(Kind::UrlSet)?;
        self.entries()?.give(visitor)
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

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match Kind::ALL.into_iter().find(|kind| kind.root() == name) {
            Some(kind) => {
                self.document.expect(kind)?;
                visitor.visit_newtype_struct(OfKind(self))
            }
            None => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_map(self.fields(None)?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_map(self.fields(Some(fields))?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(OfKind(self))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.begin()?;
        while self.document.next_record()? {}
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct identifier
    }
}

/// The content of the newtype struct or enum variant `UrlSet` or `SitemapIndex`: a sequence of entries, whichever type it is read into.
struct OfKind<'a, S>(&'a mut Deserializer<S>);

impl<'de, S: DocumentSource<'de>> serde_core::Deserializer<'de> for OfKind<'_, S> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.0.entries()?.give(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match Kind::ALL.into_iter().find(|kind| kind.root() == name) {
            Some(kind) => {
                self.0.document.expect(kind)?;
                visitor.visit_newtype_struct(OfKind(self.0))
            }
            None => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.0.deserialize_map(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.0.deserialize_struct(name, fields, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.0.deserialize_ignored_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct enum identifier
    }
}

/// The entries of a document as a serde sequence.
struct EntrySequence<'a, S> {
    document: &'a mut DocumentReader<S>,
}

impl<'de, S: DocumentSource<'de>> EntrySequence<'_, S> {
    /// Gives the entries to a visitor; an error if it leaves any.
    fn give<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_seq(&mut self)?;
        check_end(self.document)?;
        Ok(value)
    }
}

/// Checks that every entry was read, and that the document is well-formed to its end.
fn check_end<S: Window>(document: &mut DocumentReader<S>) -> Result<()> {
    if document.next_record()? {
        return Err(document.in_record(Error::custom(
            "an entry more than the type takes; read the document into a `Vec`",
        )));
    }
    Ok(())
}

impl<'de, S: DocumentSource<'de>> SeqAccess<'de> for EntrySequence<'_, S> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if !self.document.next_record()? {
            return Ok(None);
        }
        loc::afresh(|| {
            if self.document.is_lenient() {
                return lenient_seed(self.document, seed).map(Some);
            }
            match seed.deserialize(EntryDeserializer::new(&self.document.view())) {
                Ok(entry) => Ok(Some(entry)),
                Err(error) => Err(self.document.in_record(error)),
            }
        })
    }
}

/// The document as a struct: the field `url` or `sitemap` has the entries.
struct RootFields<'a, S> {
    document: &'a mut DocumentReader<S>,
    /// `true` if the struct has a field for the root's namespace.
    namespace: bool,
    at: RootField,
}

enum RootField {
    Namespace,
    Entries,
    /// The entries, with the root's name as the key.
    Named(&'static str),
    End,
}

impl<'de, S: DocumentSource<'de>> MapAccess<'de> for RootFields<'_, S> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let name = match self.at {
            RootField::Namespace if self.namespace => NAMESPACE,
            RootField::Namespace => {
                self.at = RootField::Entries;
                self.document.kind()?.entry()
            }
            RootField::Entries => self.document.kind()?.entry(),
            RootField::Named(name) => name,
            RootField::End => return Ok(None),
        };
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        if matches!(self.at, RootField::Namespace) {
            self.at = RootField::Entries;
            return seed.deserialize(BorrowedStrDeserializer::new(crate::xml::names::CORE));
        }
        self.at = RootField::End;
        seed.deserialize(EntriesDeserializer(&mut *self.document))
    }
}

/// The entries as the value of a field: a sequence, or a single entry.
struct EntriesDeserializer<'a, S>(&'a mut DocumentReader<S>);

impl<'de, S: DocumentSource<'de>> serde_core::Deserializer<'de> for EntriesDeserializer<'_, S> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        EntrySequence { document: self.0 }.give(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        while self.0.next_record()? {}
        visitor.visit_unit()
    }

    /// A single entry: serde would otherwise read the sequence of entries into the struct's fields.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value> {
        let entry = self.0.kind()?.entry();
        Err(Error::custom(format_args!(
            "one value for the field `{entry}`, which is a sequence of entries; make its type a `Vec`"
        )))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map enum identifier
    }
}

/// The document as an enum; the root's name is the variant.
impl<'de, S: DocumentSource<'de>> EnumAccess<'de> for OfKind<'_, S> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let kind = self.0.begin()?;
        let name: BorrowedStrDeserializer<'_, Error> = BorrowedStrDeserializer::new(kind.root());
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de, S: DocumentSource<'de>> VariantAccess<'de> for OfKind<'_, S> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        while self.0.document.next_record()? {}
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        Err(serde_core::de::Error::invalid_type(
            Unexpected::NewtypeVariant,
            &visitor,
        ))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_map(self.0.fields(Some(fields))?)
    }
}

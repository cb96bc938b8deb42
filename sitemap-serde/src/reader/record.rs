//! The record that [`Reader::read_record`](crate::Reader::read_record) fills, which owns its text.

use std::fmt::Debug;
use std::iter::FusedIterator;
use std::ops::Range;

use serde_core::Deserialize;
use sitemap_values::suggest::nearest;
use sitemap_values::{ChangeFreq, Priority, ValueError, W3cDateTime};

use crate::de::{EntryDeserializer, url_entry};
use crate::document::DocumentReader;
use crate::entry::{EntryReader, FromSitemapEntry};
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::record::{Node, RecordView, Table};
use crate::schema::{Name, SchemaRow, Shape, UrlEntry, field_meant};
use crate::xml::reference::Mode;
use crate::xml::source::{SourceText, Window};

/// One entry with unchecked values, for the fastest reading: a record is reused from entry to entry and allocates nothing once
/// its buffers have grown.
///
/// ```
/// use sitemap_serde::{Reader, Record};
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
///         xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">
///   <url>
///     <loc>https://example.com/?a=1&amp;b=2</loc>
///     <i:image><i:loc>https://example.com/1.jpg</i:loc></i:image>
///     <lastmod>2026-05-01</lastmod>
///     <i:image><i:loc>https://example.com/2.jpg</i:loc></i:image>
///   </url>
/// </urlset>"#;
/// let mut reader = Reader::from_str(xml);
/// let mut record = Record::new();
/// while reader.read_record(&mut record)? {
///     assert_eq!(record.loc(), "https://example.com/?a=1&b=2");
///     assert_eq!(record.lastmod()?.unwrap().year(), 2026);
///     let images = record.fields().filter(|field| field.name() == "image:image");
///     assert_eq!(images.filter_map(|image| image.get("image:loc")).last(), Some("https://example.com/2.jpg"));
/// }
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Record {
    text: String,
    table: Table,
    kind: Kind,
    /// The number of its reader; 0 for an empty record.
    document: u64,
    number: u64,
    offset: u64,
}

impl Record {
    /// Makes an empty record.
    pub fn new() -> Self {
        Record::default()
    }

    /// Moves the last entry of a document here, in exchange for the record's buffers.
    pub(crate) fn take_from<S: Window>(&mut self, document: &mut DocumentReader<S>) {
        self.text.clear();
        let place = document.take(&mut self.text, &mut self.table);
        (self.kind, self.document) = (place.kind, place.document);
        (self.number, self.offset) = (place.number, place.offset);
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.table.clear();
        (self.document, self.number, self.offset) = (0, 0, 0);
    }

    #[inline]
    pub(crate) fn view(&self) -> RecordView<'_, '_> {
        RecordView {
            text: SourceText::Borrowed(&self.text),
            table: &self.table,
        }
    }

    /// The number of the reader that the record is from; 0 for an empty record.
    pub(super) fn document(&self) -> u64 {
        self.document
    }

    /// The entry's number in its document, from 1; 0 for an empty record.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The kind of the entry's document: `url` elements belong to a urlset, `sitemap` elements to an index.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The range of the entry in the document, from `<url>` to the end of `</url>`, in bytes as
    /// [`Position::byte`](crate::Position::byte) counts them.
    ///
    /// In a document with a DOCTYPE, the range starts at the entry and has the length of [`source`](Self::source), where entities
    /// are resolved.
    pub fn byte_range(&self) -> Range<u64> {
        self.offset..self.offset + self.text.len() as u64
    }

    /// The entry's text in the document, tags included; in a document with a DOCTYPE, with its entities resolved.
    pub fn source(&self) -> &str {
        &self.text
    }

    /// The elements of the entry in document order. Elements of unknown namespaces are missing (see
    /// [`ReaderBuilder::namespace`](crate::ReaderBuilder::namespace)).
    #[inline]
    pub fn fields(&self) -> impl FusedIterator<Item = Field<'_>> + Clone + Debug + use<'_> {
        Fields {
            record: self,
            parent: None,
            next: 0,
            end: self.table.nodes().len(),
        }
    }

    /// All elements of the entry and their attributes, in document order, however deep.
    pub(crate) fn all_fields(&self) -> impl Iterator<Item = Field<'_>> {
        let nodes = self.table.nodes().iter().enumerate();
        nodes.map(|(index, node)| Field {
            record: self,
            node,
            parent: None,
            index,
        })
    }

    /// The text of the first element with this serde name (`loc`, `image:image`); `None` if there is none.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields()
            .find(|field| field.name() == name)
            .map(|field| field.text())
    }

    fn value(&self, name: Name) -> Option<(&Node, &str)> {
        let view = self.view();
        let mut i = 0;
        while let Some(node) = view.node(i) {
            if node.name == name {
                return Some((node, view.value(node).get())).filter(|(_, text)| !text.is_empty());
            }
            i = node.next();
        }
        None
    }

    /// The unchecked text of the loc.
    pub fn loc(&self) -> &str {
        self.value(crate::schema::LOC).map_or("", |(_, text)| text)
    }

    /// The time of the page's last change (P-LASTMOD); `None` if the element is absent or empty.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not a W3C Datetime.
    pub fn lastmod(&self) -> Result<Option<W3cDateTime>> {
        self.checked(crate::schema::LASTMOD, W3cDateTime::parse, W3cDateTime::explain)
    }

    /// The expected frequency of changes to the page (P-FREQ); `None` if the element is absent or empty.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not a changefreq.
    pub fn changefreq(&self) -> Result<Option<ChangeFreq>> {
        self.checked(crate::schema::CHANGEFREQ, ChangeFreq::parse, ChangeFreq::explain)
    }

    /// The page's priority (P-PRIO); `None` if the element is absent or empty, which means 0.5.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not a decimal from 0.0 to 1.0.
    pub fn priority(&self) -> Result<Option<Priority>> {
        self.checked(crate::schema::PRIORITY, Priority::parse, Priority::explain)
    }

    fn checked<T>(
        &self,
        name: Name,
        parse: fn(&str) -> Option<T>,
        explain: fn(&str) -> ValueError,
    ) -> Result<Option<T>> {
        let Some((_, text)) = self.value(name) else {
            return Ok(None);
        };
        match parse(text) {
            Some(value) => Ok(Some(value)),
            None => Err(Error::from(explain(text))
                .within(self.table.step(name))
                .in_entry(self.number)),
        }
    }

    /// The entry as a page, with every value checked.
    pub(crate) fn to_entry(&self) -> Result<UrlEntry> {
        url_entry(self.view()).map_err(|error| error.in_entry(self.number))
    }

    /// The entry as a type with serde's `Deserialize`, which may borrow from the record.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if a value does not fit the type.
    pub fn deserialize<'de, T: Deserialize<'de>>(&'de self) -> Result<T> {
        T::deserialize(EntryDeserializer::new(&self.view())).map_err(|error| error.in_entry(self.number))
    }

    /// The entry as a type that derives [`FromSitemapEntry`](macro@crate::FromSitemapEntry). A template that begins with `/`
    /// matches after any host.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the entry does not have that type, or a value does not fit it. The error
    /// names the entry and the field; the place in the document is [`byte_range`](Self::byte_range).
    pub fn read<T: FromSitemapEntry>(&self) -> Result<T> {
        let entry = EntryReader::new(self.view(), self.kind(), None);
        T::from_entry(&entry).map_err(|error| error.in_entry(self.number()))
    }
}

/// An element of a [`Record`], or an attribute of one.
#[derive(Clone, Copy, Debug)]
pub struct Field<'r> {
    record: &'r Record,
    node: &'r Node,
    /// The element that it is in; `None` directly in the entry.
    parent: Option<Name>,
    index: usize,
}

impl<'r> Field<'r> {
    /// Its serde name: `loc`, `image:image`, `@href`.
    #[inline]
    pub fn name(&self) -> &'r str {
        self.record.table.name(self.node.name)
    }

    /// Returns `true` if the schema of sitemaps, with its extensions, has an element or attribute with this name here: a
    /// `video:title` is known in a `video:video`, but not directly in an entry.
    #[doc(hidden)]
    pub fn is_known(&self) -> bool {
        let row = self.node.name.row();
        row.is_some_and(|row| row.parent == self.parent)
    }

    /// The probably intended name, if the name is not [known](Self::is_known) here: `lastmod` for `lastmode`.
    #[doc(hidden)]
    pub fn meant(&self) -> Option<&'static str> {
        match self.parent {
            _ if self.is_known() => None,
            None => field_meant(self.name()),
            Some(parent) => nearest(self.name(), parent.group()?.names()),
        }
    }

    /// The element's own text, without its children's, trimmed and with references resolved.
    #[inline]
    pub fn text(&self) -> &'r str {
        self.record.view().value(self.node).get()
    }

    /// Returns `true` if the schema has a text here: an `image:image` has only elements, and text in it is ignored. Elements that
    /// are not [known](Self::is_known) may have a text.
    #[doc(hidden)]
    pub fn may_have_text(&self) -> bool {
        !self.is_known() || self.text_row().is_some_and(|row| row.shape() != Shape::Flag)
    }

    /// Checks that the text is a valid value of the field, like [`Record::read`]. The element's children and cardinality, and
    /// its emptiness, are not checked. The text of an element outside the schema is always valid.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) with the broken rule.
    ///
    /// ```
    /// use sitemap_serde::{Reader, Record};
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <url><loc>https://example.com/</loc><priority>high</priority></url>
    /// </urlset>"#;
    /// let mut record = Record::new();
    /// Reader::from_str(xml).read_record(&mut record)?;
    /// let wrong: Vec<&str> = record.fields().filter(|field| field.check().is_err()).map(|field| field.name()).collect();
    /// assert_eq!(wrong, ["priority"]);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    #[inline]
    pub fn check(&self) -> Result<()> {
        let Some(row) = self.text_row() else {
            return Ok(());
        };
        row.check_read(self.text()).map_err(|error| {
            error
                .within(self.record.table.step(self.node.name))
                .in_entry(self.record.number)
        })
    }

    /// The definition of its text; `None` outside the schema, and where the schema has no text.
    pub(crate) fn text_row(&self) -> Option<&'static SchemaRow> {
        let name = self.node.name;
        let text = name.group().map_or(Some(name), |group| group.text);
        text.and_then(Name::row)
    }

    /// Its name in the schema, or a name that only this record has.
    pub(crate) fn schema_name(&self) -> Name {
        self.node.name
    }

    /// The attributes, then the child elements, in document order.
    #[inline]
    pub fn fields(&self) -> impl FusedIterator<Item = Field<'r>> + Clone + Debug + use<'r> {
        Fields {
            record: self.record,
            parent: Some(self.node.name),
            next: self.index + 1,
            end: self.node.next(),
        }
    }

    /// The text of the first attribute or child with this name.
    #[inline]
    pub fn get(&self, name: &str) -> Option<&'r str> {
        self.fields()
            .find(|field| field.name() == name)
            .map(|field| field.text())
    }

    /// The range of its text in the [`source`](Record::source), and how it is written; `None` if it has references or several pieces.
    pub(crate) fn plain(&self) -> Option<(Range<usize>, Mode)> {
        self.record.view().plain(self.node)
    }

    /// The byte range in the document: for an element with its tags, for an attribute's value without the quotes. It is the
    /// entry's offset plus the offset in [`source`](Record::source), so in a document with a DOCTYPE only the latter is exact.
    pub fn byte_range(&self) -> Range<u64> {
        let Range { start, end } = self.node.outer();
        self.record.offset + start as u64..self.record.offset + end as u64
    }
}

/// The elements of a [`Record`], or the attributes and elements of an element.
#[derive(Clone, Debug)]
struct Fields<'r> {
    record: &'r Record,
    parent: Option<Name>,
    next: usize,
    end: usize,
}

impl FusedIterator for Fields<'_> {}

impl<'r> Iterator for Fields<'r> {
    type Item = Field<'r>;

    #[inline]
    fn next(&mut self) -> Option<Field<'r>> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        let node = self.record.table.nodes().get(index)?;
        self.next = node.next();
        Some(Field {
            record: self.record,
            node,
            parent: self.parent,
            index,
        })
    }
}

//! Reading a sitemap entry by entry.
//!
//! | file | content |
//! |---|---|
//! | this file | [`Reader`](crate::Reader): opens a document, and makes the iterators |
//! | `builder` | its settings |
//! | `entries` | the iterators over entries and records |
//! | `record` | `Record`, the buffer that `read_record` fills |
//! | `diagnosed` | an entry without its invalid values, each of which becomes a diagnostic |
//! | `rows` | entries of other formats of serde |

mod builder;
mod diagnosed;
mod entries;
mod record;
mod rows;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_core::Deserialize;

pub use builder::{Mode, ReaderBuilder};
pub use entries::Entries;
pub use record::{Field, Record};
pub use rows::Rows;

use crate::de::Deserializer;
use crate::diagnostic::Diagnostic;
use crate::document::DocumentReader;
use crate::document::sniff::Format;
use crate::entry::FromSitemapEntry;
use crate::error::{Error, Message, Position, Result};
use crate::filter::Filter;
use crate::loc::LocRules;
use crate::model::Kind;
use crate::schema::UrlEntry;
use crate::xml::source::{DocumentSource, SliceSource, StreamSource};

/// Reads a sitemap entry by entry, from a stream in constant memory.
///
/// An entry that breaks a rule or does not fit the type is one item, an [`ErrorKind::Data`](crate::ErrorKind::Data) error, and the next
/// item is the next entry. After any other error the iterator ends, so a truncated document always gives an error.
///
/// A document with a DOCTYPE is read by xml-rs, more slowly. Its entities are resolved, except references within an entity in an attribute
/// value, which stay text. Attribute defaults are ignored. A reference to an external entity is an error, since the reader opens only its
/// own input.
///
/// ```
/// use sitemap_serde::Reader;
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/</loc></url>
///   <url><loc>https://example.com/x</loc><priority>high</priority></url>
///   <url><loc>https://example.com/y</loc></url>
/// </urlset>"#;
/// let mut locs = Vec::new();
/// for entry in Reader::from_str(xml).entries() {
///     match entry {
///         Ok(entry) => locs.push(entry.loc),
///         Err(error) => assert_eq!(error.path(), Some("entry 2 · priority")),
///     }
/// }
/// assert_eq!(locs, ["https://example.com/", "https://example.com/y"]);
/// ```
#[derive(Debug)]
pub struct Reader<S> {
    document: DocumentReader<S>,
    rules: LocRules,
}

/// A document by the settings of a reader.
impl<S> Deserializer<S> {
    /// Makes a deserializer for what a reader has not read yet, by the reader's settings.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use sitemap_serde::{Deserializer, Limits, ReaderBuilder, UrlSet};
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>"#;
    /// let reader = ReaderBuilder::new().limits(Limits::reading().with_entries(0)).from_str(xml);
    /// assert!(<UrlSet>::deserialize(&mut Deserializer::new(reader)).is_err());
    /// ```
    pub fn new(reader: Reader<S>) -> Self {
        Deserializer::over(reader.document)
    }
}

impl<'de> Reader<SliceSource<'de>> {
    /// Makes a reader of text.
    #[expect(
        clippy::should_implement_trait,
        reason = "the name that serde's formats have, and it does not fail"
    )]
    pub fn from_str(text: &'de str) -> Self {
        ReaderBuilder::new().from_str(text)
    }

    /// Makes a reader of bytes; see [`from_slice`](crate::from_slice).
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        ReaderBuilder::new().from_slice(bytes)
    }
}

impl<R: Read> Reader<StreamSource<R>> {
    /// Makes a reader of an [`io::Read`](Read), which needs no `BufReader` around it.
    ///
    /// With the feature `gzip`, compressed data is recognised and decompressed.
    pub fn from_reader(reader: R) -> Self {
        ReaderBuilder::new().from_reader(reader)
    }
}

impl Reader<StreamSource<File>> {
    /// Opens a file; with the feature `gzip`, it may be compressed.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the file cannot be opened.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self> {
        ReaderBuilder::new().from_path(path)
    }
}

impl<'de, S: DocumentSource<'de>> Reader<S> {
    /// The kind of the document. Reads up to its root.
    ///
    /// # Errors
    /// The errors of reading the first entry: [`ErrorKind::Data`](crate::ErrorKind::Data) if the root is not a sitemap's, such as an HTML
    /// page's; [`ErrorKind::Settings`](crate::ErrorKind::Settings) if a setting of the builder is wrong.
    ///
    /// ```
    /// use sitemap_serde::{Kind, Reader};
    ///
    /// let mut reader = Reader::from_str(r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>"#);
    /// assert_eq!(reader.kind()?, Kind::SitemapIndex);
    /// assert!(Reader::from_str("<!doctype html>").kind().is_err());
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn kind(&mut self) -> Result<Kind> {
        self.document.kind()
    }

    /// Returns the document's format; reads up to its root. The [kind](Self::kind) of text sitemaps and feeds is a urlset, if they are
    /// [read](ReaderBuilder::other_formats).
    ///
    /// # Errors
    /// See [`kind`](Self::kind).
    ///
    /// ```
    /// use sitemap_serde::ReaderBuilder;
    /// use sitemap_serde::format::Format;
    ///
    /// let mut reader = ReaderBuilder::new().other_formats(true).from_str("https://example.com/");
    /// assert_eq!(reader.format()?, Format::Text);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn format(&mut self) -> Result<Format> {
        self.document.kind()?;
        Ok(self.document.format())
    }

    /// Iterates over the remaining entries of a urlset, with every value checked. The iterator borrows the reader;
    /// [`into_iter`](IntoIterator::into_iter) returns an iterator that owns it.
    ///
    /// On an index, the only item is an [`ErrorKind::Data`](crate::ErrorKind::Data) error.
    pub fn entries(&mut self) -> Entries<S, UrlEntry, &mut Self> {
        Entries::new(self)
    }

    /// Iterates over the remaining entries, of either kind of document, as values of a type that implements serde's
    /// `Deserialize`.
    ///
    /// ```
    /// use sitemap_serde::{IndexEntry, Reader};
    ///
    /// let xml = r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <sitemap><loc>https://example.com/1.xml.gz</loc></sitemap>
    /// </sitemapindex>"#;
    /// let sitemaps: Vec<IndexEntry> = Reader::from_str(xml).deserialize().collect::<Result<_, _>>()?;
    /// assert_eq!(sitemaps[0].loc, "https://example.com/1.xml.gz");
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn deserialize<T: Deserialize<'de>>(&mut self) -> Entries<S, T, &mut Self> {
        self.entries().deserialize()
    }

    /// Iterates over the remaining entries, of either kind of document, as values of a type that derives
    /// [`FromSitemapEntry`](macro@crate::FromSitemapEntry).
    ///
    /// ```
    /// use sitemap_serde::{FromSitemapEntry, Reader};
    ///
    /// #[derive(FromSitemapEntry)]
    /// #[sitemap(loc = "/products/{slug}")]
    /// struct Product {
    ///     slug: String,
    ///     #[sitemap(priority)]
    ///     priority: Option<f32>,
    /// }
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <url><loc>https://example.com/products/lamp%20%26%20shade</loc><priority>0.8</priority></url>
    ///   <url><loc>https://example.com/about</loc></url>
    /// </urlset>"#;
    /// let mut reader = Reader::from_str(xml);
    /// let mut products = reader.read::<Product>();
    /// assert_eq!(products.next().unwrap()?.slug, "lamp & shade");
    /// assert!(products.next().unwrap().is_err()); // no product
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn read<T: FromSitemapEntry>(&mut self) -> Entries<S, T, &mut Self> {
        self.entries().read()
    }

    /// Reads the next entry into a record, reusing its memory: the fastest way to read. Returns `false` at the end of the document. The
    /// record is then empty, as it is after an error.
    ///
    /// Checks the structure (exactly one loc, the other three core elements at most once), but not the values.
    ///
    /// # Errors
    /// See [`from_str`](crate::from_str). After an [`ErrorKind::Data`](crate::ErrorKind::Data) error the next call reads the next entry,
    /// after any other it returns `false`.
    ///
    /// ```
    /// use sitemap_serde::{Reader, Record};
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <url><loc>https://example.com/</loc></url>
    /// </urlset>"#;
    /// let mut reader = Reader::from_str(xml);
    /// let mut record = Record::new();
    /// while reader.read_record(&mut record)? {
    ///     println!("{} at {:?}", record.loc(), record.byte_range());
    /// }
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn read_record(&mut self, record: &mut Record) -> Result<bool> {
        let found = self.document.next_record();
        if matches!(found, Ok(true)) {
            record.take_from(&mut self.document);
        } else {
            record.clear();
        }
        found
    }

    /// Skips, from now on, the entries that a filter does not keep, in every way of reading. They count as entries of the document:
    /// numbers and [`Limits`](crate::Limits) are the same. An entry without a loc, or with a broken structure, is an error as without the
    /// filter.
    ///
    /// ```
    /// use sitemap_serde::{Filter, Reader};
    ///
    /// let index = r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <sitemap><loc>https://example.com/1.xml</loc><lastmod>2025-01-01</lastmod></sitemap>
    ///   <sitemap><loc>https://example.com/2.xml</loc><lastmod>2026-05-01</lastmod></sitemap>
    /// </sitemapindex>"#;
    /// let mut reader = Reader::from_str(index);
    /// reader.filter(Filter::new().since("2026-01-01".parse()?));
    /// let mut record = sitemap_serde::Record::new();
    /// assert!(reader.read_record(&mut record)?);
    /// assert_eq!((record.loc(), record.number()), ("https://example.com/2.xml", 2));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn filter(&mut self, filter: Filter) -> &mut Self {
        self.document.set_filter(filter);
        self
    }

    /// Checks every value of the record that [`read_record`](Self::read_record) has just read, and returns its entry like
    /// [`entries`](Self::entries): for a program that reads records, and some of them as entries.
    ///
    /// In a [lenient](Mode::Lenient) reading, invalid values are dropped and added to the [diagnostics](Self::diagnostics). If another
    /// record was read since, this is [`Record::read`].
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if a value breaks its rule; unlike the error of [`Record::read`], it has the line
    /// and the column. Also if the record is empty, or another reader has read it.
    ///
    /// ```
    /// use sitemap_serde::{Reader, Record};
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <url><loc>https://example.com/</loc><priority>high</priority></url>
    /// </urlset>"#;
    /// let (mut reader, mut record) = (Reader::from_str(xml), Record::new());
    /// while reader.read_record(&mut record)? {
    ///     if record.priority().is_err() {
    ///         let error = reader.diagnose(&record).unwrap_err();
    ///         assert_eq!(error.position().unwrap().line(), 2);
    ///     }
    /// }
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn diagnose(&mut self, record: &Record) -> Result<UrlEntry> {
        if record.document() != self.document.id() {
            return Err(not_of_reader(record));
        }
        match record.to_entry() {
            Err(error) if record.number() == self.document.entries() => {
                if self.document.is_lenient() {
                    Ok(diagnosed::lenient_entry_of(&mut self.document, record.view()))
                } else {
                    Err(self.document.in_record(error))
                }
            }
            entry => entry,
        }
    }

    /// The position after the last returned entry (byte offset, line, column), with that entry's number. An error's position, in contrast,
    /// is the start of the mistake.
    ///
    /// ```
    /// use sitemap_serde::Reader;
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>"#;
    /// let mut reader = Reader::from_str(xml);
    /// reader.entries().next();
    /// let position = reader.position();
    /// assert_eq!(&xml[position.byte() as usize..], "</urlset>");
    /// assert_eq!(position.entry(), Some(1));
    /// ```
    pub fn position(&self) -> Position {
        self.document.position()
    }
}

impl<R: Read> Reader<StreamSource<R>> {
    /// The inner `io::Read`. It is read in blocks, so it is ahead of [`position`](Self::position).
    pub fn get_ref(&self) -> &R {
        self.document.origin().get_ref()
    }

    /// The inner `io::Read`, mutably. Bytes read from it directly are missing from the document.
    pub fn get_mut(&mut self) -> &mut R {
        self.document.origin_mut().get_mut()
    }

    /// Returns the inner `io::Read`. Bytes that were read ahead are lost.
    pub fn into_inner(self) -> R {
        self.document.into_origin().into_inner()
    }
}

impl<'de, S: DocumentSource<'de>> Reader<S> {
    /// The problems found so far in a [lenient](ReaderBuilder::mode) reading and not yet [taken](Self::take_diagnostics), at most the first
    /// 1,000.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.document.diagnostics()
    }

    /// Takes the [diagnostics](Self::diagnostics), which makes room for more.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        self.document.take_diagnostics()
    }

    /// Takes the texts of the last entry that strict reading [ignores](ReaderBuilder::note_ignored), and the number of those that did not
    /// fit.
    #[doc(hidden)]
    pub fn take_ignored(&mut self) -> (Vec<Diagnostic>, u64) {
        self.document.take_ignored()
    }

    /// The number of diagnostics that did not fit in [`diagnostics`](Self::diagnostics).
    pub fn dropped_diagnostics(&self) -> u64 {
        self.document.dropped_diagnostics()
    }
}

#[cold]
fn not_of_reader(record: &Record) -> Error {
    let found = match record.number() {
        0 => "the record is empty",
        _ => "another reader has read the record",
    };
    let message = Message::new(format!(
        "{found}: `diagnose` takes a record that this reader has read"
    ));
    Error::data(message.advice("call `read_record` of this reader, and `diagnose` if it returns `true`"))
}

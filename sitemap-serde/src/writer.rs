//! Writing a sitemap entry by entry.
//!
//! | file | content |
//! |---|---|
//! | this file | `Writer`: begins a document, writes entries one by one, and ends it |
//! | `builder` | its settings |
//! | `entries` | all rows in one call, to a text or a writer |
//! | `file` | the file of a writer made from a path: plain, or compressed |

mod builder;
mod entries;
mod file;

use std::io::Write;
use std::path::Path;

use serde_core::Serialize;
use sitemap_values::W3cDateTime;

pub(crate) use builder::EditorSettings;
pub use builder::WriterBuilder;
pub use entries::{IntoRow, entries_to_string};
pub use file::OutputFile;

use crate::document::DocumentWriter;
use crate::entry::{EntryWriter, SitemapEntry};
use crate::error::{Error, Result};
use crate::ser::EntrySerializer;

/// Writes a sitemap entry by entry, in constant memory: as XML, or as [text](WriterBuilder::text_from_writer).
///
/// An entry is checked completely before any of it is written. If it breaks a rule, the [`Error`] names the entry and the field, nothing
/// of the entry is written, and the document can be continued. Only [`finish`](Self::finish) closes the document: **if a writer is
/// dropped, every reader rejects its document as incomplete**, so that an early `?` in a loop over rows cannot publish half a site. A text
/// sitemap has no end, so a reader cannot tell.
///
/// The writer buffers blocks of 32 KiB, so `W` needs no `BufWriter`.
///
/// ```
/// use sitemap_serde::{UrlEntry, WriterBuilder};
///
/// let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
/// for path in ["/", "/about"] {
///     writer.serialize(&UrlEntry::new(path))?;
/// }
/// assert_eq!(
///     String::from_utf8(writer.finish()?).unwrap(),
///     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
///      <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
///      <url><loc>https://example.com/</loc></url>\
///      <url><loc>https://example.com/about</loc></url>\
///      </urlset>"
/// );
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// An entry that no longer fits in the document (P-COUNT, P-SIZE) is an error, and can be written to the next document:
///
/// ```
/// use sitemap_serde::{ErrorKind, Limits, UrlEntry, WriterBuilder};
///
/// let mut builder = WriterBuilder::new();
/// builder.base("https://example.com");
/// builder.limits(Limits::writing().with_entries(2)); // 50,000 by default
///
/// let mut files = Vec::new();
/// let mut writer = builder.from_writer(Vec::new());
/// for page in (1..=5).map(|i| UrlEntry::new(format!("/{i}"))) {
///     match writer.write(&page) {
///         Err(full) if full.kind() == ErrorKind::Limit && writer.summary().entries > 0 => {
///             files.push(writer.finish()?);
///             writer = builder.from_writer(Vec::new());
///             writer.write(&page)?;
///         }
///         written => drop(written?),
///     }
/// }
/// files.push(writer.finish()?);
/// assert_eq!(files.len(), 3);
/// assert!(String::from_utf8_lossy(&files[1]).contains("https://example.com/3"));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    /// `None` only within `finish`.
    document: Option<DocumentWriter<W>>,
}

impl<W: Write> Writer<W> {
    /// Makes a writer of a compact document with the protocol's limits and no base: a urlset, unless the first entry is an
    /// [`IndexEntry`](crate::IndexEntry). For other settings see [`WriterBuilder`].
    ///
    /// ```
    /// let writer = sitemap_serde::Writer::from_writer(Vec::new());
    /// assert_eq!(writer.summary().entries, 0);
    /// ```
    pub fn from_writer(inner: W) -> Self {
        WriterBuilder::new().from_writer(inner)
    }

    fn document(&mut self) -> Result<&mut DocumentWriter<W>> {
        self.document.as_mut().ok_or_else(gone)
    }

    /// Writes one entry, a struct or map with fields named as in the schema (`loc`, `lastmod`, `changefreq`, `priority`).
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if a value breaks a rule, the loc is missing or a field is unknown;
    /// [`ErrorKind::Limit`](crate::ErrorKind::Limit) if the document is full (P-COUNT, P-SIZE);
    /// [`ErrorKind::Settings`](crate::ErrorKind::Settings) if a setting of the builder is wrong (see [`WriterBuilder::check`]);
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the inner writer fails. The entry is then not written, and the document can be
    /// continued or finished.
    ///
    /// ```
    /// #[derive(serde::Serialize)]
    /// struct Page<'a> {
    ///     loc: &'a str,
    ///     priority: f32,
    /// }
    ///
    /// let mut writer = sitemap_serde::Writer::from_writer(Vec::new());
    /// writer.serialize(&Page { loc: "https://example.com/", priority: 1.0 })?;
    /// let error = writer.serialize(&Page { loc: "https://example.com/x", priority: 10.0 }).unwrap_err();
    /// assert_eq!(error.path(), Some("entry 2 · priority"));
    /// assert_eq!(writer.summary().entries, 1);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn serialize<T: Serialize + ?Sized>(&mut self, entry: &T) -> Result<()> {
        self.document()?
            .entry(|record| entry.serialize(EntrySerializer::new(record)))
    }

    /// Writes a row of a type that derives [`SitemapEntry`](macro@crate::SitemapEntry), if it is listed: one entry, or all its
    /// [entries](EntryWriter::each). Returns the number of entries written: 0 if the row is not listed or was
    /// [skipped](WriterBuilder::on_invalid), 1 for a single entry.
    ///
    /// A row that is not listed ([`is_listed`](SitemapEntry::is_listed)) is skipped: it is not checked, and
    /// [`summary`](Self::summary) does not count it:
    ///
    /// ```
    /// use sitemap_serde::{SitemapEntry, Writer};
    ///
    /// #[derive(SitemapEntry)]
    /// #[sitemap(loc = "https://example.com/{slug}")]
    /// struct Post {
    ///     slug: &'static str,
    ///     #[sitemap(exclude_if)]
    ///     draft: bool,
    /// }
    ///
    /// let posts = [Post { slug: "a", draft: false }, Post { slug: "b", draft: true }];
    /// let mut writer = Writer::from_writer(Vec::new());
    /// let written: Vec<u64> = posts.iter().map(|post| writer.write(post)).collect::<Result<_, _>>()?;
    /// assert_eq!(written, [1, 0]);
    /// assert!(!posts[1].is_listed());
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    ///
    /// The entries of a row are in one document: it contains all of them, or after an error none.
    ///
    /// # Errors
    /// See [`serialize`](Self::serialize). A row with more entries than fit in the document is an
    /// [`ErrorKind::Limit`](crate::ErrorKind::Limit) error, and belongs as a whole in the next document; if the document is empty, the
    /// row fits in no document.
    ///
    /// ```
    /// use sitemap_serde::{ErrorKind, EntryWriter, Limits, Result, SitemapEntry, WriterBuilder};
    ///
    /// struct Article(&'static str);
    ///
    /// impl SitemapEntry for Article {
    ///     fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
    ///         entry.each(["de", "en"], |language, entry| {
    ///             entry.loc(format!("https://example.com/{language}/{}", self.0))
    ///         })
    ///     }
    /// }
    ///
    /// let mut builder = WriterBuilder::new();
    /// let mut writer = builder.limits(Limits::writing().with_entries(3)).from_writer(Vec::new());
    /// assert_eq!(writer.write(&Article("lamps"))?, 2);
    /// let full = writer.write(&Article("chairs")).unwrap_err();
    /// assert_eq!(full.kind(), ErrorKind::Limit);
    /// assert_eq!(writer.summary().entries, 2);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn write<T: SitemapEntry + ?Sized>(&mut self, row: &T) -> Result<u64> {
        let document = self.document()?;
        if !row.is_listed() {
            document.pass_over();
            return Ok(0);
        }
        document.row(|record, entries| {
            let mut entry = EntryWriter::of_row(record, entries);
            row.write_entry(&mut entry)?;
            entry.end()
        })
    }

    /// Returns counts of the entries written so far, and the newest lastmod.
    ///
    /// A program that caches documents can use it to decide which date to send, and if the date is reliable.
    ///
    /// ```
    /// use sitemap_serde::{UrlEntry, Writer};
    ///
    /// let mut writer = Writer::from_writer(Vec::new());
    /// for (path, lastmod) in [("a", Some("2026-05-01")), ("b", Some("2026-05-09")), ("c", None)] {
    ///     let mut entry = UrlEntry::new(format!("https://example.com/{path}"));
    ///     entry.lastmod = lastmod.map(str::parse).transpose()?;
    ///     writer.write(&entry)?;
    /// }
    /// let summary = writer.summary();
    /// assert_eq!((summary.entries, summary.dated), (3, 2));
    /// assert_eq!(summary.newest_lastmod, Some("2026-05-09".parse()?));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn summary(&self) -> Summary {
        let document = self.document.as_ref();
        document.map_or_else(Summary::default, |document| {
            let (skipped, dropped) = document.problem_counts();
            Summary {
                entries: document.entries(),
                bytes: document.bytes(),
                skipped,
                dropped,
                dated: document.dated(),
                newest_lastmod: document.newest_lastmod(),
            }
        })
    }

    /// The loc of the last written entry, as in the document: resolved, encoded, and escaped (`&` is `&amp;`). `None` if there is no
    /// entry, or the last call was an error.
    #[doc(hidden)]
    pub fn last_loc(&self) -> Option<&str> {
        self.document.as_ref().and_then(DocumentWriter::last_loc)
    }

    /// Takes the problems since the last call, if the builder [keeps them](WriterBuilder::keep_problems).
    #[doc(hidden)]
    pub fn take_problems(&mut self) -> Vec<Error> {
        let problems = self
            .document
            .as_mut()
            .and_then(|document| document.problems.as_mut());
        problems.map(std::mem::take).unwrap_or_default()
    }

    /// Writes the buffered bytes and flushes the inner writer. Needed only if another program waits for the entries so far. It does not
    /// complete the document.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the inner writer fails.
    pub fn flush(&mut self) -> Result<()> {
        self.document()?.flush()
    }

    /// The inner writer. Buffered entries may not have reached it yet.
    ///
    /// # Panics
    /// Never: there is always a writer until [`finish`](Self::finish) returns it.
    pub fn get_ref(&self) -> &W {
        self.document
            .as_ref()
            .expect("a writer that is not finished")
            .inner()
    }

    /// The inner writer, mutably. Bytes written to it directly end up inside the document.
    ///
    /// # Panics
    /// Never; see [`get_ref`](Self::get_ref).
    pub fn get_mut(&mut self) -> &mut W {
        self.document
            .as_mut()
            .expect("a writer that is not finished")
            .inner_mut()
    }

    /// Closes the document, flushes, and returns the inner writer.
    ///
    /// A document without entries is an empty root. The schema forbids it (P-EMPTY), and Google reports it. Before publishing, check
    /// the entries of [`summary`](Self::summary), and answer 404 or do not list the file in the index. It is not an error here, since the writer
    /// cannot know if the last page is gone or a query has failed.
    ///
    /// # Errors
    /// See [`try_finish`](Self::try_finish). On an error, the inner writer is dropped; `try_finish` keeps it.
    pub fn finish(mut self) -> Result<W> {
        self.try_finish()?;
        self.document
            .take()
            .map(DocumentWriter::into_inner)
            .ok_or_else(gone)
    }

    /// Closes the document and flushes. After an I/O error it can be called again, and continues where it stopped.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the inner writer fails; [`ErrorKind::Settings`](crate::ErrorKind::Settings) if there
    /// are no entries and a setting of the builder is wrong (see [`WriterBuilder::check`]): then nothing is written.
    pub fn try_finish(&mut self) -> Result<()> {
        self.document()?.finish()
    }
}

/// Counts of a [`Writer`]'s output, returned by [`Writer::summary`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of entries.
    pub entries: u64,
    /// The number of bytes so far, including buffered ones, without the root's end tag.
    pub bytes: u64,
    /// The number of rows that were skipped because they are [invalid](WriterBuilder::on_invalid).
    pub skipped: u64,
    /// The number of [invalid](WriterBuilder::on_invalid) values that were dropped.
    pub dropped: u64,
    /// The number of entries with a lastmod.
    pub dated: u64,
    /// The newest lastmod of the entries; `None` if none has one.
    pub newest_lastmod: Option<W3cDateTime>,
}

impl Writer<OutputFile> {
    /// Creates or truncates a file and writes a sitemap to it, compressed if the file's name ends in
    /// `.gz`.
    ///
    /// # Errors
    /// See [`WriterBuilder::from_path`].
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self> {
        WriterBuilder::new().from_path(path)
    }
}

/// Flushes, and leaves the root open: an unfinished document must not look complete.
impl<W: Write> Drop for Writer<W> {
    fn drop(&mut self) {
        if let Some(document) = &mut self.document {
            document.abandon();
        }
    }
}

#[cold]
fn gone() -> Error {
    Error::data("the document is finished: nothing more can be written to it")
}

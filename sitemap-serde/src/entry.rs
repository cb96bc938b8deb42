//! Writing an application's own types as entries.
//!
//! | file | content |
//! |---|---|
//! | this file | `SitemapEntry`: a type that is written as an entry |
//! | `read`, `row`, `fields` | `FromSitemapEntry`; a row of several entries; a part of a row, for `flatten` |
//! | `convert`, `many` | conversions of fields for writing: to one value; to images, videos, news or alternates |
//! | `from`, `from_many` | the same for reading |
//! | `column`, `columns` | modules for values of databases; what a type declares about its columns |
//! | `extension` | the extensions of an entry, from the crate's own types |

pub(crate) mod column;
mod columns;
mod convert;
mod extension;
mod fields;
mod from;
mod from_many;
mod many;
mod read;
mod row;

use std::fmt;

pub use columns::Columns;
pub use convert::{AsLoc, ToChangeFreq, ToLastmod, ToPriority};
#[cfg(feature = "derive")]
pub(crate) use extension::{OfEntry, parts};
#[cfg(feature = "derive")]
pub use fields::Gives;
pub use fields::{FromSitemapFields, SitemapFields};
pub use from::{FromChangeFreq, FromLastmod, FromLoc, FromPriority};
pub use from_many::FromElements;
#[cfg(feature = "derive")]
pub(crate) use many::Several;
pub use many::ToElements;
pub use read::{EntryReader, FromSitemapEntry};

use row::RowState;

use crate::error::Result;
#[cfg(feature = "derive")]
use crate::loc::Mount;
use crate::loc::TemplateUrl;
use crate::model::Kind;
#[cfg(feature = "derive")]
use crate::record::Slot;
use crate::record::{RecordWriter, RowReceiver};
use crate::schema::{Element, IndexEntry, UrlEntry};

/// A type whose values are entries of a sitemap. `#[derive(SitemapEntry)]` implements it.
///
/// A value is one entry, or any number of them ([`EntryWriter::each`]): a page in three languages is one row and three entries. Every
/// function with a `SitemapEntry` parameter accepts both; the entries of a row are written all together or not at all.
///
/// A manual implementation:
///
/// ```
/// use sitemap_serde::convert::encode_segment;
/// use sitemap_serde::{ChangeFreq, EntryWriter, Result, SitemapEntry, WriterBuilder};
///
/// struct Post {
///     slug: String,
///     draft: bool,
/// }
///
/// impl SitemapEntry for Post {
///     fn is_listed(&self) -> bool {
///         !self.draft
///     }
///
///     fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
///         entry.loc(format!("/posts/{}", encode_segment(&self.slug)))?;
///         entry.changefreq(ChangeFreq::Monthly)
///     }
/// }
///
/// let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
/// writer.write(&Post { slug: "a/b".into(), draft: false })?;
/// writer.write(&Post { slug: "unfinished".into(), draft: true })?; // not listed, so not written
/// let xml = String::from_utf8(writer.finish()?).unwrap();
/// assert!(xml.contains("<url><loc>https://example.com/posts/a%2Fb</loc><changefreq>monthly</changefreq></url>"));
/// assert!(!xml.contains("unfinished"));
/// # Result::<()>::Ok(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entry of a sitemap",
    note = "derive it: `#[derive(SitemapEntry)]` with a `#[sitemap(loc = …)]`",
    note = "the text of a URL is made one by `UrlEntry::new(url)`",
    note = "a type that implements serde's `Serialize` is written by `Writer::serialize`"
)]
pub trait SitemapEntry {
    /// Returns `true` if the sitemap lists the entry. An entry that is not listed is not written.
    fn is_listed(&self) -> bool {
        true
    }

    /// Writes the entry's values to `entry`, in any order.
    ///
    /// # Errors
    /// The errors of `entry`'s functions; make your own with [`Error::custom`](crate::Error::custom). After an error, nothing of the entry
    /// is written.
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()>;

    /// Returns the title of the row's pages, a text for people: the link's text at `/sitemap.html` of sitemap-site. It is never written to a
    /// document. The derive returns the value of `title`; the default returns `None`.
    fn page_title(&self) -> Option<String> {
        None
    }

    /// The columns of the type's rows in a database, as far as its attributes name them. Database sources use it to find the column with
    /// the lastmod, and the rows that are listed. The default names none.
    #[doc(hidden)]
    fn columns() -> Columns
    where
        Self: Sized,
    {
        Columns::default()
    }
}

macro_rules! pointers {
    ($($type:ty),*) => {
        $(impl<T: SitemapEntry + ?Sized> SitemapEntry for $type {
            fn is_listed(&self) -> bool {
                (**self).is_listed()
            }

            fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                (**self).write_entry(entry)
            }

            fn page_title(&self) -> Option<String> {
                (**self).page_title()
            }
        })*
    };
}
pointers!(&T, &mut T, Box<T>);

/// Writes the values of one entry: checks each value, and puts them in the schema's order (P-ORDER).
///
/// [`Writer::write`](crate::Writer::write) makes it for [`SitemapEntry::write_entry`].
#[derive(Debug)]
pub struct EntryWriter<'a> {
    record: RecordWriter<'a>,
    /// The destination of the entry, and of other entries of its row.
    row: &'a mut (dyn RowReceiver + 'a),
    state: RowState,
}

impl EntryWriter<'_> {
    /// Sets the base and encoding of the entry's type, which override the writer's.
    #[cfg(feature = "derive")]
    pub(crate) fn mount(&mut self, mount: &'static Mount) {
        self.record.mount(mount.overrides);
    }

    /// Declares the entry a `url` or a `sitemap`, before any of its values. If the writer has no [`kind`](crate::WriterBuilder::kind), its
    /// first entry decides the document's kind.
    ///
    /// An undeclared entry fits a document of either kind, and makes a new one a urlset.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the document is of the other kind (P-NS).
    pub fn kind(&mut self, kind: Kind) -> Result<()> {
        self.record.expect(kind)
    }

    /// Makes the namespaces of a type known.
    #[cfg(feature = "derive")]
    pub(crate) fn know_namespaces(&mut self, of_type: &[(&str, &str)]) -> Result<()> {
        let known = self.record.known();
        of_type
            .iter()
            .try_for_each(|(prefix, uri)| known.add_of_type(prefix, uri))
    }

    /// Checks the alternates against the loc once the entry is complete.
    #[cfg(feature = "derive")]
    pub(crate) fn check_alternates(&mut self) {
        self.record.check_alternates();
    }

    /// Writes the loc: an absolute URL, or a path that begins with `/` and is appended to the writer's base. A text that begins
    /// with `//` is not a path, since a host follows `//` (P-LOC).
    ///
    /// Characters that a URL cannot contain are percent-encoded, non-ASCII characters in the server's encoding (P-LOCENC). `None` writes
    /// nothing.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not an http(s) URL (P-LOC), has more than 2,048 characters (P-LOCLEN), a
    /// character that the server's encoding lacks (P-LOCENC) or an invalid host (P-IDN), is on another site than the document (P-HOST,
    /// P-IDX1) or not below its directory (P-PATH, P-IDX2), or is the entry's second (P-DUP).
    /// [`ErrorKind::Settings`](crate::ErrorKind::Settings) if the writer's or the type's base or encoding is invalid.
    pub fn loc(&mut self, loc: impl AsLoc) -> Result<()> {
        let Some(loc) = loc.as_loc() else { return Ok(()) };
        self.record.loc(loc)
    }

    /// Writes a loc that `build` builds from literals and values; otherwise like [`loc`](Self::loc).
    ///
    /// # Errors
    /// See [`loc`](Self::loc); also if a value makes a segment `.` or `..`, which a browser would resolve away, or an empty one leaves a
    /// segment empty ([`LocWriter::simple`]). A value that begins with a `/` can make a path begin with `//`.
    #[doc(hidden)]
    pub fn loc_template(&mut self, build: impl FnOnce(&mut LocWriter<'_>) -> Result<()>) -> Result<()> {
        self.record.loc_template(|url| {
            let mut loc = LocWriter { url };
            build(&mut loc).map(|()| loc.url)
        })
    }

    /// Writes the lastmod (P-LASTMOD); `None` writes nothing.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the value is not a W3C Datetime, or the entry already has one.
    pub fn lastmod(&mut self, lastmod: impl ToLastmod) -> Result<()> {
        self.value(lastmod.to_lastmod(), "lastmod", |record, value| {
            record.lastmod(&value)
        })
    }

    /// Writes the changefreq (P-FREQ); `None` writes nothing.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the value is not a changefreq, the entry already has one, or the document is an index
    /// (P-INDEXTAGS).
    pub fn changefreq(&mut self, changefreq: impl ToChangeFreq) -> Result<()> {
        self.value(changefreq.to_changefreq(), "changefreq", |record, value| {
            record.changefreq(value)
        })
    }

    /// Writes the priority, 0.0 to 1.0 (P-PRIO); `None` writes nothing.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the value is out of range, is the entry's second, or the document
    /// is an index (P-INDEXTAGS).
    pub fn priority(&mut self, priority: impl ToPriority) -> Result<()> {
        self.value(priority.to_priority(), "priority", |record, value| {
            record.priority(value)
        })
    }

    /// Writes a core value other than the loc, if there is one.
    #[inline]
    pub(crate) fn value<T>(
        &mut self,
        value: Result<Option<T>>,
        name: &'static str,
        write: impl FnOnce(&mut RecordWriter<'_>, T) -> Result<()>,
    ) -> Result<()> {
        match value {
            Ok(Some(value)) => self.record.extra(|record| write(record, value)),
            Ok(None) => Ok(()),
            Err(error) => self.record.omit(error.within(name)),
        }
    }

    /// Drops the value of an error, if the writer's settings say so.
    pub(crate) fn omit(&mut self, error: crate::error::Error) -> Result<()> {
        self.record.omit(error)
    }

    /// The lastmod of a literal that the derive has checked.
    #[cfg(feature = "derive")]
    pub(crate) fn lastmod_literal(&mut self, text: &str) -> Result<()> {
        self.record
            .extra(|record| record.checked_text(Slot::Lastmod, text))
    }

    /// The priority of a literal that the derive has checked.
    #[cfg(feature = "derive")]
    pub(crate) fn priority_literal(&mut self, text: &str) -> Result<()> {
        self.record
            .extra(|record| record.checked_text(Slot::Priority, text))
    }
}

impl SitemapEntry for UrlEntry {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.kind(Kind::UrlSet)?;
        self.write(&mut entry.record)
    }
}

impl SitemapEntry for IndexEntry {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.kind(Kind::SitemapIndex)?;
        entry.loc(&self.loc)?;
        entry.lastmod(self.lastmod)
    }
}

/// Builds a loc from a template's literals and values (RFC 6570, levels 1 and 2).
///
/// Characters outside ASCII are percent-encoded in the server's encoding: UTF-8, unless
/// [`WriterBuilder::encoding`](crate::WriterBuilder::encoding) or the type sets another (P-LOCENC).
#[doc(hidden)]
#[derive(Debug)]
pub struct LocWriter<'a> {
    url: TemplateUrl<'a>,
}

impl LocWriter<'_> {
    /// Appends a literal of the template.
    ///
    /// # Errors
    /// None at present; a `Result` so that calls chain.
    #[doc(hidden)]
    pub fn literal(&mut self, text: &str) -> Result<()> {
        self.url.literal(text);
        Ok(())
    }

    /// Appends a literal that needs neither percent-encoding nor XML escaping.
    #[cfg(feature = "derive")]
    pub(crate) fn plain_literal(&mut self, text: &str) {
        self.url.plain_literal(text);
    }

    /// Appends values that may leave a segment of the path empty.
    #[cfg(feature = "derive")]
    pub(crate) fn or_empty(&mut self, append: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let empty = self.url.empty_values();
        append(self)?;
        self.url.forget_empty_values(empty);
        Ok(())
    }

    /// Appends the value of `{name}`, and percent-encodes all characters except unreserved ones (letters, digits, `-._~`).
    ///
    /// An empty value must not leave a path segment empty, as in `/products/{slug}`: the loc would be another page's, so completing it is
    /// an error. If there is such a page, do not append the value.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the value's `Display` fails, or the value has a character that the server's encoding
    /// lacks (P-LOCENC).
    #[doc(hidden)]
    pub fn simple(&mut self, name: &str, value: impl fmt::Display) -> Result<()> {
        self.url.simple(name, value)
    }

    /// Appends the value of `{+name}`; reserved characters such as `/`, and triplets such as `%2F`, are kept.
    ///
    /// A value that begins the URL and ends with a slash, such as a `url::Url` without a path, is joined by a single slash to a literal
    /// that begins with one: `https://example.com/` and `/lamps` are `https://example.com/lamps`.
    ///
    /// # Errors
    /// See [`simple`](Self::simple).
    #[doc(hidden)]
    pub fn reserved(&mut self, name: &str, value: impl fmt::Display) -> Result<()> {
        self.url.reserved(name, value)
    }
}

//! Writing a whole document of rows in one call.

use std::io::Write;

use crate::entry::SitemapEntry;
use crate::error::Result;
use crate::ser::string;

use super::WriterBuilder;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Types of rows for [`WriterBuilder::entries_to_writer`] and its siblings: a [`SitemapEntry`], or a `Result` of it, as returned
/// by a database cursor.
///
/// Only this crate implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a row of a sitemap: neither an entry nor a `Result` of one",
    label = "the items do not implement `SitemapEntry`",
    note = "derive it: `#[derive(SitemapEntry)]` with a `#[sitemap(loc = …)]`",
    note = "the text of a URL is made an entry by `UrlEntry::new(url)`",
    note = "types that implement serde's `Serialize` are written by `sitemap_serde::to_string(&rows)`"
)]
pub trait IntoRow: private::Sealed {
    /// The row itself.
    type Row: SitemapEntry;

    /// Returns the row, or the error in its place.
    ///
    /// # Errors
    /// The error of the `Result`.
    fn into_row(self) -> Result<Self::Row, BoxError>;
}

impl<T: SitemapEntry> IntoRow for T {
    type Row = T;

    fn into_row(self) -> Result<T, BoxError> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: SitemapEntry, E: Into<BoxError>> IntoRow for Result<T, E> {
    type Row = T;

    fn into_row(self) -> Result<T, BoxError> {
        self.map_err(Into::into)
    }
}

mod private {
    pub trait Sealed {}

    impl<T: super::SitemapEntry> Sealed for T {}

    impl<T: super::SitemapEntry, E: Into<super::BoxError>> Sealed for Result<T, E> {}
}

/// Writes a urlset of rows to a string, compact, and finishes it. If there are no rows, the document is an empty root, which the
/// schema forbids (P-EMPTY): do not list it in the index, see [`Writer::finish`](crate::Writer::finish).
///
/// [`WriterBuilder`] does the same with a base or other settings ([`entries_to_string`](WriterBuilder::entries_to_string)), and
/// into a writer ([`entries_to_writer`](WriterBuilder::entries_to_writer)).
///
/// # Errors
/// See [`WriterBuilder::entries_to_string`].
///
/// ```
/// use sitemap_serde::SitemapEntry;
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "https://example.com/products/{slug}", priority = 0.5)]
/// struct Product {
///     slug: &'static str,
/// }
///
/// let products = [Product { slug: "lamp" }, Product { slug: "a/b" }];
/// assert_eq!(
///     sitemap_serde::entries_to_string(&products)?,
///     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
///      <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
///      <url><loc>https://example.com/products/lamp</loc><priority>0.5</priority></url>\
///      <url><loc>https://example.com/products/a%2Fb</loc><priority>0.5</priority></url>\
///      </urlset>"
/// );
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
pub fn entries_to_string(rows: impl IntoIterator<Item: IntoRow>) -> Result<String> {
    WriterBuilder::new().entries_to_string(rows)
}

/// Writing a whole document of rows in one call, so that none is left unfinished.
impl WriterBuilder {
    /// Writes a document of rows to a string, and finishes it. Rows that are not [listed](SitemapEntry::is_listed) are skipped. A
    /// row may be a `Result` of a [`SitemapEntry`]. If no rows are listed, the document is an empty root, which the schema forbids
    /// (P-EMPTY): do not list it in the index, see [`Writer::finish`](crate::Writer::finish).
    ///
    /// # Errors
    /// The errors of [`Writer::write`](crate::Writer::write) for the first row that cannot be written, and of
    /// [`check`](Self::check). The first row that is an error ends the document with [`ErrorKind::Io`](crate::ErrorKind::Io); the
    /// row's error is [wrapped](std::io::Error::get_ref) in the [`io_error`](crate::Error::io_error).
    ///
    /// ```
    /// use sitemap_serde::{Error, SitemapEntry, WriterBuilder};
    ///
    /// #[derive(SitemapEntry)]
    /// #[sitemap(loc = "/products/{id}")]
    /// struct Product {
    ///     id: u32,
    /// }
    ///
    /// let mut builder = WriterBuilder::new();
    /// builder.base("https://example.com");
    /// let xml = builder.entries_to_string([7, 8].map(|id| Product { id }))?;
    /// assert!(xml.ends_with("<url><loc>https://example.com/products/8</loc></url></urlset>"));
    ///
    /// let rows = ["7", "eight"].map(|id| id.parse().map(|id| Product { id }));
    /// let error = builder.entries_to_string(rows).unwrap_err();
    /// assert_eq!(error.to_string(), "cannot get the row: invalid digit found in string, entry 2");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn entries_to_string(&self, rows: impl IntoIterator<Item: IntoRow>) -> Result<String> {
        let mut bytes = Vec::new();
        self.entries_to_writer(&mut bytes, rows)?;
        string(bytes)
    }

    /// Writes a document of rows to `writer`, finishes and flushes it, and returns its number of entries; otherwise like
    /// [`entries_to_string`](Self::entries_to_string). To keep the writer, pass it as `&mut writer`.
    ///
    /// # Errors
    /// See [`entries_to_string`](Self::entries_to_string); also [`ErrorKind::Io`](crate::ErrorKind::Io) if the writer fails. The
    /// written text is then not a complete document.
    ///
    /// ```
    /// use sitemap_serde::{UrlEntry, WriterBuilder};
    ///
    /// let mut file = Vec::new();
    /// let pages = ["/", "/about"].map(|path| UrlEntry::new(format!("https://example.com{path}")));
    /// let written = WriterBuilder::new().entries_to_writer(&mut file, &pages)?;
    /// assert_eq!(written, 2);
    /// assert!(file.ends_with(b"<loc>https://example.com/about</loc></url></urlset>"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn entries_to_writer<W: Write>(
        &self,
        writer: W,
        rows: impl IntoIterator<Item: IntoRow>,
    ) -> Result<u64> {
        let mut writer = self.from_writer(writer);
        for row in rows {
            match row.into_row() {
                Ok(row) => drop(writer.write(&row)?),
                Err(error) => return Err(writer.document()?.no_row(error)),
            }
        }
        writer.try_finish()?;
        Ok(writer.summary().entries)
    }
}

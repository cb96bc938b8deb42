//! Writing a whole document of rows in one call.

use std::io::Write;

use crate::entry::SitemapEntry;
use crate::error::Result;
use crate::ser::string;

use super::WriterBuilder;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Writes a urlset of rows to a string, compact, and finishes it.
///
/// Rows that are not [listed](SitemapEntry::is_listed) are left out. [`WriterBuilder`] does the same with a base or other settings
/// ([`entries_to_string`](WriterBuilder::entries_to_string)), into bytes ([`entries_to_vec`](WriterBuilder::entries_to_vec)) or a
/// writer ([`entries_to_writer`](WriterBuilder::entries_to_writer)), and for rows that come as results
/// ([`try_entries_to_string`](WriterBuilder::try_entries_to_string) and kin).
///
/// # Errors
/// As [`Writer::write`](crate::Writer::write), of the first row that cannot be written; as [`WriterBuilder::check`].
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
pub fn entries_to_string(rows: impl IntoIterator<Item: SitemapEntry>) -> Result<String> {
    WriterBuilder::new().entries_to_string(rows)
}

/// Writing a whole document of rows in one call, so that none is left unfinished.
impl WriterBuilder {
    /// Writes a document of rows to a string, and finishes it. Rows that are not [listed](SitemapEntry::is_listed) are left out.
    ///
    /// # Errors
    /// As [`Writer::write`](crate::Writer::write), of the first row that cannot be written; as [`check`](Self::check).
    ///
    /// ```
    /// use sitemap_serde::{SitemapEntry, WriterBuilder};
    ///
    /// #[derive(SitemapEntry)]
    /// #[sitemap(loc = "/products/{slug}")]
    /// struct Product {
    ///     slug: String,
    /// }
    ///
    /// let products = ["lamp", "chair"].map(|slug| Product { slug: slug.to_owned() });
    /// let xml = WriterBuilder::new().base("https://example.com").entries_to_string(&products)?;
    /// assert!(xml.ends_with("<url><loc>https://example.com/products/chair</loc></url></urlset>"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn entries_to_string(&self, rows: impl IntoIterator<Item: SitemapEntry>) -> Result<String> {
        self.entries_to_vec(rows).and_then(string)
    }

    /// Writes a document of rows to bytes, and finishes it; else as [`entries_to_string`](Self::entries_to_string).
    ///
    /// # Errors
    /// As [`entries_to_string`](Self::entries_to_string).
    pub fn entries_to_vec(&self, rows: impl IntoIterator<Item: SitemapEntry>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.entries_to_writer(&mut bytes, rows)?;
        Ok(bytes)
    }

    /// Writes a document of rows into `writer`, finishes and flushes it, and returns how many entries it has; else as
    /// [`entries_to_string`](Self::entries_to_string). To keep the writer, give it as `&mut writer`.
    ///
    /// # Errors
    /// As [`entries_to_string`](Self::entries_to_string), and [`Category::Io`](crate::Category::Io) if the writer fails. What was
    /// written is not a complete document then.
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
        rows: impl IntoIterator<Item: SitemapEntry>,
    ) -> Result<u64> {
        let mut writer = self.from_writer(writer);
        rows.into_iter().try_for_each(|row| writer.write(&row))?;
        writer.try_finish()?;
        Ok(writer.len())
    }

    /// As [`entries_to_string`](Self::entries_to_string), for rows that come as results.
    ///
    /// # Errors
    /// As [`entries_to_string`](Self::entries_to_string). The first row that is an error ends it, with
    /// [`Category::Io`](crate::Category::Io) and the row's error, [wrapped](std::io::Error::get_ref) in the
    /// [`io_error`](crate::Error::io_error).
    ///
    /// ```
    /// use sitemap_serde::{Error, UrlEntry, WriterBuilder};
    ///
    /// fn row(line: &str) -> Result<UrlEntry, std::num::ParseIntError> {
    ///     Ok(UrlEntry::new(format!("https://example.com/{}", line.parse::<u32>()?)))
    /// }
    ///
    /// let xml = WriterBuilder::new().try_entries_to_string(["1", "2"].map(row))?;
    /// assert!(xml.contains("https://example.com/2"));
    /// let error = WriterBuilder::new().try_entries_to_string(["1", "two"].map(row)).unwrap_err();
    /// assert_eq!(error.to_string(), "cannot get the row: invalid digit found in string, entry 2");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_entries_to_string<T: SitemapEntry, E: Into<BoxError>>(
        &self,
        rows: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<String> {
        self.try_entries_to_vec(rows).and_then(string)
    }

    /// As [`entries_to_vec`](Self::entries_to_vec), for rows that come as results.
    ///
    /// # Errors
    /// As [`try_entries_to_string`](Self::try_entries_to_string).
    pub fn try_entries_to_vec<T: SitemapEntry, E: Into<BoxError>>(
        &self,
        rows: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.try_entries_to_writer(&mut bytes, rows)?;
        Ok(bytes)
    }

    /// As [`entries_to_writer`](Self::entries_to_writer), for rows that come as results.
    ///
    /// # Errors
    /// As [`try_entries_to_string`](Self::try_entries_to_string) and [`entries_to_writer`](Self::entries_to_writer).
    pub fn try_entries_to_writer<W: Write, T: SitemapEntry, E: Into<BoxError>>(
        &self,
        writer: W,
        rows: impl IntoIterator<Item = Result<T, E>>,
    ) -> Result<u64> {
        let mut writer = self.from_writer(writer);
        for row in rows {
            match row {
                Ok(row) => writer.write(&row)?,
                Err(error) => return Err(writer.document()?.no_row(error.into())),
            }
        }
        writer.try_finish()?;
        Ok(writer.len())
    }
}

//! A page that is listed.

use std::sync::Arc;

use sitemap_serde::EntryWriter;
use sitemap_serde::{Alternate, Image, SitemapEntry, UrlEntry, W3cDateTime};

/// A page of a folder: an entry of a sitemap.
///
/// ```
/// use sitemap_pages::FolderBuilder;
/// use sitemap_serde::WriterBuilder;
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("index.html"), "<meta name=dcterms.modified content=2026-05-01><p>Home")?;
/// let mut builder = FolderBuilder::new("https://example.com");
/// builder.now("2026-05-07".parse()?);
/// let read = builder.read(folder.path())?;
/// assert!(WriterBuilder::new().entries_to_string(read.pages())?.contains(
///     "<url><loc>https://example.com/</loc><lastmod>2026-05-01</lastmod></url>"
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub(crate) file: Box<str>,
    pub(crate) url: Box<str>,
    pub(crate) lastmod: Option<W3cDateTime>,
    pub(crate) source: Option<DateSource>,
    pub(crate) outcome: DateChange,
    pub(crate) alternates: Arc<[Alternate]>,
    pub(crate) images: Box<[Box<str>]>,
    pub(crate) title: Option<Box<str>>,
    /// Whether the page itself names its URL as canonical.
    pub(crate) is_canonical: bool,
}

/// Where a page's date is from.
///
/// ```
/// use sitemap_pages::{DateSource, FolderBuilder};
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("index.html"), "<p itemprop=dateModified content=2026-05-01>Home")?;
/// let mut builder = FolderBuilder::new("https://example.com");
/// builder.now("2026-05-07".parse()?);
/// assert_eq!(builder.read(folder.path())?.pages()[0].date_source(), Some(DateSource::Page));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DateSource {
    /// The page states it.
    Page,
    /// The ledger.
    Ledger,
    /// The newest page of those that it lists.
    List,
}

/// What the ledger says of a page in this run.
///
/// ```
/// use sitemap_pages::{DateChange, FolderBuilder};
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
/// let read = FolderBuilder::new("https://example.com").read(folder.path())?;
/// assert_eq!(read.pages()[0].date_change(), DateChange::Unknown);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DateChange {
    /// Its content changed: it has this run's date.
    Moved,
    /// It was not in the ledger: it has this run's date.
    New,
    /// It is as it was.
    Same,
    /// There is no ledger yet, or none is used.
    Unknown,
}

impl Page {
    /// The path of its file in the folder, percent-encoded.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("a b.html"), "<p>A")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert_eq!(read.pages()[0].file(), "a%20b.html");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Its URL.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://user.example/repo").read(folder.path())?;
    /// assert_eq!(read.pages()[0].url(), "https://user.example/repo/");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn url(&self) -> &str {
        &self.url
    }

    /// When it last changed, if that is known.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert_eq!(read.pages()[0].lastmod(), None); // never the time of the build
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lastmod(&self) -> Option<W3cDateTime> {
        self.lastmod
    }

    /// Where its date is from.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert_eq!(read.pages()[0].date_source(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn date_source(&self) -> Option<DateSource> {
        self.source
    }

    /// What the ledger says of it in this run.
    ///
    /// ```
    /// use sitemap_pages::{DateChange, FolderBuilder, Ledger};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let mut builder = FolderBuilder::new("https://example.com");
    /// let first = builder.ledger(Ledger::new()).read(folder.path())?;
    /// let second = builder.ledger(first.ledger().clone()).read(folder.path())?;
    /// assert_eq!(second.pages()[0].date_change(), DateChange::Same);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn date_change(&self) -> DateChange {
        self.outcome
    }

    /// The page in other languages, and itself, as its links say; only pages that are listed.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// let links = "<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de.html>";
    /// std::fs::write(folder.path().join("index.html"), links)?;
    /// std::fs::write(folder.path().join("de.html"), links)?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert_eq!(read.pages()[0].alternates()[1].href, "https://example.com/de.html");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn alternates(&self) -> &[Alternate] {
        &self.alternates
    }

    /// The addresses of its images, if [they are listed](crate::FolderBuilder::images).
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<base href=https://cdn.example.net/><img src=lamp.jpg>")?;
    /// let mut builder = sitemap_pages::FolderBuilder::new("https://example.com");
    /// let read = builder.images(true).read(folder.path())?;
    /// assert_eq!(read.pages()[0].images().next(), Some("https://cdn.example.net/lamp.jpg"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn images(&self) -> impl ExactSizeIterator<Item = &str> {
        self.images.iter().map(|url| &**url)
    }

    /// Its title, if [titles are kept](crate::FolderBuilder::titles) and it has one.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<title>Lamps &amp; chairs</title>")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").titles(true).read(folder.path())?;
    /// assert_eq!(read.pages()[0].title(), Some("Lamps & chairs"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Its entry.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
    /// let read = sitemap_pages::FolderBuilder::new("https://example.com").read(folder.path())?;
    /// assert_eq!(read.pages()[0].to_entry().loc, "https://example.com/");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_entry(&self) -> UrlEntry {
        let mut entry = UrlEntry::new(&*self.url).with_lastmod(self.lastmod);
        entry.alternates = self.alternates.to_vec();
        entry.images = self.images().map(Image::new).collect();
        entry
    }
}

impl SitemapEntry for Page {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
        self.to_entry().write_entry(entry)
    }
}

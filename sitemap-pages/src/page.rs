//! A listed page.

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
    /// `true` if the page itself names its URL as canonical.
    pub(crate) is_canonical: bool,
}

/// The source of a page's date.
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
    /// The page itself, as the date of its last change.
    Page,
    /// The page itself, as the date of its [publication](crate::FolderBuilder::published_dates).
    Published,
    /// The ledger.
    Ledger,
    /// The newest page that it lists.
    List,
}

/// The result of comparing a page with the ledger in this run.
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
    /// Its content changed: it has the date of this run.
    Moved,
    /// It was not in the ledger: it has the date of this run.
    New,
    /// Its content is the same.
    Same,
    /// There is no ledger yet, or none is used.
    Unknown,
}

impl Page {
    /// Returns the path of its file in the folder, percent-encoded.
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

    /// Returns its URL.
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

    /// Returns the date of its last change, if known.
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

    /// Returns the source of its date.
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

    /// Returns the result of comparing it with the ledger in this run.
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

    /// Returns the page itself and its versions in other languages, from its links. Only listed pages count.
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

    /// Returns the addresses of its images, if [they are listed](crate::FolderBuilder::images).
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

    /// Returns its title, if it has one and [titles are read](crate::FolderBuilder::titles).
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

    /// Returns its entry.
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

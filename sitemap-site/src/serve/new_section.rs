//! Sections to add to a site.

use std::fmt;
use std::sync::Arc;

use super::links::{AnyLinks, Titled};
use super::section::AnySource;
use sitemap_serde::SitemapEntry;

use crate::source::Source;

/// A section of a site, as it is added by [`SiteBuilder::section`](super::SiteBuilder::section): its source, and settings of its own.
///
/// A plain source is a section without settings.
///
/// ```
/// use sitemap_serde::UrlEntry;
/// use sitemap_site::{Section, SiteBuilder};
///
/// let products: Vec<_> = (1..=5_000).map(|id| UrlEntry::new(format!("/products/{id}"))).collect();
/// let site = SiteBuilder::new("https://example.com")
///     .section("pages", ["/", "/about"].map(UrlEntry::new))
///     .section("products", Section::new(products).part_rows(1_000))
///     .build()?;
/// # Ok::<(), sitemap_site::Error>(())
/// ```
#[derive(Clone)]
pub struct Section {
    pub(super) source: Arc<dyn AnySource>,
    pub(super) links: Arc<dyn AnyLinks>,
    pub(super) part_rows: Option<usize>,
    pub(super) is_news: bool,
}

impl Section {
    /// Makes a section of the rows of a source.
    pub fn new(source: impl Source) -> Self {
        Section::of(source, SitemapEntry::page_title)
    }

    /// Makes a section of the rows of a source, with the titles of their pages, which are the texts of the links at
    /// [`/sitemap.html`](super::SiteBuilder::html).
    ///
    /// For types with `#[sitemap(title)]`, [`new`](Self::new) takes the titles from there. Pages without a title are shown by the title of their
    /// news, or by their path. Titles of more than 300 characters are cut.
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::{Section, SiteBuilder};
    ///
    /// let lamps = ["/lamps/desk", "/lamps/floor"].map(UrlEntry::new);
    /// let site = SiteBuilder::new("https://example.com")
    ///     .section("lamps", Section::titled(lamps, |lamp| lamp.loc.replace("/lamps/", "Lamp: ")))
    ///     .html(true)
    ///     .build()?;
    /// # Ok::<(), sitemap_site::Error>(())
    /// ```
    pub fn titled<S: Source>(source: S, title: impl Fn(&S::Entry) -> String + Send + Sync + 'static) -> Self {
        Section::of(source, move |row| Some(title(row)))
    }

    fn of<S: Source>(source: S, title: impl Fn(&S::Entry) -> Option<String> + Send + Sync + 'static) -> Self {
        let source = Arc::new(source);
        Section {
            source: Arc::<S>::clone(&source),
            links: Arc::new(Titled { source, title }),
            part_rows: None,
            is_news: false,
        }
    }

    /// Sets the approximate number of rows of a part, like [`SiteBuilder::part_rows`](super::SiteBuilder::part_rows) for the
    /// other sections.
    #[must_use]
    pub fn part_rows(mut self, rows: usize) -> Self {
        self.part_rows = Some(rows);
        self
    }

    /// Makes it a news section: its parts have at most 1,000 articles (P-NEWS4), 500 on average, of the last two days (P-NEWS5).
    /// Its responses and the index are fresh for a minute. An article leaves its part when it is two days old, without any change
    /// of its row. Each row has [`News`](sitemap_serde::News); a row without is skipped.
    ///
    /// While there are requests, all rows of the source are read every minute. So limit the source to articles of the last two or
    /// three days.
    ///
    /// ```
    /// use sitemap_serde::news::Publication;
    /// use sitemap_serde::{News, UrlEntry, W3cDateTime};
    /// use sitemap_site::{Section, SiteBuilder};
    ///
    /// let now = W3cDateTime::try_from(std::time::SystemTime::now())?;
    /// let news = News::new(Publication::new("The Example", "en"), now, "A title");
    /// let article = UrlEntry::new("/news/1").with_news(news);
    /// let site = SiteBuilder::new("https://example.com").section("news", Section::new([article]).news()).build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn news(mut self) -> Self {
        self.is_news = true;
        self
    }
}

/// An argument of [`SiteBuilder::section`](super::SiteBuilder::section): a [`Section`], or a plain [`Source`].
///
/// Only this crate implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a source of rows",
    label = "does not implement `Source`",
    note = "a source whose calls block is wrapped: `builder.section(\"products\", source::blocking(products))`",
    note = "a `Vec` of entries is a source; a list that changes is made by a closure: `source::list(|| async {{ Ok(pages()) }})`",
    note = "rows of a database are a source of sitemap-sqlx, sitemap-seaorm, sitemap-diesel or sitemap-diesel-async"
)]
pub trait IntoSection: private::Sealed {
    /// The section.
    fn into_section(self) -> Section;
}

impl<S: Source> IntoSection for S {
    fn into_section(self) -> Section {
        Section::new(self)
    }
}

impl IntoSection for Section {
    fn into_section(self) -> Section {
        self
    }
}

mod private {
    pub trait Sealed {}

    impl<S: super::Source> Sealed for S {}

    impl Sealed for super::Section {}
}

impl fmt::Debug for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section")
            .field("part_rows", &self.part_rows)
            .field("is_news", &self.is_news)
            .finish_non_exhaustive()
    }
}

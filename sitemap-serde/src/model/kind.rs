//! `Kind`: urlset or sitemapindex.

use std::fmt;

/// The kind of a document: a list of pages, or a list of sitemaps. Exhaustive, since the format has two roots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Pages: the root is `urlset`, its entries are `url`.
    #[default]
    UrlSet,
    /// Sitemaps: the root is `sitemapindex`, its entries are `sitemap`.
    SitemapIndex,
}

impl Kind {
    pub(crate) const ALL: [Kind; 2] = [Kind::UrlSet, Kind::SitemapIndex];

    /// The name of the root element: `urlset` or `sitemapindex`.
    ///
    /// ```
    /// assert_eq!(sitemap_serde::Kind::SitemapIndex.root(), "sitemapindex");
    /// ```
    #[doc(hidden)]
    pub const fn root(self) -> &'static str {
        match self {
            Kind::UrlSet => "urlset",
            Kind::SitemapIndex => "sitemapindex",
        }
    }

    /// The name of an entry's element: `url` or `sitemap`.
    ///
    /// ```
    /// assert_eq!(sitemap_serde::Kind::UrlSet.entry(), "url");
    /// ```
    #[doc(hidden)]
    pub const fn entry(self) -> &'static str {
        match self {
            Kind::UrlSet => "url",
            Kind::SitemapIndex => "sitemap",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.root())
    }
}

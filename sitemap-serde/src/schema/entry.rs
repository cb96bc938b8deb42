//! The entries' table: the children of a `url` and of a `sitemap`.

use sitemap_values::schema::entry as known;
use sitemap_values::{ChangeFreq, Priority, W3cDateTime};

use super::argument::{IntoChangeFreq, IntoLastmod, IntoPriority};
use super::{Alternate, Element, Image, News, PageMap, Video};

super::table::table! {
    after 0;

    /// A page: one `url` of a urlset.
    ///
    /// Values are checked when they are read and written, but not when an entry is made, so that a writer's base can complete a path.
    ///
    /// ```
    /// use sitemap_serde::{ChangeFreq, Priority, UrlEntry, W3cDateTime};
    ///
    /// let entry = UrlEntry::new("http://www.example.com/")
    ///     .with_lastmod("2005-01-01".parse::<W3cDateTime>()?)
    ///     .with_changefreq(ChangeFreq::Monthly)
    ///     .with_priority(Priority::new(0.8)?)
    ///     .with_images(["https://example.com/picture.jpg"]);
    /// let xml = sitemap_serde::to_string(&[&entry])?;
    /// assert_eq!(sitemap_serde::from_str::<Vec<UrlEntry>>(&xml)?, [entry]);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    ///
    /// Reading accepts every value that the field's type can hold, even if it breaks a rule (a title that is too long, an unknown
    /// country code); writing such a value is an error. A value that the type cannot hold (a rating of `high`, an image without
    /// a loc) is an error when it is read.
    ///
    /// # Other formats
    ///
    /// The fields have the names of the elements, in JSON and elsewhere. Attributes begin with `@`; the text of an element with
    /// attributes is `$text`:
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    ///
    /// let json = r#"{
    ///   "loc": "https://example.com/grill",
    ///   "lastmod": "2026-05-01",
    ///   "priority": 0.8,
    ///   "image:image": [{ "image:loc": "https://example.com/1.jpg", "image:title": "Steaks" }],
    ///   "video:video": [{
    ///     "video:thumbnail_loc": "https://example.com/123.jpg",
    ///     "video:title": "Grilling steaks for summer",
    ///     "video:description": "How to get perfectly done steaks",
    ///     "video:player_loc": { "$text": "https://example.com/player?v=123", "@allow_embed": true },
    ///     "video:duration": 600,
    ///     "video:restriction": { "@relationship": "allow", "$text": "IE GB US" },
    ///     "video:price": [{ "$text": 1.99, "@currency": "EUR" }]
    ///   }],
    ///   "news:news": {
    ///     "news:publication": { "news:name": "The Example Times", "news:language": "en" },
    ///     "news:genres": "Blog, Opinion",
    ///     "news:publication_date": "2026-05-01",
    ///     "news:title": "Steaks"
    ///   },
    ///   "xhtml:link": [{ "@rel": "alternate", "@hreflang": "de", "@href": "https://example.com/de/grillen" }],
    ///   "mobile:mobile": true,
    ///   "pagemap:PageMap": {
    ///     "pagemap:DataObject": [{ "@type": "recipe", "pagemap:Attribute": [{ "@name": "serves", "@value": "4" }] }]
    ///   }
    /// }"#;
    /// let entry: UrlEntry = serde_json::from_str(json)?;
    /// assert_eq!(entry.videos[0].restriction.as_ref().unwrap().countries, ["IE", "GB", "US"]);
    /// let value: serde_json::Value = serde_json::from_str(json)?;
    /// assert_eq!(serde_json::to_value(&entry)?, value);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct UrlEntry in "url" by Dup {
        /// URL of the page (P-LOC, P-LOCLEN). Reading accepts any absolute URL with a host and any scheme, unchanged: also with
        /// spaces, `|` or characters outside ASCII, which the writer percent-encodes. Only http and https are written.
        one loc: String => LOC (known::LOC): Loc by Loc;
        /// Time of the page's last change (P-LASTMOD). Convert a date of chrono, time or jiff with `W3cDateTime::try_from(date)?`.
        maybe lastmod: Option<W3cDateTime> => LASTMOD (known::LASTMOD): DateTime by Lastmod;
        /// Expected frequency of changes to the page (P-FREQ).
        maybe changefreq: Option<ChangeFreq> => CHANGEFREQ (known::CHANGEFREQ): ChangeFreq by Freq;
        /// Priority of the page among the pages of its site (P-PRIO); `None` means 0.5.
        maybe priority: Option<Priority> => PRIORITY (known::PRIORITY): Priority by Prio;
        /// The images on the page, at most 1,000 (P-IMG1).
        many(1000) images: Vec<Image> => IMAGE (known::IMAGE): Group by Img1;
        /// The videos on the page.
        many videos: Vec<Video> => VIDEO (known::VIDEO): Group;
        /// News article on the page.
        maybe news: Option<Box<News>> => NEWS (known::NEWS): Group by News4;
        /// Links to the page in other languages and for other devices, and to the page itself (P-ALT3).
        many alternates: Vec<Alternate> => ALTERNATE (known::ALTERNATE): Group;
        /// `true` if the page is made for feature phones (`mobile:mobile`).
        flag mobile: bool => MOBILE "mobile:mobile": Flag;
        /// Structured data of the page.
        maybe page_map: Option<Box<PageMap>> => PAGE_MAP "pagemap:PageMap": Group;
    }
}

impl UrlEntry {
    /// Creates an entry with only a loc. The loc is checked when the entry is written, not here.
    pub fn new(loc: impl Into<String>) -> Self {
        UrlEntry {
            loc: loc.into(),
            ..<UrlEntry as Element>::blank()
        }
    }

    /// Sets [`lastmod`](Self::lastmod).
    #[must_use]
    pub fn with_lastmod(mut self, lastmod: impl IntoLastmod) -> Self {
        self.lastmod = lastmod.into();
        self
    }

    /// Sets [`changefreq`](Self::changefreq).
    #[must_use]
    pub fn with_changefreq(mut self, changefreq: impl IntoChangeFreq) -> Self {
        self.changefreq = changefreq.into();
        self
    }

    /// Sets [`priority`](Self::priority).
    #[must_use]
    pub fn with_priority(mut self, priority: impl IntoPriority) -> Self {
        self.priority = priority.into();
        self
    }

    /// Adds to [`images`](Self::images).
    #[must_use]
    pub fn with_images(mut self, images: impl IntoIterator<Item = impl Into<Image>>) -> Self {
        self.images.extend(images.into_iter().map(Into::into));
        self
    }

    /// Adds to [`videos`](Self::videos).
    #[must_use]
    pub fn with_videos(mut self, videos: impl IntoIterator<Item = Video>) -> Self {
        self.videos.extend(videos);
        self
    }

    /// Sets [`news`](Self::news).
    #[must_use]
    pub fn with_news(mut self, news: impl Into<Option<News>>) -> Self {
        self.news = news.into().map(Box::new);
        self
    }

    /// Adds to [`alternates`](Self::alternates).
    #[must_use]
    pub fn with_alternates(mut self, alternates: impl IntoIterator<Item = Alternate>) -> Self {
        self.alternates.extend(alternates);
        self
    }
}

super::table::structure! {
    /// A sitemap: one `sitemap` of a sitemapindex (P-INDEXTAGS).
    ///
    /// ```
    /// use sitemap_serde::{IndexEntry, SitemapIndex};
    ///
    /// let index = SitemapIndex::from(vec![IndexEntry::new("https://example.com/sitemap-1.xml")]);
    /// let xml = sitemap_serde::to_string(&index)?;
    /// assert_eq!(sitemap_serde::from_str::<SitemapIndex>(&xml)?, index);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub struct IndexEntry in "sitemap" by Dup {
        /// URL of the sitemap (P-LOC, P-LOCLEN), read and written as a [page's](UrlEntry::loc).
        one loc: String => LOC;
        /// Time of the last change of the sitemap file, not of its pages (P-IDX3).
        maybe lastmod: Option<W3cDateTime> => LASTMOD;
    }
}

impl IndexEntry {
    /// Creates an entry with a loc and no lastmod. The loc is checked when the entry is written, not here.
    pub fn new(loc: impl Into<String>) -> Self {
        IndexEntry {
            loc: loc.into(),
            lastmod: None,
        }
    }

    /// Sets [`lastmod`](Self::lastmod).
    #[must_use]
    pub fn with_lastmod(mut self, lastmod: impl IntoLastmod) -> Self {
        self.lastmod = lastmod.into();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries are moved, and they determine the size of a `Vec`.
    #[test]
    fn an_entry_is_small() {
        assert!(size_of::<UrlEntry>() <= 144, "{}", size_of::<UrlEntry>());
        assert_eq!(size_of::<crate::Result<UrlEntry>>(), size_of::<UrlEntry>());
        assert_eq!(
            size_of::<Option<crate::Result<UrlEntry>>>(),
            size_of::<UrlEntry>()
        );
    }
}

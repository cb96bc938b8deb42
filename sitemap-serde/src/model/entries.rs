//! The two entries: a page, and a sitemap of an index.

use serde::{Deserialize, Deserializer, Serialize};

use crate::datetime::W3cDateTime;
use crate::loc;

use super::{ChangeFreq, Priority};

/// A page: one `url` of a urlset.
///
/// Reading and writing check the values; making one does not, so that a writer's base can complete a path.
///
/// ```
/// use sitemap_serde::{ChangeFreq, Priority, UrlEntry};
///
/// let mut entry = UrlEntry::new("http://www.example.com/");
/// entry.lastmod = Some("2005-01-01".parse()?);
/// entry.changefreq = Some(ChangeFreq::Monthly);
/// entry.priority = Some(Priority::new(0.8)?);
/// let xml = sitemap_serde::to_string(&[&entry])?;
/// assert_eq!(sitemap_serde::from_str::<Vec<UrlEntry>>(&xml)?, [entry]);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename = "url")]
#[non_exhaustive]
pub struct UrlEntry {
    /// The page's address (P-LOC, P-LOCLEN).
    #[serde(deserialize_with = "checked_loc")]
    pub loc: String,
    /// When the page was last changed (P-LASTMOD).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lastmod: Option<W3cDateTime>,
    /// How often the page is likely to change (P-FREQ).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changefreq: Option<ChangeFreq>,
    /// How important the page is among those of its site (P-PRIO); without one, 0.5 is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
}

impl UrlEntry {
    /// An entry with a loc and nothing else. The loc is not checked here, but when the entry is written.
    pub fn new(loc: impl Into<String>) -> Self {
        UrlEntry {
            loc: loc.into(),
            lastmod: None,
            changefreq: None,
            priority: None,
        }
    }
}

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
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename = "sitemap")]
#[non_exhaustive]
pub struct IndexEntry {
    /// The sitemap's address (P-LOC, P-LOCLEN).
    #[serde(deserialize_with = "checked_loc")]
    pub loc: String,
    /// When that file was last changed, not the pages in it (P-IDX3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lastmod: Option<W3cDateTime>,
}

impl IndexEntry {
    /// An entry with a loc and nothing else. The loc is not checked here, but when the entry is written.
    pub fn new(loc: impl Into<String>) -> Self {
        IndexEntry {
            loc: loc.into(),
            lastmod: None,
        }
    }
}

/// A loc that is read is checked, whatever format it is read from.
fn checked_loc<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    struct Loc;

    impl serde::de::Visitor<'_> for Loc {
        type Value = String;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an absolute URL")
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
            loc::check(text).map_err(E::custom)?;
            Ok(text.to_owned())
        }

        fn visit_string<E: serde::de::Error>(self, text: String) -> Result<String, E> {
            loc::check(&text).map_err(E::custom)?;
            Ok(text)
        }
    }

    deserializer.deserialize_str(Loc)
}

//! Types that hold a whole document.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use super::Kind;
use crate::schema::{IndexEntry, UrlEntry};

/// A urlset: a list of pages.
///
/// Reading a sitemapindex as a `UrlSet` is an error. `T` is the type of an entry.
///
/// ```
/// use sitemap_serde::{UrlEntry, UrlSet};
///
/// let set: UrlSet = sitemap_serde::from_str(
///     r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///          <url><loc>https://example.com/</loc></url>
///        </urlset>"#,
/// )?;
/// assert_eq!(set[0].loc, "https://example.com/");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename = "urlset")]
pub struct UrlSet<T = UrlEntry>(pub Vec<T>);

/// A sitemapindex: a list of sitemaps.
///
/// Reading a urlset as a `SitemapIndex` is an error. `T` is the type of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename = "sitemapindex")]
pub struct SitemapIndex<T = IndexEntry>(pub Vec<T>);

macro_rules! list {
    ($list:ident) => {
        impl<T> Default for $list<T> {
            fn default() -> Self {
                $list(Vec::new())
            }
        }

        impl<T> From<Vec<T>> for $list<T> {
            fn from(entries: Vec<T>) -> Self {
                $list(entries)
            }
        }

        impl<T> FromIterator<T> for $list<T> {
            fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
                $list(entries.into_iter().collect())
            }
        }

        impl<T> Deref for $list<T> {
            type Target = [T];

            fn deref(&self) -> &[T] {
                &self.0
            }
        }

        impl<T> DerefMut for $list<T> {
            fn deref_mut(&mut self) -> &mut [T] {
                &mut self.0
            }
        }

        impl<T> IntoIterator for $list<T> {
            type Item = T;
            type IntoIter = std::vec::IntoIter<T>;

            fn into_iter(self) -> Self::IntoIter {
                self.0.into_iter()
            }
        }

        impl<T> Extend<T> for $list<T> {
            fn extend<I: IntoIterator<Item = T>>(&mut self, entries: I) {
                self.0.extend(entries);
            }
        }

        impl<'a, T> IntoIterator for &'a mut $list<T> {
            type Item = &'a mut T;
            type IntoIter = std::slice::IterMut<'a, T>;

            fn into_iter(self) -> Self::IntoIter {
                self.0.iter_mut()
            }
        }

        impl<'a, T> IntoIterator for &'a $list<T> {
            type Item = &'a T;
            type IntoIter = std::slice::Iter<'a, T>;

            fn into_iter(self) -> Self::IntoIter {
                self.0.iter()
            }
        }
    };
}
list!(UrlSet);
list!(SitemapIndex);

/// A document of either kind, for programs that accept both.
///
/// ```
/// use sitemap_serde::Document;
///
/// let xml = r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
/// </sitemapindex>"#;
/// match sitemap_serde::from_str(xml)? {
///     Document::UrlSet(pages) => println!("{} pages", pages.len()),
///     Document::SitemapIndex(sitemaps) => assert_eq!(sitemaps[0].loc, "https://example.com/sitemap-1.xml"),
/// }
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Document {
    /// Pages.
    #[serde(rename = "urlset")]
    UrlSet(UrlSet),
    /// Sitemaps.
    #[serde(rename = "sitemapindex")]
    SitemapIndex(SitemapIndex),
}

impl Document {
    /// The kind of the document.
    pub fn kind(&self) -> Kind {
        match self {
            Document::UrlSet(_) => Kind::UrlSet,
            Document::SitemapIndex(_) => Kind::SitemapIndex,
        }
    }
}

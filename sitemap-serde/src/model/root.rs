//! Types that hold a whole document.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use serde_core::de::{self, EnumAccess, SeqAccess, VariantAccess, Visitor};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

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
/// assert_eq!(set, UrlSet::from(vec![UrlEntry::new("https://example.com/")]));
/// let entries: Vec<UrlEntry> = set.into();
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UrlSet<T = UrlEntry>(Vec<T>);

/// A sitemapindex: a list of sitemaps.
///
/// Reading a urlset as a `SitemapIndex` is an error. `T` is the type of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SitemapIndex<T = IndexEntry>(Vec<T>);

macro_rules! list {
    ($list:ident, $kind:expr) => {
        /// A newtype struct with the root's name, as by serde's derive.
        impl<T: Serialize> Serialize for $list<T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct($kind.root(), &self.0)
            }
        }

        impl<'de, T: Deserialize<'de>> Deserialize<'de> for $list<T> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let entries = List($kind, PhantomData);
                deserializer
                    .deserialize_newtype_struct($kind.root(), entries)
                    .map($list)
            }
        }

        impl<T> From<$list<T>> for Vec<T> {
            fn from(list: $list<T>) -> Self {
                list.0
            }
        }

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
list!(UrlSet, Kind::UrlSet);
list!(SitemapIndex, Kind::SitemapIndex);

/// Reads the entries of a [`UrlSet`] or [`SitemapIndex`].
struct List<T>(Kind, PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {}", self.0)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        Vec::deserialize(deserializer)
    }

    /// For formats that represent a newtype struct as a tuple with one field.
    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Vec<T>, A::Error> {
        fields
            .next_element()?
            .ok_or_else(|| de::Error::invalid_length(0, &self))
    }
}

/// A document of either kind, for programs that accept both. Exhaustive, since the format has two roots.
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Document {
    /// Pages.
    UrlSet(UrlSet),
    /// Sitemaps.
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

/// An enum with a variant for each root, as by serde's derive.
impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let root = self.kind().root();
        match self {
            Document::UrlSet(pages) => serializer.serialize_newtype_variant(DOCUMENT, 0, root, pages),
            Document::SitemapIndex(sitemaps) => {
                serializer.serialize_newtype_variant(DOCUMENT, 1, root, sitemaps)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum(DOCUMENT, ROOTS, DocumentVisitor)
    }
}

/// serde's name of [`Document`].
const DOCUMENT: &str = "Document";
/// The variants of [`Document`] for serde, in the order of their numbers.
const ROOTS: &[&str] = &[Kind::UrlSet.root(), Kind::SitemapIndex.root()];

struct DocumentVisitor;

impl<'de> Visitor<'de> for DocumentVisitor {
    type Value = Document;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a urlset or a sitemapindex")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Document, A::Error> {
        match data.variant()? {
            (Root(Kind::UrlSet), pages) => pages.newtype_variant().map(Document::UrlSet),
            (Root(Kind::SitemapIndex), sitemaps) => sitemaps.newtype_variant().map(Document::SitemapIndex),
        }
    }
}

/// The variant of a [`Document`], by name or number.
struct Root(Kind);

impl<'de> Deserialize<'de> for Root {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(RootVisitor)
    }
}

struct RootVisitor;

impl Visitor<'_> for RootVisitor {
    type Value = Root;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a root: urlset or sitemapindex")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Root, E> {
        match number {
            0 => Ok(Root(Kind::UrlSet)),
            1 => Ok(Root(Kind::SitemapIndex)),
            _ => Err(E::invalid_value(de::Unexpected::Unsigned(number), &self)),
        }
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Root, E> {
        Kind::ALL
            .into_iter()
            .find(|kind| kind.root() == name)
            .map(Root)
            .ok_or_else(|| E::unknown_variant(name, ROOTS))
    }

    fn visit_bytes<E: de::Error>(self, name: &[u8]) -> Result<Root, E> {
        self.visit_str(&String::from_utf8_lossy(name))
    }
}

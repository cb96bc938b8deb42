//! A slice of an application's own types as something that serde can serialize.

use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::model::UrlEntry;

use super::{EntryWriter, SitemapEntry};

/// A slice of [`SitemapEntry`]s as a urlset, for whatever takes serde's `Serialize`: [`to_string`](crate::to_string), or
/// another format.
///
/// Entries that are not listed are left out. To write to a file or socket, [`Writer::write`](crate::Writer::write) is
/// faster.
///
/// ```
/// use sitemap_serde::{Entries, SitemapEntry};
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "https://example.com/{slug}", priority = 0.5)]
/// struct Page {
///     slug: &'static str,
/// }
///
/// let pages = [Page { slug: "a" }, Page { slug: "b" }];
/// let xml = sitemap_serde::to_string(&Entries(&pages)).unwrap();
/// assert!(xml.contains("<url><loc>https://example.com/b</loc><priority>0.5</priority></url>"));
/// let json = serde_json::to_string(&Entries(&pages)).unwrap();
/// assert!(json.contains(r#"{"loc":"https://example.com/b","priority":0.5}"#));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Entries<'a, T>(pub &'a [T]);

impl<T: SitemapEntry> Serialize for Entries<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        for entry in self.0.iter().filter(|&entry| T::is_listed(entry)) {
            sequence.serialize_element(&Values(entry))?;
        }
        sequence.end()
    }
}

/// One entry, so that the serializer knows which one an error is in.
struct Values<'a, T>(&'a T);

impl<T: SitemapEntry> Serialize for Values<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut values = UrlEntry::new("");
        self.0
            .write_entry(&mut EntryWriter::into_values(&mut values))
            .map_err(S::Error::custom)?;
        values.serialize(serializer)
    }
}

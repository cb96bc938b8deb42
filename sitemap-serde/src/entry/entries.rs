//! A slice of an application's own types as something that serde can serialize.

use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::error::Error;
use crate::loc::{LocRules, Place};
use crate::model::UrlEntry;

use super::{EntryWriter, SitemapEntry, Target};

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
        let mut entry = EntryWriter::into_values(&mut values);
        self.0
            .write_entry(&mut entry)
            .and_then(|()| entry.resolve())
            .map_err(S::Error::custom)?;
        values.serialize(serializer)
    }
}

impl EntryWriter<'_> {
    /// Makes the URLs what the values' type says of them, since whoever writes them does not know.
    fn resolve(self) -> Result<(), Error> {
        let (place, Target::Values(entry)) = (self.place, self.target) else {
            return Ok(());
        };
        if place == Place::default() {
            return Ok(());
        }
        each_url(entry, |name, url| {
            let resolved = LocRules::resolve(place, url).map_err(|error| error.within(name))?;
            if let Some(resolved) = resolved {
                *url = resolved;
            }
            Ok(())
        })
    }
}

/// Every URL of an entry, with the element that it is in.
fn each_url(
    entry: &mut UrlEntry,
    mut take: impl FnMut(&str, &mut String) -> Result<(), Error>,
) -> Result<(), Error> {
    take("loc", &mut entry.loc)?;
    let map = entry.page_map.as_mut().and_then(|map| map.template.as_mut());
    if let Some(template) = map {
        take("pagemap:PageMap", &mut template.src)?;
    }
    for image in &mut entry.images {
        take("image:image", &mut image.loc)?;
    }
    for link in &mut entry.alternates {
        take("xhtml:link", &mut link.href)?;
    }
    for video in &mut entry.videos {
        take("video:video", &mut video.thumbnail_loc)?;
        let of_parts = [
            video.content_loc.as_mut(),
            video.player_loc.as_mut().map(|player| &mut player.loc),
            video.gallery_loc.as_mut().map(|gallery| &mut gallery.loc),
            video
                .uploader
                .as_mut()
                .and_then(|uploader| uploader.info.as_mut()),
        ];
        let segments = video.content_segments.iter_mut().map(|segment| &mut segment.loc);
        for url in of_parts.into_iter().flatten().chain(segments) {
            take("video:video", url)?;
        }
    }
    Ok(())
}

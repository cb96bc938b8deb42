//! Images on a page.

use serde::{Deserialize, Serialize};

use super::checked;

/// An image on a page: one `image:image`, of which an entry may have 1,000 (P-IMG1).
///
/// ```
/// use sitemap_serde::{Image, UrlEntry};
///
/// let mut entry = UrlEntry::new("https://example.com/lamp");
/// entry.images = vec![Image::new("https://cdn.example.net/lamp.jpg")];
/// let xml = sitemap_serde::to_string(&[&entry])?;
/// assert!(xml.contains("<image:image><image:loc>https://cdn.example.net/lamp.jpg</image:loc></image:image>"));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Image {
    /// Its address, on any site (P-IMG2).
    #[serde(rename = "image:loc", deserialize_with = "checked::url")]
    pub loc: String,
    /// What is under it. Google does not use it any more.
    #[serde(rename = "image:caption", default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// Where it was taken, such as `Limerick, Ireland`. Google does not use it any more.
    #[serde(
        rename = "image:geo_location",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub geo_location: Option<String>,
    /// Its title. Google does not use it any more.
    #[serde(rename = "image:title", default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The address of its licence. Google does not use it any more.
    #[serde(rename = "image:license", default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
}

impl Image {
    /// An image at an address: an absolute URL, or a path that begins with `/` and is appended to the writer's base. It is
    /// checked when it is written.
    pub fn new(loc: impl Into<String>) -> Self {
        Image {
            loc: loc.into(),
            caption: None,
            geo_location: None,
            title: None,
            license: None,
        }
    }
}

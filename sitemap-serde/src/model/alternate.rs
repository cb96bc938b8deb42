//! A page in other languages, and other links of it.

use serde::{Deserialize, Serialize};

use super::checked;
use super::listed::listed;

/// The page in another language, or for other devices: one `xhtml:link` (P-ALT1).
///
/// Each page lists all its alternates, itself too (P-ALT3), and they list it (P-ALT4).
///
/// ```
/// use sitemap_serde::{Alternate, UrlEntry};
///
/// let mut entry = UrlEntry::new("https://example.com/");
/// entry.alternates = vec![
///     Alternate::new("x-default", "https://example.com/"),
///     Alternate::new("de-CH", "https://example.com/ch/"),
/// ];
/// let xml = sitemap_serde::to_string(&[&entry])?;
/// assert!(xml.contains(r#"<xhtml:link rel="alternate" hreflang="de-CH" href="https://example.com/ch/"/>"#));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Alternate {
    /// What the other page is to this one.
    #[serde(rename = "@rel")]
    pub rel: Rel,
    /// Its language, `x-default` for all others: ISO 639-1, then a script (ISO 15924) and a region (ISO 3166-1 alpha-2) if it
    /// has them, with `-` between them (P-ALT5).
    #[serde(rename = "@hreflang", default, skip_serializing_if = "Option::is_none")]
    pub hreflang: Option<String>,
    /// The media query of the devices that it is for.
    #[serde(rename = "@media", default, skip_serializing_if = "Option::is_none")]
    pub media: Option<String>,
    /// Its address, on any site (P-ALT2).
    #[serde(rename = "@href", deserialize_with = "checked::url")]
    pub href: String,
}

impl Alternate {
    /// One to be filled.
    pub(crate) fn empty() -> Self {
        Alternate {
            rel: Rel::Alternate,
            hreflang: None,
            media: None,
            href: String::new(),
        }
    }

    /// The page in a language, or for all others (`x-default`), at an address. Both are checked when they are written.
    pub fn new(hreflang: impl Into<String>, href: impl Into<String>) -> Self {
        Alternate {
            rel: Rel::Alternate,
            hreflang: Some(hreflang.into()),
            media: None,
            href: href.into(),
        }
    }

    /// The page for other devices, by a media query such as `only screen and (max-width: 640px)`.
    pub fn for_media(media: impl Into<String>, href: impl Into<String>) -> Self {
        Alternate {
            rel: Rel::Alternate,
            hreflang: None,
            media: Some(media.into()),
            href: href.into(),
        }
    }
}

listed! {
    /// What a linked page is to a page. The list is open: others, such as `amphtml`, are written too.
    Rel {
        /// The same page in another language, or for other devices.
        Alternate = "alternate",
    }
}

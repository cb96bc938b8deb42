//! XHTML's `link` in an entry: the page in other languages and for other devices.

use std::borrow::Cow;

use crate::error::Result;

use super::entry::ALTERNATE;
use super::{Written, missing, news};

super::table::table! {
    after news::END;

    /// The page in another language, or for other devices: one `xhtml:link` (P-ALT1).
    ///
    /// Each page lists all its alternates, including itself (P-ALT3), and they list it (P-ALT4).
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
    pub struct Alternate in ALTERNATE by Alt1 where language_or_media with any attribute {
        /// Link relation: `alternate` for the same page in another language, or for other devices. Other relations, such as `amphtml`, are
        /// written too.
        one rel: Cow<'static, str> => REL "@rel": Text by Alt1;
        /// Language of the linked page; `x-default` for all other languages. An ISO 639-1 code, optionally a script (ISO
        /// 15924) and a region (ISO 3166-1 alpha-2), joined by `-` (P-ALT5). A region of several countries has its UN M.49
        /// code, as in `es-419` for Latin American Spanish: BCP 47 allows this, and it is widely used; Google's documentation
        /// names only ISO 3166-1.
        maybe hreflang: Option<String> => HREFLANG "@hreflang": Hreflang by Alt5;
        /// Media query of the devices that the linked page is for.
        maybe media: Option<String> => MEDIA "@media": Text;
        /// Address of the linked page, on any site (P-ALT2).
        one href: String => HREF "@href": Url by Alt2;
    }
}

/// The link relation of alternates.
pub(crate) const ALTERNATE_REL: &str = "alternate";

/// Checks that a link to an alternate page has `hreflang` or `media` (P-ALT1).
fn language_or_media(link: &Written) -> Result<()> {
    if !link.is_alternate || link.has(HREFLANG) || link.has(MEDIA) {
        return Ok(());
    }
    Err(missing("xhtml:link", "@hreflang", sitemap_values::Rule::Alt1).within("@hreflang"))
}

impl Alternate {
    /// Makes a link to the page in a language, or for all other languages (`x-default`). The values are checked when they are
    /// written.
    pub fn new(hreflang: impl Into<String>, href: impl Into<String>) -> Self {
        Alternate {
            rel: Cow::Borrowed(ALTERNATE_REL),
            hreflang: Some(hreflang.into()),
            media: None,
            href: href.into(),
        }
    }

    /// Makes a link to the page for other devices, with a media query such as `only screen and (max-width: 640px)`.
    pub fn for_media(media: impl Into<String>, href: impl Into<String>) -> Self {
        Alternate {
            rel: Cow::Borrowed(ALTERNATE_REL),
            hreflang: None,
            media: Some(media.into()),
            href: href.into(),
        }
    }
}

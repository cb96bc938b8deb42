//! Google's image extension: the images on a page.

use sitemap_values::schema::image as known;

use super::entry::{self, IMAGE};

super::table::table! {
    after entry::END;

    /// An image on a page: one `image:image`. An entry may have 1,000 (P-IMG1).
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
    pub struct Image in IMAGE by Img2 {
        /// Address of the image, on any site (P-IMG2).
        one loc: String => LOC [known::LOC];
        /// Caption. Ignored by Google since 2022.
        maybe caption: Option<String> => CAPTION (known::CAPTION.name): Text;
        /// Place of the picture, such as `Limerick, Ireland`. Ignored by Google since 2022.
        maybe geo_location: Option<String> => GEO_LOCATION (known::GEO_LOCATION.name): Text;
        /// Title. Ignored by Google since 2022.
        maybe title: Option<String> => TITLE (known::TITLE.name): Text;
        /// Address of the image's licence. Ignored by Google since 2022.
        maybe license: Option<String> => LICENSE (known::LICENSE.name): Text;
    }
}

impl Image {
    /// Makes an image with a loc: an absolute URL, or a path that begins with `/` and is appended to the writer's base. The loc
    /// is checked when it is written.
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

/// Makes an image with this [`loc`](Image::loc).
impl From<&str> for Image {
    fn from(loc: &str) -> Self {
        Image::new(loc)
    }
}

/// Makes an image with this [`loc`](Image::loc).
impl From<String> for Image {
    fn from(loc: String) -> Self {
        Image::new(loc)
    }
}

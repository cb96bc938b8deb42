//! Conversions of an application's field types to images, videos, news or alternates.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::BuildHasher;
use std::rc::Rc;
use std::sync::Arc;

use crate::error::Result;
use crate::schema::{ALTERNATE, Alternate, IMAGE, Image, News, VIDEO, Video};

use super::EntryWriter;

/// A type for the images of a page: an [`Image`], its loc as text, or an `Option` or a collection of these.
///
/// Implement it for your own type by calling [`EntryWriter::image`]:
///
/// ```
/// use sitemap_serde::{EntryWriter, Image, Result, SitemapEntry, convert::ToImages};
///
/// struct Photo { file: String, caption: String }
///
/// impl ToImages for Photo {
///     fn write_images(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
///         let mut image = Image::new(format!("/photos/{}", self.file));
///         image.caption = Some(self.caption.clone());
///         entry.image(&image)
///     }
/// }
///
/// struct Page { photos: Vec<Photo> }
///
/// impl SitemapEntry for Page {
///     fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
///         entry.loc("https://example.com/")?;
///         entry.image(&self.photos)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be images",
    label = "neither an `Image` nor the text of its loc",
    note = "images are an `Image`, a `String` or `&str` that is the loc, an `Option` or a collection of the standard library of them",
    note = "implement `ToImages` for a type of your own, or convert the field: `#[sitemap(image, write_with = path::to::function)]`"
)]
pub trait ToImages {
    /// Writes each image to `entry`.
    ///
    /// # Errors
    /// The errors of [`EntryWriter::image`].
    fn write_images(&self, entry: &mut EntryWriter<'_>) -> Result<()>;
}

/// A type for the videos of a page: a [`Video`], or an `Option` or a collection of these. Implement it for your own type by
/// calling [`EntryWriter::video`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be videos",
    label = "not a `Video`",
    note = "videos are a `Video`, or an `Option` or a collection of the standard library of them",
    note = "implement `ToVideos` for a type of your own, or convert the field: `#[sitemap(video, write_with = path::to::function)]`"
)]
pub trait ToVideos {
    /// Writes each video to `entry`.
    ///
    /// # Errors
    /// The errors of [`EntryWriter::video`].
    fn write_videos(&self, entry: &mut EntryWriter<'_>) -> Result<()>;
}

/// A type for the news article of a page: a [`News`], or an `Option` of it. Implement it for your own type by calling
/// [`EntryWriter::news`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a news article",
    label = "not a `News`",
    note = "a news article is a `News` or an `Option` of one",
    note = "implement `ToNews` for a type of your own, or convert the field: `#[sitemap(news, write_with = path::to::function)]`"
)]
pub trait ToNews {
    /// Writes the article, if there is one, to `entry`.
    ///
    /// # Errors
    /// The errors of [`EntryWriter::news`].
    fn write_news(&self, entry: &mut EntryWriter<'_>) -> Result<()>;
}

/// A type for the alternates of a page: an [`Alternate`], a pair of hreflang and address, or an `Option` or a collection of
/// these; or a map from hreflang to address. Implement it for your own type by calling [`EntryWriter::alternate`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be alternates",
    label = "neither an `Alternate` nor a pair of a hreflang and an address",
    note = "alternates are an `Alternate`, a pair of texts such as `(\"de\", \"https://example.com/de\")`, an `Option` or a collection \
            of the standard library of them, or a map from hreflang to address",
    note = "implement `ToAlternates` for a type of your own, or convert the field: `#[sitemap(alternate, write_with = path::to::function)]`"
)]
pub trait ToAlternates {
    /// Writes each alternate to `entry`.
    ///
    /// # Errors
    /// The errors of [`EntryWriter::alternate`].
    fn write_alternates(&self, entry: &mut EntryWriter<'_>) -> Result<()>;
}

/// References, options and smart pointers of convertible values.
macro_rules! through {
    ($($trait:ident $method:ident)*) => {
        $(
            impl<T: $trait + ?Sized> $trait for &T {
                fn $method(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                    (**self).$method(entry)
                }
            }
            impl<T: $trait> $trait for Option<T> {
                fn $method(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                    self.as_ref().map_or(Ok(()), |value| value.$method(entry))
                }
            }
            through!(@pointers $trait $method: Box Arc Rc);
            impl<T: $trait + ToOwned + ?Sized> $trait for Cow<'_, T> {
                fn $method(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                    (**self).$method(entry)
                }
            }
        )*
    };
    (@pointers $trait:ident $method:ident: $($pointer:ident)*) => {
        $(impl<T: $trait + ?Sized> $trait for $pointer<T> {
            fn $method(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                (**self).$method(entry)
            }
        })*
    };
}
through! {
    ToImages write_images
    ToVideos write_videos
    ToNews write_news
    ToAlternates write_alternates
}

/// Collections of convertible values.
macro_rules! each {
    ($($trait:ident $method:ident)*) => {
        $(
            impl<T: $trait> $trait for [T] {
                fn $method(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                    self.iter().try_for_each(|value| value.$method(entry))
                }
            }
            impl<T: $trait, const N: usize> $trait for [T; N] {
                fn $method(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                    self.as_slice().$method(entry)
                }
            }
            impl<T: $trait, S: BuildHasher> $trait for HashSet<T, S> {
                fn $method(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                    self.iter().try_for_each(|value| value.$method(entry))
                }
            }
            each!(@collections $trait $method: Vec VecDeque LinkedList BTreeSet);
        )*
    };
    (@collections $trait:ident $method:ident: $($collection:ident)*) => {
        $(impl<T: $trait> $trait for $collection<T> {
            fn $method(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                self.iter().try_for_each(|value| value.$method(entry))
            }
        })*
    };
}
each! {
    ToImages write_images
    ToVideos write_videos
    ToAlternates write_alternates
}

impl ToImages for Image {
    fn write_images(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put(IMAGE, self)
    }
}

impl ToImages for str {
    fn write_images(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put_image_loc(self)
    }
}

impl ToImages for String {
    fn write_images(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put_image_loc(self)
    }
}

#[cfg(feature = "url2")]
impl ToImages for url::Url {
    fn write_images(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put_image_loc(self.as_str())
    }
}

impl ToVideos for Video {
    fn write_videos(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put(VIDEO, self)
    }
}

impl ToNews for News {
    fn write_news(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put_news(self)
    }
}

impl ToAlternates for Alternate {
    fn write_alternates(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put(ALTERNATE, self)
    }
}

impl<L: AsRef<str>, H: AsRef<str>> ToAlternates for (L, H) {
    fn write_alternates(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put_translation(self.0.as_ref(), self.1.as_ref())
    }
}

impl<L: AsRef<str>, H: AsRef<str>> ToAlternates for BTreeMap<L, H> {
    fn write_alternates(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.iter()
            .try_for_each(|(hreflang, href)| entry.put_translation(hreflang.as_ref(), href.as_ref()))
    }
}

impl<L: AsRef<str>, H: AsRef<str>, S: BuildHasher> ToAlternates for HashMap<L, H, S> {
    fn write_alternates(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.iter()
            .try_for_each(|(hreflang, href)| entry.put_translation(hreflang.as_ref(), href.as_ref()))
    }
}

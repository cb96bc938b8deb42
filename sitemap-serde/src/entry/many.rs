//! Conversions of an application's field types to images, videos, news or alternates.
//!
//! **One trait for rows with one entry and with several.** A row may have pages in several languages. `SitemapEntry::write_entry` writes
//! the values of one entry, or, by `EntryWriter::each`, several entries. So everything that accepts a `SitemapEntry` (references, boxes, an
//! enum's variants, file sets) accepts both; a second trait with a blanket implementation could not be implemented for references to its
//! rows. The entries of a row are undone together.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::BuildHasher;
use std::rc::Rc;
use std::sync::Arc;

use crate::error::Result;
use crate::schema::{ALTERNATE, Alternate, IMAGE, Image, News, VIDEO, Video};

use super::EntryWriter;

/// A type for the [`Image`]s, the [`Video`]s, the [`Alternate`]s or the [`News`] of a page: an `E`, or an `Option` or a collection of these. A
/// page has at most one [`News`].
///
/// A text is an image's loc. A pair of texts is an alternate, its hreflang and its URL; so is each item of a map from hreflang to URL.
///
/// Implement it for your own type by calling [`EntryWriter::image`], [`EntryWriter::video`], [`EntryWriter::alternate`] or
/// [`EntryWriter::news`]:
///
/// ```
/// use sitemap_serde::{EntryWriter, Image, Result, SitemapEntry, convert::ToElements};
///
/// struct Photo { file: String, caption: String }
///
/// impl ToElements<Image> for Photo {
///     fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
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
    message = "`{Self}` cannot be written as `{E}`",
    label = "expected `{E}`",
    note = "a field holds one `{E}`, or an `Option` or a collection of the standard library of them; `News` is only one",
    note = "an image can be the text of its loc; an alternate a pair of texts such as `(\"de\", \"https://example.com/de\")`, or an item of a map",
    note = "implement `ToElements<{E}>` for a type of your own, or convert the field by `write_with = path::to::function`"
)]
pub trait ToElements<E> {
    /// Writes each element to `entry`.
    ///
    /// # Errors
    /// The errors of [`EntryWriter`]'s functions.
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()>;
}

/// An element that an entry may have several of. It is here for the compiler's message.
#[diagnostic::on_unimplemented(
    message = "a page has one `{Self}`",
    label = "a collection of `{Self}`",
    note = "make the field a `{Self}` or an `Option` of one"
)]
pub trait Several {}

impl Several for Image {}
impl Several for Video {}
impl Several for Alternate {}

impl<E, T: ToElements<E> + ?Sized> ToElements<E> for &T {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        (**self).write_elements(entry)
    }
}

impl<E, T: ToElements<E>> ToElements<E> for Option<T> {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.as_ref().map_or(Ok(()), |value| value.write_elements(entry))
    }
}

impl<E, T: ToElements<E> + ToOwned + ?Sized> ToElements<E> for Cow<'_, T> {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        (**self).write_elements(entry)
    }
}

macro_rules! pointers {
    ($($pointer:ident)*) => {
        $(impl<E, T: ToElements<E> + ?Sized> ToElements<E> for $pointer<T> {
            fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                (**self).write_elements(entry)
            }
        })*
    };
}
pointers!(Box Arc Rc);

impl<E: Several, T: ToElements<E>> ToElements<E> for [T] {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.iter().try_for_each(|value| value.write_elements(entry))
    }
}

impl<E: Several, T: ToElements<E>, const N: usize> ToElements<E> for [T; N] {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.as_slice().write_elements(entry)
    }
}

impl<E: Several, T: ToElements<E>, S: BuildHasher> ToElements<E> for HashSet<T, S> {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.iter().try_for_each(|value| value.write_elements(entry))
    }
}

macro_rules! collections {
    ($($collection:ident)*) => {
        $(impl<E: Several, T: ToElements<E>> ToElements<E> for $collection<T> {
            fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
                self.iter().try_for_each(|value| value.write_elements(entry))
            }
        })*
    };
}
collections!(Vec VecDeque LinkedList BTreeSet);

impl ToElements<Image> for Image {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put(IMAGE, self)
    }
}

impl ToElements<Image> for str {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put_image_loc(self)
    }
}

impl ToElements<Image> for String {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put_image_loc(self)
    }
}

#[cfg(feature = "url2")]
impl ToElements<Image> for url::Url {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put_image_loc(self.as_str())
    }
}

impl ToElements<Video> for Video {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put(VIDEO, self)
    }
}

impl ToElements<News> for News {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put_news(self)
    }
}

impl ToElements<Alternate> for Alternate {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put(ALTERNATE, self)
    }
}

impl<L: AsRef<str>, H: AsRef<str>> ToElements<Alternate> for (L, H) {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.put_translation(self.0.as_ref(), self.1.as_ref())
    }
}

impl<L: AsRef<str>, H: AsRef<str>> ToElements<Alternate> for BTreeMap<L, H> {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.iter()
            .try_for_each(|(hreflang, href)| entry.put_translation(hreflang.as_ref(), href.as_ref()))
    }
}

impl<L: AsRef<str>, H: AsRef<str>, S: BuildHasher> ToElements<Alternate> for HashMap<L, H, S> {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.iter()
            .try_for_each(|(hreflang, href)| entry.put_translation(hreflang.as_ref(), href.as_ref()))
    }
}

//! Conversions of images, videos, news or alternates to an application's field types.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::rc::Rc;
use std::sync::Arc;

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Error, Message, Result};
use crate::schema::{Alternate, Image, News, Video};

/// A type for the images of a page: an [`Image`] or its loc as text, if there is exactly one; an `Option` of it; or a collection.
///
/// Implement it for your own type; it can then be in an `Option` or a collection too:
///
/// ```
/// use sitemap_serde::{Image, Result, convert::FromImages};
///
/// struct Photo { url: String, caption: String }
///
/// impl FromImages for Photo {
///     fn from_images(images: Vec<Image>) -> Result<Self> {
///         let image = Image::from_images(images)?; // one and only one, or the error that says so
///         Ok(Photo { url: image.loc, caption: image.caption.unwrap_or_default() })
///     }
/// }
///
/// let photos = Vec::<Photo>::from_images(vec![Image::new("https://example.com/a.jpg"), Image::new("https://example.com/b.jpg")])?;
/// assert_eq!(photos[1].url, "https://example.com/b.jpg");
/// # Result::<()>::Ok(())
/// ```
#[diagnostic::on_unimplemented(
    message = "images cannot be read as `{Self}`",
    label = "neither an `Image` nor the text of its loc",
    note = "images are read as an `Image`, a `String` that is the loc, an `Option` or a collection of the standard library of them",
    note = "implement `FromImages` for a type of your own, or convert it: `#[sitemap(image, read_with = path::to::function)]`"
)]
pub trait FromImages: Sized {
    /// Converts all images of a page.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the type cannot hold them: too many, or too few.
    fn from_images(images: Vec<Image>) -> Result<Self>;
}

/// A type for the videos of a page: a [`Video`], if there is exactly one; an `Option` of it; or a collection. Implement it for your
/// own type like [`FromImages`].
#[diagnostic::on_unimplemented(
    message = "videos cannot be read as `{Self}`",
    label = "not a `Video`",
    note = "videos are read as a `Video`, or an `Option` or a collection of the standard library of them",
    note = "implement `FromVideos` for a type of your own, or convert it: `#[sitemap(video, read_with = path::to::function)]`"
)]
pub trait FromVideos: Sized {
    /// Converts all videos of a page.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the type cannot hold them: too many, or too few.
    fn from_videos(videos: Vec<Video>) -> Result<Self>;
}

/// A type for a page's news: a [`News`], or an `Option` of it.
#[diagnostic::on_unimplemented(
    message = "a news article cannot be read as `{Self}`",
    label = "not a `News`",
    note = "a news article is read as a `News` or an `Option` of one",
    note = "implement `FromNews` for a type of your own, or convert it: `#[sitemap(news, read_with = path::to::function)]`"
)]
pub trait FromNews: Sized {
    /// Converts a page's news; `None` if there is none.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the type cannot hold it, or requires one and the entry has none.
    fn from_news(news: Option<News>) -> Result<Self>;
}

/// A type for the alternates of a page: an [`Alternate`], or a pair of its hreflang and address, if there is exactly one; an
/// `Option` of it; a collection; or a map from hreflang to address. Implement it for your own type like [`FromImages`].
#[diagnostic::on_unimplemented(
    message = "alternates cannot be read as `{Self}`",
    label = "neither an `Alternate` nor a pair of a hreflang and an address",
    note = "alternates are read as an `Alternate`, a pair of `String`s, an `Option` or a collection of the standard library of them, \
            or a map from hreflang to address",
    note = "implement `FromAlternates` for a type of your own, or convert it: `#[sitemap(alternate, read_with = path::to::function)]`"
)]
pub trait FromAlternates: Sized {
    /// Converts all alternates of a page.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the type cannot hold them: too many, or too few.
    fn from_alternates(alternates: Vec<Alternate>) -> Result<Self>;
}

/// The only value.
fn only<T>(mut values: Vec<T>, element: &str) -> Result<T> {
    let count = values.len();
    match values.pop() {
        Some(value) if count == 1 => Ok(value),
        _ => Err(not_one(count, element)),
    }
}

#[cold]
fn not_one(count: usize, element: &str) -> Error {
    Error::data(match count {
        0 => format!(
            "no `{element}`, and the field that it is read into cannot be without one; make the field an `Option`, or a `Vec`"
        ),
        count => {
            format!(
                "{count} `{element}`, and the field that they are read into holds one; make the field a `Vec`"
            )
        }
    })
}

/// Options, boxes and collections of readable values.
macro_rules! many {
    ($($trait:ident $method:ident $model:ident)*) => {
        $(
            impl<T: $trait> $trait for Option<T> {
                fn $method(values: Vec<$model>) -> Result<Self> {
                    if values.is_empty() {
                        return Ok(None);
                    }
                    T::$method(values).map(Some)
                }
            }
            impl<T: $trait> $trait for Box<T> {
                fn $method(values: Vec<$model>) -> Result<Self> {
                    T::$method(values).map(Box::new)
                }
            }
            impl<T: $trait + Clone> $trait for Cow<'_, [T]> {
                fn $method(values: Vec<$model>) -> Result<Self> {
                    Vec::$method(values).map(Cow::Owned)
                }
            }
            impl<T: $trait, const N: usize> $trait for [T; N] {
                fn $method(values: Vec<$model>) -> Result<Self> {
                    let values = Vec::<T>::$method(values)?;
                    <[T; N]>::try_from(values).map_err(|values| {
                        let found = values.len();
                        let problem =
                            format!("there are {found}, and the field that they are read into holds {N}");
                        Error::data(Message::new(problem).advice("make the field a `Vec`"))
                    })
                }
            }
            impl<T: $trait + Eq + Hash, S: BuildHasher + Default> $trait for HashSet<T, S> {
                fn $method(values: Vec<$model>) -> Result<Self> {
                    values.into_iter().map(|value| T::$method(vec![value])).collect()
                }
            }
            many!(@collections $trait $method $model: (Vec) (VecDeque) (LinkedList) (BTreeSet: Ord));
            many!(@slices $trait $method $model: Box Arc Rc);
        )*
    };
    (@collections $trait:ident $method:ident $model:ident: $(($collection:ident $(: $bound:ident)?))*) => {
        $(impl<T: $trait $(+ $bound)?> $trait for $collection<T> {
            fn $method(values: Vec<$model>) -> Result<Self> {
                values.into_iter().map(|value| T::$method(vec![value])).collect()
            }
        })*
    };
    (@slices $trait:ident $method:ident $model:ident: $($pointer:ident)*) => {
        $(impl<T: $trait> $trait for $pointer<[T]> {
            fn $method(values: Vec<$model>) -> Result<Self> {
                Vec::$method(values).map(Into::into)
            }
        })*
    };
}
many! {
    FromImages from_images Image
    FromVideos from_videos Video
    FromAlternates from_alternates Alternate
}

impl FromImages for Image {
    fn from_images(images: Vec<Image>) -> Result<Self> {
        only(images, "image:image")
    }
}

impl FromImages for String {
    fn from_images(images: Vec<Image>) -> Result<Self> {
        Image::from_images(images).map(|image| image.loc)
    }
}

macro_rules! text {
    ($($type:ty)*) => {
        $(impl FromImages for $type {
            fn from_images(images: Vec<Image>) -> Result<Self> {
                String::from_images(images).map(Into::into)
            }
        })*
    };
}
text!(Box<str> Arc<str> Rc<str> Cow<'_, str>);

#[cfg(feature = "url2")]
impl FromImages for url::Url {
    fn from_images(images: Vec<Image>) -> Result<Self> {
        <url::Url as super::FromLoc>::from_loc(&String::from_images(images)?)
            .map_err(|error| error.under(Rule::Img2))
    }
}

impl FromVideos for Video {
    fn from_videos(videos: Vec<Video>) -> Result<Self> {
        only(videos, "video:video")
    }
}

impl FromNews for News {
    fn from_news(news: Option<News>) -> Result<Self> {
        news.ok_or_else(|| {
            Error::data(
                Message::new("no `news:news`, and the field that it is read into cannot be without one")
                    .advice("make the field an `Option`"),
            )
        })
    }
}

impl<T: FromNews> FromNews for Option<T> {
    fn from_news(news: Option<News>) -> Result<Self> {
        match news {
            Some(news) => T::from_news(Some(news)).map(Some),
            None => Ok(None),
        }
    }
}

impl<T: FromNews> FromNews for Box<T> {
    fn from_news(news: Option<News>) -> Result<Self> {
        T::from_news(news).map(Box::new)
    }
}

impl FromAlternates for Alternate {
    fn from_alternates(alternates: Vec<Alternate>) -> Result<Self> {
        only(alternates, "xhtml:link")
    }
}

impl<L: From<String>, H: From<String>> FromAlternates for (L, H) {
    fn from_alternates(alternates: Vec<Alternate>) -> Result<Self> {
        let Alternate { hreflang, href, .. } = only(alternates, "xhtml:link")?;
        match hreflang {
            Some(hreflang) => Ok((hreflang.into(), href.into())),
            None => Err(Error::data(
                Message::new(format!(
                    "the alternate {} has no hreflang, and the field that it is read into needs one",
                    quote(&href)
                ))
                .advice(
                    "make the field one \
                 of `Alternate`s",
                ),
            )
            .breaks(Rule::Alt1)),
        }
    }
}

/// A map has one address for each hreflang.
fn pairs<L: From<String>, H: From<String>>(
    alternates: Vec<Alternate>,
    mut insert: impl FnMut(L, H) -> Option<H>,
) -> Result<()> {
    for alternate in alternates {
        let name = quote(alternate.hreflang.as_deref().unwrap_or_default()).to_string();
        let (hreflang, href) = <(L, H)>::from_alternates(vec![alternate])?;
        if insert(hreflang, href).is_some() {
            let problem = format!(
                "a second alternate for {name}, and the field that they are read into is a map, which holds one"
            );
            return Err(Error::data(
                Message::new(problem).advice("make the field a `Vec`"),
            ));
        }
    }
    Ok(())
}

impl<L: From<String> + Ord, H: From<String>> FromAlternates for BTreeMap<L, H> {
    fn from_alternates(alternates: Vec<Alternate>) -> Result<Self> {
        let mut map = BTreeMap::new();
        pairs(alternates, |hreflang, href| map.insert(hreflang, href))?;
        Ok(map)
    }
}

impl<L: From<String> + Eq + Hash, H: From<String>, S: BuildHasher + Default> FromAlternates
    for HashMap<L, H, S>
{
    fn from_alternates(alternates: Vec<Alternate>) -> Result<Self> {
        let mut map = HashMap::default();
        pairs(alternates, |hreflang, href| map.insert(hreflang, href))?;
        Ok(map)
    }
}

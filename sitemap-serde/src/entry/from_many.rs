//! Conversions of images, videos, news or alternates to an application's field types.
//!
//! **Rows that were several entries or parts are read from one entry.** Each entry of a page in several languages has links to all of them,
//! so each holds the whole row, and no state is needed between entries. Two fields must not read the same value: a constant of each type
//! lists the values that it reads (`READS`), and const evaluation compares them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::rc::Rc;
use std::sync::Arc;

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Error, Message, Result};
use crate::schema::{Alternate, Image, News, Video};

use super::many::Several;

/// A type for the [`Image`]s, the [`Video`]s, the [`Alternate`]s or the [`News`] of a page: an `E`, if there is exactly one; an `Option` of it; or
/// a collection. A page has at most one [`News`].
///
/// An image can be read as its loc, a text. An alternate can be read as a pair of its hreflang and URL, and all of them as a map from hreflang
/// to URL.
///
/// Implement it for a type of your own, and it can be in an `Option` or a collection too:
///
/// ```
/// use sitemap_serde::{Image, Result, convert::FromElements};
///
/// struct Photo { url: String, caption: String }
///
/// impl FromElements<Image> for Photo {
///     fn from_elements(images: Vec<Image>) -> Result<Self> {
///         let image = Image::from_elements(images)?; // one and only one, or the error that says so
///         Ok(Photo { url: image.loc, caption: image.caption.unwrap_or_default() })
///     }
/// }
///
/// let photos = Vec::<Photo>::from_elements(vec![Image::new("https://example.com/a.jpg"), Image::new("https://example.com/b.jpg")])?;
/// assert_eq!(photos[1].url, "https://example.com/b.jpg");
/// # Result::<()>::Ok(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{E}` cannot be read as `{Self}`",
    label = "expected `{E}`",
    note = "a field holds one `{E}`, or an `Option` or a collection of the standard library of them; `News` is only one",
    note = "an image can be the text of its loc; an alternate a pair of `String`s, or an item of a map from hreflang to URL",
    note = "implement `FromElements<{E}>` for a type of your own, or convert it by `read_with = path::to::function`"
)]
pub trait FromElements<E>: Sized {
    /// Converts all these elements of a page.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the type cannot hold them: too many, or too few.
    fn from_elements(elements: Vec<E>) -> Result<Self>;
}

/// The only value.
fn only<T>(mut values: Vec<T>, element: &str, advice: &'static str) -> Result<T> {
    let count = values.len();
    match values.pop() {
        Some(value) if count == 1 => Ok(value),
        _ => Err(not_one(count, element, advice)),
    }
}

#[cold]
fn not_one(count: usize, element: &str, advice: &'static str) -> Error {
    let message = match count {
        0 => Message::new(format!(
            "no `{element}`, and the field that it is read into cannot be without one"
        ))
        .advice(advice),
        count => Message::new(format!(
            "{count} `{element}`, and the field that they are read into holds one"
        ))
        .advice("make the field a `Vec`"),
    };
    Error::data(message)
}

const OPTION_OR_VEC: &str = "make the field an `Option`, or a `Vec`";

impl<E, T: FromElements<E>> FromElements<E> for Option<T> {
    fn from_elements(elements: Vec<E>) -> Result<Self> {
        if elements.is_empty() {
            return Ok(None);
        }
        T::from_elements(elements).map(Some)
    }
}

impl<E, T: FromElements<E>> FromElements<E> for Box<T> {
    fn from_elements(elements: Vec<E>) -> Result<Self> {
        T::from_elements(elements).map(Box::new)
    }
}

impl<E: Several, T: FromElements<E> + Clone> FromElements<E> for Cow<'_, [T]> {
    fn from_elements(elements: Vec<E>) -> Result<Self> {
        Vec::from_elements(elements).map(Cow::Owned)
    }
}

impl<E: Several, T: FromElements<E>, const N: usize> FromElements<E> for [T; N] {
    fn from_elements(elements: Vec<E>) -> Result<Self> {
        let values = Vec::<T>::from_elements(elements)?;
        <[T; N]>::try_from(values).map_err(|values| {
            let found = values.len();
            let problem = format!("there are {found}, and the field that they are read into holds {N}");
            Error::data(Message::new(problem).advice("make the field a `Vec`"))
        })
    }
}

impl<E: Several, T: FromElements<E> + Eq + Hash, S: BuildHasher + Default> FromElements<E> for HashSet<T, S> {
    fn from_elements(elements: Vec<E>) -> Result<Self> {
        elements
            .into_iter()
            .map(|element| T::from_elements(vec![element]))
            .collect()
    }
}

macro_rules! collections {
    ($(($collection:ident $(: $bound:ident)?))*) => {
        $(impl<E: Several, T: FromElements<E> $(+ $bound)?> FromElements<E> for $collection<T> {
            fn from_elements(elements: Vec<E>) -> Result<Self> {
                elements
                    .into_iter()
                    .map(|element| T::from_elements(vec![element]))
                    .collect()
            }
        })*
    };
}
collections!((Vec) (VecDeque) (LinkedList) (BTreeSet: Ord));

macro_rules! slices {
    ($($pointer:ident)*) => {
        $(impl<E: Several, T: FromElements<E>> FromElements<E> for $pointer<[T]> {
            fn from_elements(elements: Vec<E>) -> Result<Self> {
                Vec::from_elements(elements).map(Into::into)
            }
        })*
    };
}
slices!(Box Arc Rc);

impl FromElements<Image> for Image {
    fn from_elements(images: Vec<Image>) -> Result<Self> {
        only(images, "image:image", OPTION_OR_VEC)
    }
}

impl FromElements<Image> for String {
    fn from_elements(images: Vec<Image>) -> Result<Self> {
        Image::from_elements(images).map(|image| image.loc)
    }
}

macro_rules! text {
    ($($type:ty)*) => {
        $(impl FromElements<Image> for $type {
            fn from_elements(images: Vec<Image>) -> Result<Self> {
                String::from_elements(images).map(Into::into)
            }
        })*
    };
}
text!(Box<str> Arc<str> Rc<str> Cow<'_, str>);

#[cfg(feature = "url2")]
impl FromElements<Image> for url::Url {
    fn from_elements(images: Vec<Image>) -> Result<Self> {
        <url::Url as super::FromLoc>::from_loc(&String::from_elements(images)?)
            .map_err(|error| error.under(Rule::Img2))
    }
}

impl FromElements<Video> for Video {
    fn from_elements(videos: Vec<Video>) -> Result<Self> {
        only(videos, "video:video", OPTION_OR_VEC)
    }
}

impl FromElements<News> for News {
    fn from_elements(news: Vec<News>) -> Result<Self> {
        only(news, "news:news", "make the field an `Option`")
    }
}

impl FromElements<Alternate> for Alternate {
    fn from_elements(alternates: Vec<Alternate>) -> Result<Self> {
        only(alternates, "xhtml:link", OPTION_OR_VEC)
    }
}

impl<L: From<String>, H: From<String>> FromElements<Alternate> for (L, H) {
    fn from_elements(alternates: Vec<Alternate>) -> Result<Self> {
        let Alternate { hreflang, href, .. } = only(alternates, "xhtml:link", OPTION_OR_VEC)?;
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
        let (hreflang, href) = <(L, H)>::from_elements(vec![alternate])?;
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

impl<L: From<String> + Ord, H: From<String>> FromElements<Alternate> for BTreeMap<L, H> {
    fn from_elements(alternates: Vec<Alternate>) -> Result<Self> {
        let mut map = BTreeMap::new();
        pairs(alternates, |hreflang, href| map.insert(hreflang, href))?;
        Ok(map)
    }
}

impl<L: From<String> + Eq + Hash, H: From<String>, S: BuildHasher + Default> FromElements<Alternate>
    for HashMap<L, H, S>
{
    fn from_elements(alternates: Vec<Alternate>) -> Result<Self> {
        let mut map = HashMap::default();
        pairs(alternates, |hreflang, href| map.insert(hreflang, href))?;
        Ok(map)
    }
}

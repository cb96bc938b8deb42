//! serde's `Deserializer` over a document: entries ─► values ─► `T`.
//!
//! | file | content |
//! |---|---|
//! | `root` | a document: a sequence of entries, or a struct, enum or map around it |
//! | `entry` | an entry, or an element with attributes or children, as a struct or map |
//! | `value` | all elements with one name, a single element, or an attribute; `variant` as an enum, `decimal` as a float |
//! | `lenient` | an entry without its invalid values |
//! | `refused` | messages for values that the target type rejects |
//! | `element` | the elements with one name, for `EntryReader::element` |
//! | `typed` | the crate's own types, directly from a record |
//!
//! **serde gets no short cuts**. Field names are always given as strings: only derived visitors accept an index, and a struct's list of
//! field names includes its aliases, so it gives no index. The crate's own entry is deserialized like every other type, so that it behaves
//! the same inside a `flatten`, an untagged enum or a user's wrapper. The speed comes from moving little: a value's text is sliced once,
//! and the value is passed by reference, since copying it right after it was written would stall on the stores. A decimal of up to seven
//! bytes is parsed as its digits divided by a power of ten, both exact, which gives the nearest float.
//!
//! `from_str::<Vec<UrlEntry>>` makes the same allocations as `entries`. Repeated elements give their number as `size_hint`, so that a `Vec` is allocated at its exact size; and structs are constructed in place
//! in the `Vec`, by inlining the calls in between.
//!
//! When `from_str` reads structs, the records are less than half of the time; the rest is the allocator, the visitors and the floats.
//! Fields of type `&str` avoid the allocator's part.

mod decimal;
mod element;
mod entry;
mod lenient;
mod refused;
mod root;
mod typed;
mod value;
mod variant;

use std::io::Read;

use serde_core::Deserialize;

pub(crate) use decimal::parse as parse_decimal;
pub(crate) use element::element;
pub(crate) use entry::EntryDeserializer;
pub(crate) use lenient::{diagnostic, lenient_value, repaired, with_severity};
pub use root::Deserializer;
pub(crate) use typed::{alternates, fill, images, news_of, url_entry, videos};
pub(crate) use value::{no_decimal, no_integer, parse_bool};

use crate::error::Result;

/// A type that [`from_str`] and its siblings can read: any type that implements serde's `Deserialize`. It is implemented
/// automatically, and exists only for the better compiler message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a document that can be deserialized: it does not implement serde's `Deserialize`",
    note = "pages that derive `FromSitemapEntry` are read by `Reader::from_str(xml).read::<Page>()`, an iterator",
    note = "other types derive `serde::Deserialize`, with fields named `loc`, `lastmod`, `changefreq`, `priority`"
)]
pub trait DeserializeDocument<'de>: Deserialize<'de> {}

#[diagnostic::do_not_recommend]
impl<'de, T: Deserialize<'de>> DeserializeDocument<'de> for T {}

/// Reads a document from a string, as any type that implements serde's `Deserialize`.
///
/// `T` decides which document is expected: a urlset for a `Vec` of entries or a [`UrlSet`](crate::UrlSet), an index for a
/// [`SitemapIndex`](crate::SitemapIndex), either for a [`Document`](crate::Document). A struct with a field `url` or
/// `sitemap` gets the entries in that field. An entry is a struct or map with fields named as the schema's elements. Text
/// is borrowed from the input if it holds no references or line ends to resolve.
///
/// # Errors
/// [`ErrorKind::Syntax`](crate::ErrorKind::Syntax) or [`Eof`](crate::ErrorKind::Eof) if the text is not well-formed XML,
/// [`Data`](crate::ErrorKind::Data) if it is not the expected sitemap or a value does not fit `T`,
/// [`Limit`](crate::ErrorKind::Limit) if a part is larger than [`Limits::reading`](crate::Limits::reading) allows.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Page<'a> {
///     loc: &'a str,
///     priority: Option<f32>,
/// }
///
/// let pages: Vec<Page> = sitemap_serde::from_str(
///     r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///          <url><loc>https://example.com/</loc><priority>0.8</priority></url>
///        </urlset>"#,
/// )?;
/// assert_eq!((pages[0].loc, pages[0].priority), ("https://example.com/", Some(0.8)));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
pub fn from_str<'de, T: DeserializeDocument<'de>>(text: &'de str) -> Result<T> {
    Deserializer::from_str(text).read()
}

/// Reads a document from bytes: UTF-8, which text is borrowed from; other encodings with the feature `encoding`; compressed
/// documents with the feature `gzip`.
///
/// # Errors
/// See [`from_str`]; also [`ErrorKind::Syntax`](crate::ErrorKind::Syntax) if the bytes are not in the encoding that the document
/// declares, or if that encoding is not supported (P-UTF8).
pub fn from_slice<'de, T: DeserializeDocument<'de>>(bytes: &'de [u8]) -> Result<T> {
    Deserializer::from_slice(bytes).read()
}

/// Reads a document from a reader, which needs no `BufReader` around it.
///
/// The whole document becomes one `T`. To read a large file entry by entry, see [`Reader`](crate::Reader).
///
/// # Errors
/// See [`from_slice`]; also [`ErrorKind::Io`](crate::ErrorKind::Io) if the reader fails.
pub fn from_reader<R: Read, T: for<'de> DeserializeDocument<'de>>(reader: R) -> Result<T> {
    Deserializer::from_reader(reader).read()
}

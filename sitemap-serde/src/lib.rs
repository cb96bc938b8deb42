//! A serde data format for XML sitemaps, with a derive that maps your structs to them.
//!
//! ```
//! use sitemap_serde::{SitemapEntry, WriterBuilder};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/products/{slug}", changefreq = "weekly", priority = 0.8)]
//! struct Product {
//!     slug: String,
//!     #[sitemap(lastmod)]
//!     updated: sitemap_serde::W3cDateTime,
//! }
//!
//! # fn main() -> sitemap_serde::Result<()> {
//! let lamp = Product { slug: "lamp & shade".into(), updated: "2026-05-01".parse()? };
//! let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
//! writer.write(&lamp)?;
//! assert_eq!(
//!     String::from_utf8(writer.finish()?).unwrap(),
//!     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
//!      <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
//!      <url><loc>https://example.com/products/lamp%20%26%20shade</loc><lastmod>2026-05-01</lastmod>\
//!      <changefreq>weekly</changefreq><priority>0.8</priority></url></urlset>"
//! );
//! # Ok(())
//! # }
//! ```
//!
//! | you have | you want | use |
//! |---|---|---|
//! | rows of a database, or any structs | a sitemap | [`#[derive(SitemapEntry)]`](derive@SitemapEntry), [`Writer::write`] |
//! | structs that implement serde's `Serialize` | a sitemap | [`to_string`], [`to_writer`], [`Writer::serialize`] |
//! | a sitemap | your own structs | [`from_str`], [`from_reader`], [`Reader::deserialize`] |
//! | a sitemap | your own structs, their fields taken out of the address too | [`#[derive(FromSitemapEntry)]`](derive@FromSitemapEntry), [`Reader::read`] |
//! | a sitemap | its entries, checked | [`Reader::entries`] |
//! | images, videos, news, pages in other languages | a sitemap of them, and back | [`UrlEntry`] with [`Image`], [`Video`], [`News`], [`Alternate`]; or the [derives](derive@SitemapEntry#image-video-news-and-alternate) |
//! | somebody's sitemap | the same file with a few changes | [`Editor`] |
//! | thousands of sitemaps | what they say, as fast as it can be read | [`Reader::read_record`] |
//!
//! Errors carry the ids of the format's rules, such as `P-PRIO`:
//!
//! | id | rule |
//! |---|---|
//! | P-NS | the root is `urlset` or `sitemapindex` in `http://www.sitemaps.org/schemas/sitemap/0.9` |
//! | P-DECL | the document begins with `<?xml version="1.0" encoding="UTF-8"?>` |
//! | P-UTF8 | the document is in UTF-8 |
//! | P-ESC | `& ' " < >` in values are written as entities |
//! | P-COUNT | at most 50,000 entries |
//! | P-SIZE | at most 52,428,800 bytes, uncompressed |
//! | P-GZIP | gzip is the only compression |
//! | P-ORDER | an entry's children are in the order loc, lastmod, changefreq, priority |
//! | P-DUP | exactly one loc, the other three at most once |
//! | P-INDEXTAGS | an entry of an index has a loc and a lastmod, nothing else |
//! | P-LOC | a loc is an absolute URL of http or https (RFC 3986) |
//! | P-LOCLEN | a loc has at most 2,048 characters |
//! | P-LOCENC | what is not ASCII in a loc is percent-encoded, in the encoding of the server |
//! | P-IDN | a host that is not ASCII is written as punycode |
//! | P-HOST | all URLs of a sitemap have one scheme, host and port, those of the sitemap itself |
//! | P-PATH | a sitemap lists URLs of its own directory and below it |
//! | P-IDX1 | an index lists sitemaps of its own scheme, host and port |
//! | P-IDX2 | an index lists sitemaps of its own directory and below it |
//! | P-LASTMOD | a lastmod is a W3C Datetime |
//! | P-FREQ | a changefreq is always, hourly, daily, weekly, monthly, yearly or never |
//! | P-PRIO | a priority is a decimal from 0.0 to 1.0 |
//! | P-IMG1 | an entry has at most 1,000 images |
//! | P-IMG2 | an image has a loc, an absolute URL on any site |
//! | P-NEWS1 | news has a publication (name, language), a publication date and a title |
//! | P-NEWS2 | a publication's language is an ISO 639 code of 2 or 3 letters, `zh-cn` or `zh-tw` |
//! | P-NEWS3 | a publication date of news is `YYYY-MM-DD`, or a date and time with its zone |
//! | P-NEWS4 | an entry has at most one news, a document at most 1,000 |
//! | P-VID1 | a video has a thumbnail, a title (100 characters), a description (2,048), and a content or player URL |
//! | P-VID2 | a video's content and player URL are not the page's |
//! | P-VID3 | a video's duration is 1 to 28,800 seconds |
//! | P-VID4 | a video's dates are W3C Datetimes |
//! | P-VID5 | a video's rating is 0.0 to 5.0, its view count a whole number |
//! | P-VID6 | family_friendly, requires_subscription and live are `yes` or `no` |
//! | P-VID7 | a video's restriction lists ISO 3166 codes, with the relationship `allow` or `deny` |
//! | P-VID8 | a video's platform lists `web`, `mobile`, `tv`, with the relationship `allow` or `deny` |
//! | P-VID9 | a video's uploader has at most 255 characters, and a page on the page's domain |
//! | P-VID10 | a video has at most 32 tags |
//! | P-ALT1 | an alternate has rel, hreflang (or media) and href |
//! | P-ALT2 | an alternate's href is an absolute URL, on any site |
//! | P-ALT5 | a hreflang is an ISO 639-1 code, perhaps with a script and an ISO 3166-1 region, or `x-default` |
//!
//! # Features
//!
//! | feature | what it brings |
//! |---|---|
//! | `derive` (default) | `#[derive(SitemapEntry)]`, `#[derive(FromSitemapEntry)]` |
//! | `gzip` | compressed sitemaps are decompressed while they are read |
//! | `encoding` | documents in other encodings than UTF-8, and locs for servers that decode their URLs by another |
//! | `idn` | hosts outside ASCII are written as punycode |
//! | `chrono`, `time`, `jiff` | their dates and zoned date-times to and from [`W3cDateTime`] |
//! | `url` | `url::Url` as a loc |

mod codes;
mod datetime;
mod de;
mod document;
mod edit;
mod entry;
mod error;
mod limits;
mod loc;
mod model;
#[cfg(feature = "derive")]
mod private;
mod quote;
mod reader;
mod record;
mod rules;
mod ser;
pub mod with;
mod writer;
mod xml;

pub use datetime::{Precision, W3cDateTime};
pub use de::{Deserializer, from_reader, from_slice, from_str};
pub use edit::{Editor, EditorBuilder, EntryEditor};
pub use entry::{
    AsLoc, Entries, EntryReader, EntryWriter, FromAlternates, FromChangeFreq, FromImages, FromLastmod,
    FromLoc, FromNews, FromPriority, FromSitemapEntry, FromVideos, LocWriter, SitemapEntry, ToAlternates,
    ToChangeFreq, ToImages, ToLastmod, ToNews, ToPriority, ToVideos,
};
pub use error::{Category, Error, Position, Result};
pub use limits::Limits;
pub use model::{
    Alternate, ChangeFreq, ContentSegment, DataAttribute, DataObject, Decimal, Document, GalleryLoc, Image,
    IndexEntry, Kind, News, NewsAccess, NewsArticle, NewsGenre, PageMap, PageMapTemplate, Platform,
    PlayerLoc, Price, PriceKind, Priority, Publication, Rel, Relationship, Resolution, Restriction,
    SitemapIndex, TvShow, Uploader, UrlEntry, UrlSet, Video, VideoId, VideoIdKind, VideoPlatform, VideoType,
};
pub use reader::{Reader, ReaderBuilder, Record};
pub use ser::{Serializer, to_string, to_string_pretty, to_vec, to_vec_pretty, to_writer, to_writer_pretty};
#[cfg(feature = "derive")]
pub use sitemap_derive::{FromSitemapEntry, SitemapEntry};
pub use writer::{Writer, WriterBuilder};

/// Iterators over the entries of a [`Reader`] and the fields of a [`Record`].
pub mod iter {
    pub use crate::reader::{DeserializeEntries, Entries, Field, Fields, ReadEntries};
}

/// What a [`Reader`] reads from.
pub mod source {
    pub use crate::xml::source::{SliceSource, Source, StreamSource};
}

#[cfg(feature = "derive")]
#[doc(hidden)]
pub mod __private {
    pub use crate::private::*;
}

/// The scanner by itself, for the project's own tests. No part of the API: it may change with any release.
#[cfg(feature = "__internals")]
#[doc(hidden)]
pub mod __internals {
    pub use crate::xml::events::{Event, of_reader, of_slice};
}

/// The README's programs run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

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
//! let rows = [Product { slug: "lamp & shade".into(), updated: "2026-05-01".parse()? }];
//! assert_eq!(
//!     WriterBuilder::new().base("https://example.com").entries_to_string(&rows)?,
//!     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
//!      <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
//!      <url><loc>https://example.com/products/lamp%20%26%20shade</loc><lastmod>2026-05-01</lastmod>\
//!      <changefreq>weekly</changefreq><priority>0.8</priority></url></urlset>"
//! );
//! # Ok(())
//! # }
//! ```
//!
//! | you have | you want | use | guide |
//! |---|---|---|---|
//! | rows of a database, or any structs | a sitemap | [`#[derive(SitemapEntry)]`](derive@SitemapEntry), [`entries_to_string`], [`Writer::write`] | [deriving](guide::deriving), [writing](guide::writing) |
//! | structs that implement serde's `Serialize` | a sitemap | [`to_string`], [`to_writer`], [`Writer::serialize`] | [serde](guide::serde_mapping) |
//! | a sitemap | its entries, checked | [`Reader::entries`] | [reading](guide::reading) |
//! | a sitemap | your own structs | [`from_str`], [`from_reader`], [`Reader::deserialize`] | [serde](guide::serde_mapping) |
//! | a sitemap | your own structs, with fields extracted from the loc | [`#[derive(FromSitemapEntry)]`](derive@FromSitemapEntry), [`Reader::read`] | [deriving](guide::deriving#and-back) |
//! | thousands of sitemaps | their entries, as fast as possible | [`Reader::read_record`] | [reading](guide::reading#as-fast-as-possible) |
//! | ten thousand sitemaps of strangers | their pages, and a report on each | [`Limits`], [`Mode::Lenient`], threads | [untrusted](guide::untrusted) |
//! | a malformed sitemap | its entries, and a list of problems | [`Mode::Lenient`], [`Entries::with_diagnostics`](iter::Entries::with_diagnostics) | [lenient](guide::lenient) |
//! | a text sitemap, a feed, a `robots.txt` | its pages, its sitemaps | [`ReaderBuilder::other_formats`], [`robots`] | [other formats](guide::other_formats) |
//! | an existing sitemap | the same file with a few changes | [`Editor`] | [editing](guide::editing) |
//! | a set of sitemaps | its problems, or what changed | [`lint`], [`diff`](mod@diff) | [linting](guide::linting) |
//!
//! Images, videos, news and pages in other languages are fields of [`UrlEntry`], and
//! [keys](derive@SitemapEntry#image-video-news-and-alternate) of the derives. An [`Error`] names the broken [`Rule`] of the format,
//! such as `P-PRIO`; [`Rule`] has a table of all rules.
//!
//! # Other crates
//!
//! | you have | you want | crate |
//! |---|---|---|
//! | rows, and a server | the sitemap of a whole site, rendered on request | `sitemap-site` with the feature `serve`, and `sitemap-axum`, `sitemap-actix` or `sitemap-rocket` |
//! | a database | its rows as a section of that site | `sitemap-sqlx`, `sitemap-seaorm`, `sitemap-diesel`, `sitemap-diesel-async` |
//! | more than 50,000 rows | a set of files, published at once, in a folder or an object store | `sitemap-site`, `sitemap-object-store` |
//! | a folder of built pages | their sitemap, with real modification dates | `sitemap-pages` |
//! | record batches, SQL engines | sitemaps as tables | `sitemap-arrow`, `sitemap-datafusion` |
//! | a site | its sitemaps, crawled with your HTTP client; its changes, announced to search engines | `sitemap-tree`, `sitemap-submit` |
//! | a shell | all of this: lint, repair, convert, split, diff, submit | the command `sitemap`: `cargo install --path sitemap-cli` in a clone |
//!
//! # Features
//!
//! | feature | what it brings |
//! |---|---|
//! | `derive` (default) | `#[derive(SitemapEntry)]`, `#[derive(SitemapFields)]`, `#[derive(FromSitemapEntry)]`, `#[derive(FromSitemapFields)]` |
//! | `gzip` | compressed sitemaps are decompressed while they are read, and files named `.gz` are written compressed |
//! | `encoding` | documents in encodings other than UTF-8, and locs for servers whose URLs use another encoding |
//! | `idn` | hosts outside ASCII are written as punycode |
//! | `chrono04`, `jiff1`, `jiff02`, `time03` | dates and zoned date-times of chrono 0.4, jiff 1, jiff 0.2 and time 0.3, to and from [`W3cDateTime`] |
//! | `url2` | `Url` of url 2 as a loc |

// On docs.rs, which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// The links to the derives are broken if the feature `derive` is off.
#![cfg_attr(not(feature = "derive"), allow(rustdoc::broken_intra_doc_links))]

mod block;
mod character;
mod de;
#[cfg(feature = "derive")]
mod derive_support;
mod diagnostic;
pub mod diff;
mod document;
pub mod edit;
pub mod engine;
mod entry;
mod error;
mod filter;
pub mod guide;
mod limits;
pub mod lint;
mod loc;
mod model;
mod raw;
mod reader;
mod record;
pub mod robots;
mod schema;
mod search_console;
mod ser;
pub mod with;
mod writer;
mod xml;

pub use de::{Deserializer, from_reader, from_slice, from_str};
pub use diagnostic::Diagnostic;
pub use edit::Editor;
#[doc(hidden)]
pub use entry::LocWriter;
pub use entry::{EntryReader, EntryWriter, FromSitemapEntry, FromSitemapFields, SitemapEntry, SitemapFields};
pub use error::{Error, ErrorKind, Position, Result};
pub use filter::Filter;
pub use limits::Limits;
pub use model::{Document, Kind, SitemapIndex, UrlSet};
pub use raw::RawXml;
pub use reader::{Mode, Reader, ReaderBuilder, Record};
pub use record::OnInvalid;
pub use schema::{Alternate, Image, IndexEntry, News, UrlEntry, Video};
pub use ser::{Serializer, to_string, to_string_pretty, to_vec, to_vec_pretty, to_writer, to_writer_pretty};
#[cfg(feature = "derive")]
pub use sitemap_derive::{FromSitemapEntry, FromSitemapFields, SitemapEntry, SitemapFields};
#[doc(inline)]
pub use sitemap_values::{ChangeFreq, Precision, Priority, Rule, Suggestion, ValueError, W3cDateTime};
pub use writer::{Summary, Writer, WriterBuilder, entries_to_string};

/// Functions for URLs, and for values and numbers in messages, shared with the other crates of this workspace. Not public API.
#[doc(hidden)]
pub mod __internal {
    pub use crate::document::sniff::{has_rows, is_utf8};
    pub use crate::loc::{check, encode_reference, host, normal_form, path_of};
    pub use crate::reader::Rows;
    pub use sitemap_values::Advice;
    pub use sitemap_values::number::grouped;
    pub use sitemap_values::quote::quote;
}

/// Conversions between your types and the values of a sitemap: the traits for fields of the derives, functions for columns of
/// databases, and percent-encoding. Modules for serde's `with` are in [`with`].
///
/// Your own type becomes a value through a `To` trait, and is read back through the corresponding `From` trait:
///
/// | value | writing | reading |
/// |---|---|---|
/// | loc | [`AsLoc`](convert::AsLoc) | [`FromLoc`](convert::FromLoc) |
/// | lastmod | [`ToLastmod`](convert::ToLastmod) | [`FromLastmod`](convert::FromLastmod) |
/// | changefreq | [`ToChangeFreq`](convert::ToChangeFreq) | [`FromChangeFreq`](convert::FromChangeFreq) |
/// | priority | [`ToPriority`](convert::ToPriority) | [`FromPriority`](convert::FromPriority) |
/// | images, videos, news, pages in other languages | [`ToElements`](convert::ToElements) | [`FromElements`](convert::FromElements) |
/// | several of these, by a part of a row | [`SitemapFields`](trait@SitemapFields) | [`FromSitemapFields`](trait@FromSitemapFields) |
///
/// Modules for typical database columns, for `with` of the derives. Each converts in both directions, also in an `Option`:
///
/// | column | `#[sitemap(…)]` |
/// |---|---|
/// | seconds since 1970 | [`lastmod, with = convert::unix_seconds`](convert::unix_seconds) |
/// | milliseconds since 1970 | [`lastmod, with = convert::unix_millis`](convert::unix_millis) |
/// | an SQL date or date-time as text; zero dates are `None` | [`lastmod, with = convert::sql_date_time`](convert::sql_date_time) |
/// | a decimal type of any crate | [`priority, with = convert::decimal`](convert::decimal) |
pub mod convert {
    pub use crate::de::DeserializeDocument;
    #[doc(hidden)]
    pub use crate::entry::Columns;
    pub use crate::entry::column::*;
    pub use crate::entry::{
        AsLoc, FromChangeFreq, FromElements, FromLastmod, FromLoc, FromPriority, ToChangeFreq, ToElements,
        ToLastmod, ToPriority,
    };
    pub use crate::loc::encode_segment;
    pub use crate::ser::SerializeDocument;
    pub use crate::writer::IntoRow;
}

/// Detecting the format of a document, and the namespaces of its extensions.
///
/// With [`ReaderBuilder::other_formats`] a [`Reader`] reads text sitemaps and feeds too, and [`WriterBuilder::text_from_writer`] writes text
/// sitemaps; see the [guide](guide::other_formats).
pub mod format {
    pub use crate::document::sniff::{Format, sniff};
    pub use crate::schema::EXTENSIONS;
}

/// Iterators over the entries of a [`Reader`] and the fields of a [`Record`].
pub mod iter {
    pub use crate::reader::{Entries, Field};
}

/// Types of the fields of [`News`].
pub mod news {
    pub use crate::schema::Publication;
}

/// Google's PageMaps: data about a page for Google's Programmable Search Engine.
pub mod pagemap {
    pub use crate::schema::{DataAttribute, DataObject, PageMap};
}

/// The sources that a [`Reader`] reads from, and the file that a [`Writer`] writes to.
pub mod source {
    pub use crate::writer::OutputFile;
    pub use crate::xml::source::{DocumentSource, SliceSource, StreamSource};
}

/// Types of the fields of [`Video`].
pub mod video {
    pub use crate::schema::{
        ContentSegment, GalleryLoc, Platform, PlayerLoc, Price, Relationship, Restriction, TvShow, Uploader,
        VideoId, VideoPlatform,
    };
    #[doc(inline)]
    pub use sitemap_values::Decimal;
}

#[cfg(feature = "derive")]
#[doc(hidden)]
pub mod __private {
    pub use crate::derive_support::*;
}

/// The scanner, for the project's own tests. Not part of the public API: it may change in any release.
#[cfg(feature = "__internals")]
#[doc(hidden)]
pub mod __internals {
    pub use crate::xml::events::{Event, of_reader, of_slice};
}

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Sitemaps as Apache Arrow record batches, and record batches as sitemaps, for engines such as DataFusion, DuckDB, Polars or Spark and
//! more pages than one program handles.
//!
//! ```sh
//! cargo add sitemap-arrow sitemap-serde
//! cargo add arrow-array@59
//! ```
//!
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::{RecordBatch, StringArray};
//! use sitemap_arrow::{BatchReaderBuilder, Entries};
//! use sitemap_serde::Writer;
//!
//! // From a sitemap to batches …
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/</loc><lastmod>2026-05-01</lastmod></url>
//! </urlset>"#;
//! let mut builder = BatchReaderBuilder::new();
//! for batch in builder.columns(["loc", "lastmod_at"])?.read([("https://example.com/sitemap.xml", xml)]) {
//!     assert_eq!(batch?.num_rows(), 1);
//! }
//!
//! // … and back.
//! let locs = StringArray::from(vec!["https://example.com/a", "https://example.com/b"]);
//! let batch = RecordBatch::try_from_iter([("loc", Arc::new(locs) as _)])?;
//! let mut writer = Writer::from_writer(Vec::new());
//! assert_eq!(Entries::try_from(&batch)?.write_to(&mut writer)?, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you have | you want | use |
//! |---|---|---|
//! | sitemaps: files, streams, the records of a crawl | batches of their entries | [`BatchReaderBuilder`] |
//! | the same | their problems, as a batch | [`BatchReader::take_problems`] |
//! | batches | a part of a [set](sitemap_site::SitemapSet), or a document | [`EntriesBuilder`], [`Entries`] |
//!
//! The [guide] shows it with several processes or an engine, and the costs of a billion URLs. The example `tables` writes Arrow IPC and
//! Parquet files, and makes a set of such files.
//!
//! # Schema
//!
//! [`schema()`] is stable: a later version may add columns at the end. Structs have the fields of the library's types, with the same names.
//!
//! | column | type | null | content |
//! |---|---|---|---|
//! | `loc` | Utf8 | no | URL of the page |
//! | `lastmod` | Utf8 | if absent | W3C Datetime as it was written, with its precision and offset |
//! | `lastmod_at` | Timestamp(µs, UTC) | if absent | the same as a time; a date means its beginning in UTC, digits after microseconds are truncated |
//! | `changefreq` | Utf8 | if absent | `always`, `hourly`, `daily`, `weekly`, `monthly`, `yearly` or `never` |
//! | `priority` | Float32 | if absent | 0.0 to 1.0 |
//! | `images` | List of Struct | no, but empty | [`Image`](sitemap_serde::Image): `loc`, `caption`, `geo_location`, `title`, `license` |
//! | `videos` | List of Struct | no, but empty | [`Video`](sitemap_serde::Video): `title`, `description`, `thumbnail_loc`, `duration` in seconds, … |
//! | `news` | List of Struct | no, but empty | [`News`](sitemap_serde::News): an entry has at most one |
//! | `alternates` | List of Struct | no, but empty | [`Alternate`](sitemap_serde::Alternate): `rel`, `hreflang`, `media`, `href` |
//! | `mobile` | Boolean | no | `true` if there is a `mobile:mobile` |
//! | `page_map` | Struct | if absent | [`PageMap`](sitemap_serde::pagemap::PageMap): `template`, `data_objects` |
//! | `source` | Utf8 | no | [name](Input::name) of the document: path or URL |
//! | `entry` | Int64 | no | the entry's number in its document, from 1 |
//! | `byte` | Int64 | no | offset of the entry, in bytes of the decompressed document |
//!
//! Within structs, dates are Utf8 as they were written, words of lists (`rent`, `HD`) are Utf8: a platform and a relationship in the
//! library's spelling, all others as they were written. Durations and the
//! numbers of seasons and episodes are Int64, view counts UInt64, and ratings and prices Float64.
//!
//! Not mapped: elements of other namespaces, comments, and the digits of a priority, rating or price beyond its float. The entries of a
//! sitemap index are not pages: an index is rejected; read it with [`Reader::deserialize`](sitemap_serde::Reader::deserialize).
//!
//! # The same as `entries`
//!
//! A row has the values that [`Reader::entries`](sitemap_serde::Reader::entries) returns for the entry, strict or
//! [lenient](sitemap_serde::Mode). Entries that it rejects are in no batch. Plain entries (no repeated or unusual values) go from the
//! record straight into columns, all others through a [`UrlEntry`](sitemap_serde::UrlEntry).
//!
//! # Memory
//!
//! A reader holds one batch, bounded in rows and bytes, one entry, and a bounded number of problems. A row that does not fit into a column
//! of Arrow (2³¹ - 1 bytes) is rejected.
//!
//! # Versions
//!
//! This crate uses the major version of Arrow that the current DataFusion on crates.io uses: Arrow 59, by DataFusion 55. For the compiler,
//! batches of another major version are other types; hand them over by Arrow's C data interface or as IPC. When a DataFusion on another
//! Arrow is released, the next version of this crate follows it, as a breaking change. It depends on `arrow-array`, `arrow-buffer` and
//! `arrow-schema`, not on `arrow`.

pub mod guide;

mod array;
mod column;
mod entries;
mod error;
mod input;
mod key;
mod model;
mod plain;
mod problems;
mod read;
mod rows;
mod value;

pub use entries::{Entries, EntriesBuilder, EntryRow};
pub use error::{BatchError, ReadError, Result};
pub use input::Input;
pub use model::schema;
pub use problems::problems_schema;
pub use read::{BatchReader, BatchReaderBuilder};

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

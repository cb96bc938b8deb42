//! Sitemaps of whole sites: sets of files that are published atomically, and sitemaps served over HTTP.
//!
//! A sitemap file has at most 50,000 entries and 52,428,800 bytes. A larger site has several files, the *parts*, and an index that
//! lists them. This crate makes the parts from rows; [`sitemap_serde`] and its derive map each row to entries.
//!
//! ```
//! use sitemap_serde::SitemapEntry;
//! use sitemap_site::SitemapSet;
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/products/{id}")]
//! struct Product {
//!     id: i64,
//! }
//!
//! # let root = tempfile::tempdir()?;
//! let set = SitemapSet::directory(&root, "https://example.com").open()?;
//! let mut products = set.task_writer("products", "all")?;
//! for id in 1..=70_000 {
//!     products.write(id, &Product { id })?;
//! }
//! let summary = set.commit(&[products.finish()?])?;
//! assert_eq!((summary.files, summary.entries), (3, 70_000)); // two parts, and the index that lists them
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same rows, served on request (feature `serve`):
//!
//! ```no_run
//! # #[cfg(feature = "serve")]
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! use axum::Router;
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::SiteBuilder;
//!
//! tracing_subscriber::fmt::init(); // the cause of a failure is in the log, under the target `sitemap_site`
//! let site = SiteBuilder::new("https://example.com")
//!     .section("pages", [UrlEntry::new("/"), UrlEntry::new("/about")]) // or a source of sitemap-sqlx, …
//!     .build()?;
//! site.ready().await?; // counts the rows; until then the index answers 503
//! let app: Router = Router::new().merge(sitemap_axum::routes(&site)); // or a tower service in any framework
//! # Ok(())
//! # }
//! ```
//!
//! | you have | you want | use |
//! |---|---|---|
//! | rows, and a directory | their sitemap as files, published atomically, by one program or many | [`SitemapSet`] |
//! | rows, and a server | their sitemap, rendered on request | `Site` (feature `serve`) |
//! | another server's sitemaps, such as a headless CMS's | the same under one's own host | `Rebased` (feature `serve`) |
//! | a set of files, and a server | the files, with the headers that caches and crawlers need | `ServeSet` (feature `serve`) |
//!
//! The [guide] has a tutorial, from `cargo new` to a served sitemap, and a page with complete programs for each task.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `gzip` (default) | compressed parts |
//! | `serve` | `Site` and its sources: the sitemap as a tower service |

// On docs.rs, which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod error;
mod flat;
pub mod guide;
mod hash;
mod key;
mod news;
mod part;
#[cfg(feature = "serve")]
mod serve;
mod sets;
#[cfg(feature = "serve")]
pub mod source;
mod stylesheet;
mod time;

pub use error::{Error, ErrorKind, Result};
#[doc(hidden)]
pub use hash::ContentHash;
pub use key::{Key, KeyValue, RowKey};
#[doc(hidden)]
pub use part::PartFacts;
#[cfg(feature = "serve")]
pub use serve::{
    Body, Failures, FileStore, Findings, Rebased, Report, ResponseFuture, RobotsTxt, SectionReport,
    SectionStats, ServeSet, ServeStats, Site, SiteBuilder, SiteChanges, Sites, TableStore,
};
#[cfg(feature = "serve")]
pub use serve::{IntoSection, NewSection as Section};
pub use sets::storage::{self, Storage};
pub use sets::{
    CommitPlan, CommitSummary, FileAction, PartList, PartLists, PlannedFile, Progress, SetBuilder, SetFiles,
    SitemapSet, TaskWriter, Unannounced,
};
#[cfg(feature = "serve")]
pub use source::Source;
pub use stylesheet::STYLESHEET;

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Sitemaps as tables of DataFusion, and `COPY … TO` a set of sitemaps.
//!
//! ```sh
//! cargo add sitemap-datafusion
//! cargo add datafusion@55
//! cargo add tokio --features macros,rt-multi-thread
//! ```
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main]
//! # async fn main() -> datafusion::error::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! # let (pages, public) = (folder.path().join("pages"), folder.path().join("public"));
//! # let (pages, public) = (pages.display(), public.display());
//! let context = SessionContext::new().enable_url_table();
//! sitemap_datafusion::register(&context)?;
//!
//! context
//!     .sql(&format!(
//!         "COPY (SELECT '/products/' || value AS loc, 0.5 AS priority FROM generate_series(1, 60000) ORDER BY value)
//!          TO '{public}' STORED AS SITEMAP OPTIONS (base 'https://example.com', section 'products', gzip true)"
//!     ))
//!     .await?
//!     .collect()
//!     .await?;
//!
//! let counted = context
//!     .sql(&format!("SELECT source, count(*) FROM '{public}/current/*.xml.gz' GROUP BY source ORDER BY source"))
//!     .await?
//!     .collect()
//!     .await?;
//! assert_eq!(counted.iter().map(|batch| batch.num_rows()).sum::<usize>(), 2); // 50,000 and 10,000 entries
//! # Ok(())
//! # }
//! ```
//!
//! [`sitemap_arrow::schema`] lists the columns. [`register`] registers three formats:
//!
//! | format | reading | `COPY … TO` |
//! |---|---|---|
//! | `sitemap` | the entries of sitemaps; a path that ends with `.sitemap` needs no table | a set: parts of at most 50,000 entries and 52,428,800 bytes, and their index |
//! | `xml` | the same; for paths such as `'sitemaps/*.xml.gz'` | the same |
//! | `sitemap_problems` | the [rejections and repairs](sitemap_arrow::problems_schema) in sitemaps | |
//!
//! # Reading
//!
//! One partition reads a file, compressed or not; several files are divided among the session's partitions. Columns that the query does not
//! use are not built, and a `LIMIT` ends the reading early. `source` is the file's path in its store. In paths, DataFusion supports `*`
//! only in the file system; a table of a folder contains its files `*.xml*` there, and all files in an object store. The entries of a
//! sitemap index are not pages: a folder that contains an index needs `skip_refused`.
//!
//! The first rejected entry or document is an error of the query. With `OPTIONS (mode 'lenient')` of a `CREATE EXTERNAL TABLE`, invalid
//! values are dropped and broken XML is repaired; with `skip_refused true`, unreadable entries and documents are skipped. A table of the
//! format `sitemap_problems` over the same files lists all these cases:
//!
//! ```sql
//! CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION 'crawl/' OPTIONS (mode 'lenient', skip_refused true);
//! CREATE EXTERNAL TABLE problems STORED AS SITEMAP_PROBLEMS LOCATION 'crawl/' OPTIONS (mode 'lenient');
//! SELECT rule, count(*) FROM problems GROUP BY rule;
//! ```
//!
//! # Writing
//!
//! `COPY` writes a [set](sitemap_site::SitemapSet) and publishes it at once, and only if the whole query succeeded. The target is the set's
//! directory or its place in an object store; in a directory, the files are in `current/`. Columns have the [types](sitemap_arrow::Entries)
//! with the same meaning; `loc` is required. Other columns are an error, except the key's. One task writes a part in the order of the
//! query, so give it an `ORDER BY`.
//!
//! | option | value | default |
//! |---|---|---|
//! | `base` | URL of the site, which completes locs that are paths | required |
//! | `files_url` | URL of the files, if different from the base | the base |
//! | `section` | part of the files' names | `pages` |
//! | `key` | columns of the rows' key, separated by commas | none: parts are cut by locs |
//! | `gzip` | `true` or `false` | `false` |
//! | `max_entries` | maximum number of entries of a part | 50,000 |
//! | `on_invalid` | the reaction to a row that breaks a rule: `fail` the query, `drop` the invalid value, or `skip` the row | `fail` |
//! | `ignore_others` | ignores columns without a meaning in a sitemap | `false` |
//! | `update` | keeps other sections of the set | `false` |
//! | `allow_shrinking` | allows the set to lose more than half of its entries | `false` |
//!
//! `COPY` returns the number of entries. Skipped rows and dropped values are counted in a warning of the crate log, with the reasons of the
//! first twenty. A null loc or key always fails the query: add `WHERE loc IS NOT NULL`.
//!
//! *By several tasks.* [`Parts`] writes each partition of a query in its own task, in this process or, with the feature `proto`, in others:
//! the crate `sitemap-ballista` does it on a Ballista cluster.
//!
//! # Versions
//!
//! This crate uses DataFusion 55, and follows each of its major versions.

#[cfg(feature = "proto")]
mod codec;
mod format;
mod options;
mod parts;
mod sink;
mod source;
mod storage;
mod write;

#[cfg(feature = "proto")]
pub use codec::{SitemapLogicalCodec, SitemapPhysicalCodec, SitemapTables};
pub use format::{SitemapFormatFactory, register};
pub use parts::{Parts, PartsExec, PartsNode, PartsQueryPlanner, part_lists, parts_schema};

//! How to read and write sitemaps as batches, and how to divide the work.
//!
//! # A crawl's sitemaps
//!
//! A reader takes documents from an iterator, so that they need not be in memory together. Each has a name, which is in the column `source`; in a
//! lenient reading a name that is a URL is also what relative locs are resolved against.
//!
//! ```
//! use sitemap_arrow::{BatchReaderBuilder, Input};
//! use sitemap_serde::Mode;
//!
//! // The records of a WARC file, say.
//! let records = [
//!     ("https://example.com/sitemap.xml", b"<urlset><url><loc>/about</loc></url></urlset>".to_vec()),
//!     ("https://example.org/sitemap.xml", b"<!doctype html><title>Not found</title>".to_vec()),
//! ];
//! let mut builder = BatchReaderBuilder::new();
//! builder.mode(Mode::Lenient).skip_refused(true);
//! let mut reader = builder.read(records.into_iter().map(Input::from));
//! let mut rows = 0;
//! while let Some(batch) = reader.next() {
//!     rows += batch?.num_rows(); // or write it to a Parquet file
//!     let _problems = reader.take_problems()?; // to a file of their own
//! }
//! assert_eq!(rows, 1);
//! assert_eq!(reader.problems_left_out(), 0);
//! # Ok::<(), arrow_schema::ArrowError>(())
//! ```
//!
//! Without [`skip_refused`](crate::BatchReaderBuilder::skip_refused) the first entry or document that is refused is an error. So rows are never
//! missing without being told: either there is an error, or a row in the problems, or a count in
//! [`problems_left_out`](crate::BatchReader::problems_left_out).
//!
//! # A set from rows
//!
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::{Int64Array, RecordBatch, StringArray};
//! use sitemap_arrow::EntriesBuilder;
//! use sitemap_site::SitemapSet;
//!
//! # let folder = tempfile::tempdir()?;
//! # let root = folder.path().join("sitemaps");
//! # let batches = vec![RecordBatch::try_from_iter([
//! #     ("id", Arc::new(Int64Array::from(vec![1, 2])) as _),
//! #     ("loc", Arc::new(StringArray::from(vec!["/1", "not a URL"])) as _),
//! # ])?];
//! let set = SitemapSet::directory(&root, "https://example.com").gzip(true).open()?;
//! let mut part = set.part_writer("products", "all")?;
//! for batch in &batches {
//!     let entries = EntriesBuilder::new().key("id").build(batch)?;
//!     for (row, entry) in entries.rows().enumerate() {
//!         // A row that is refused is left out, and is in the summary.
//!         part.write_or_leave_out(entries.key(row)?.as_ref(), &entry)?;
//!     }
//! }
//! let summary = set.commit(&[part.finish()?])?;
//! assert_eq!((summary.entries, summary.left_out.count), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Entries::write_to_part`](crate::Entries::write_to_part) does the same and stops at the first refused row.
//!
//! # Files for other programs
//!
//! A [`BatchReader`](crate::BatchReader) is a `RecordBatchReader`: what writes one to Parquet (`parquet::arrow::ArrowWriter`) or Arrow IPC
//! (`arrow_ipc::writer`) writes a table that DuckDB, Polars, pandas and Spark read. The example `tables` is such a program:
//!
//! ```text
//! $ cargo run --release -p sitemap-arrow --example tables -- read pages.parquet sitemaps/*.xml.gz
//! $ duckdb -c "SELECT date_trunc('month', lastmod_at) AS month, count(*) FROM 'pages.parquet' GROUP BY month ORDER BY month"
//! $ duckdb -c "SELECT loc, image.title FROM (SELECT loc, unnest(images) AS image FROM 'pages.parquet') LIMIT 10"
//! ```

//! Reading and writing sitemaps as batches, and dividing the work.
//!
//! # A crawl's sitemaps
//!
//! A reader takes documents from an iterator, so they need not be in memory together. Each document has a name, for the column `source`; a
//! lenient reading also resolves relative locs against it if it is a URL.
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
//! assert_eq!(reader.dropped_problems(), 0);
//! # Ok::<(), arrow_schema::ArrowError>(())
//! ```
//!
//! If [`skip_refused`](crate::BatchReaderBuilder::skip_refused) is off, the first rejected entry or document is an error. Missing rows are
//! therefore always reported: by an error, by a row in the problems, or by a count in
//! [`dropped_problems`](crate::BatchReader::dropped_problems).
//!
//! # A set from rows
//!
//! ```
//! use std::sync::Arc;
//!
//! use arrow_array::{Int64Array, RecordBatch, StringArray};
//! use sitemap_arrow::EntriesBuilder;
//! use sitemap_serde::OnInvalid;
//! use sitemap_site::SitemapSet;
//!
//! # let folder = tempfile::tempdir()?;
//! # let root = folder.path().join("sitemaps");
//! # let batches = vec![RecordBatch::try_from_iter([
//! #     ("id", Arc::new(Int64Array::from(vec![1, 2])) as _),
//! #     ("loc", Arc::new(StringArray::from(vec!["/1", "not a URL"])) as _),
//! # ])?];
//! let set = SitemapSet::directory(&root, "https://example.com").on_invalid(OnInvalid::SkipEntry).open()?;
//! let mut part = set.task_writer("products", "all")?;
//! for batch in &batches {
//!     let entries = EntriesBuilder::new().key("id").build(batch)?;
//!     for (row, entry) in entries.rows().enumerate() {
//!         // A row that is refused is skipped, and is in the summary.
//!         part.write(entries.key(row)?, &entry)?;
//!     }
//! }
//! let summary = set.commit(&[part.finish()?])?;
//! assert_eq!((summary.entries, summary.skipped), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Entries::write_to_part`](crate::Entries::write_to_part) does the same and stops at the first rejected row.
//!
//! # Files for other programs
//!
//! A [`BatchReader`](crate::BatchReader) is a `RecordBatchReader`: a writer for Parquet (`parquet::arrow::ArrowWriter`) or Arrow IPC
//! (`arrow_ipc::writer`) can turn it into a table for DuckDB, Polars, pandas and Spark. The example `tables` is such a program:
//!
//! ```text
//! $ cargo run --release -p sitemap-arrow --example tables -- read pages.parquet sitemaps/*.xml.gz
//! $ duckdb -c "SELECT date_trunc('month', lastmod_at) AS month, count(*) FROM 'pages.parquet' GROUP BY month ORDER BY month"
//! $ duckdb -c "SELECT loc, image.title FROM (SELECT loc, unnest(images) AS image FROM 'pages.parquet') LIMIT 10"
//! ```
//!
//! # Several processes
//!
//! Writing needs no engine: any number of processes can write a set, on any machines that reach the same directory or object store. Each
//! writes the parts of one task and returns their list ([`TaskWriter`](sitemap_site::TaskWriter)), and one process publishes all lists
//! ([`SitemapSet::commit`](sitemap_site::SitemapSet::commit)). The rows go straight from their source to the worker; only the lists, some
//! hundred bytes for each part, go to the process that commits. A task that was killed is run again; if a task ran twice, its equal lists
//! count once.
//!
//! *From PostgreSQL*, give each process its own range of keys, so that each row is read once and each range is read along the primary key's
//! index:
//!
//! ```sql
//! -- Once: the bounds of 16 ranges with about as many rows each, from a sample.
//! SELECT percentile_disc(ARRAY(SELECT i / 16.0 FROM generate_series(1, 15) AS i)) WITHIN GROUP (ORDER BY id)
//! FROM products TABLESAMPLE SYSTEM (1);
//! -- In each process, all in one snapshot (pg_export_snapshot) if rows change meanwhile:
//! SELECT id, slug, updated FROM products WHERE id >= $1 AND id < $2 ORDER BY id;
//! ```
//!
//! Use the lower bound as the name of the task, and keep the bounds between runs: the parts of a task then stay the same, and only changed
//! ones are written. [The guide to sets](sitemap_site::guide::sets#many-workers) has the worker and the commit as a program.
//!
//! *From Spark* or any other engine that writes Parquet: let it write one file per partition, and let its workers run a command for each
//! file. The example `tables` is such a command:
//!
//! ```python
//! import os, subprocess
//!
//! frame.select("loc", "lastmod_at").write.parquet("/shared/pages", compression="uncompressed")
//! files = sorted(f"/shared/pages/{name}" for name in os.listdir("/shared/pages") if name.endswith(".parquet"))
//!
//! def part(numbered):
//!     number, file = numbered
//!     command = ["tables", "part", "/shared/public", "https://example.com", f"task-{number:06}", file]
//!     return subprocess.run(command, check=True, capture_output=True, text=True).stdout
//!
//! lists = spark.sparkContext.parallelize(list(enumerate(files)), len(files)).map(part).collect()
//! # Write each list to a file, and then: tables commit /shared/public https://example.com LIST…
//! ```
//!
//! # What a billion URLs take
//!
//! Measured with `cargo bench -p sitemap-arrow -- set FOLDER 2000000`, which used one core of a virtual machine:
//! plain entries of 190 bytes, each with a lastmod, a changefreq and a priority. 2,000,000 rows become 40 compressed parts in 4.9 s (2.4 µs a URL, 410,000 a
//! second), and these parts are read back as batches in 1.2 s (1,600,000 a second). Memory does not grow with the rows.
//!
//! The rest is arithmetic:
//!
//! | | a billion URLs |
//! |---|---|
//! | parts of 50,000 entries | 20,000, and one index of some 3 MB |
//! | XML, and compressed | 190 GB, and 24 GB to store and to serve |
//! | writing | 2,400 core seconds: 40 minutes on 1 core, 3 on 16 cores, 40 s on 4 machines of 16 |
//! | reading | 610 core seconds |
//! | publishing | one commit, which reads 20,000 lines of lists and writes the index: seconds in a directory, one request in an object store |
//!
//! The rows' source therefore decides: a database that returns 50,000 rows a second on each of 16 connections takes 21 minutes, with any
//! writer. Images and alternates make entries larger, and time and bytes grow with them.
//!
//! An index has at most 50,000 parts (P-COUNT) and lists no other indexes, so a set has at most 2,500,000,000 URLs. For more, publish
//! several sets, each in its own directory with its own index, and name each index in `robots.txt` or submit it:
//! `Sitemap: https://example.com/a/sitemap.xml`. Divide by something constant, such as a hash or range of the keys, so that no page moves
//! from one set to another.

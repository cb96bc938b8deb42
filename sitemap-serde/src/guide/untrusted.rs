//! Ten thousand sitemaps of strangers: one program that reads them all, in several threads, and reports on each.
//!
//! Documents from many sites come in every state: gzip under a wrong name, HTML error pages, truncated downloads, unescaped `&`,
//! relative locs, endless files. This program reads each of them as far as possible, in bounded memory:
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::fs::File;
//! use std::io::{self, Read};
//! use std::path::PathBuf;
//! use std::sync::Mutex;
//! use std::thread;
//!
//! use sitemap_serde::{Error, IndexEntry, Kind, Limits, Mode, ReaderBuilder, Rule};
//!
//! /// The contents of one document.
//! #[derive(Debug, Default)]
//! struct Summary {
//!     pages: u64,
//!     sitemaps: Vec<String>,
//!     /// The number of problems with each rule, repaired or not.
//!     rules: BTreeMap<Rule, u64>,
//!     has_losses: bool,
//!     /// Why the document could not be read to its end.
//!     failure: Option<String>,
//! }
//!
//! impl Summary {
//!     fn add_error(&mut self, error: &Error) {
//!         self.has_losses = true;
//!         if error.ends_reading() {
//!             self.failure = Some(error.to_string());
//!         } else if let Some(rule) = error.rule() {
//!             *self.rules.entry(rule).or_default() += 1;
//!         }
//!     }
//! }
//!
//! fn read(url: &str, body: impl Read) -> Summary {
//!     let mut reader = ReaderBuilder::new()
//!         .mode(Mode::Lenient) // repairs, and also reads text sitemaps, RSS and Atom
//!         .location(url) // resolves relative locs
//!         .limits(Limits::reading().with_entries(50_000).with_bytes(100 << 20))
//!         .from_reader(body);
//!     let mut summary = Summary::default();
//!     match reader.kind() {
//!         Ok(Kind::SitemapIndex) => {
//!             for sitemap in reader.deserialize::<IndexEntry>() {
//!                 match sitemap {
//!                     Ok(sitemap) => summary.sitemaps.push(sitemap.loc),
//!                     Err(error) => summary.add_error(&error),
//!                 }
//!             }
//!         }
//!         Ok(Kind::UrlSet) => {
//!             for page in reader.entries() {
//!                 match page {
//!                     Ok(_page) => summary.pages += 1, // store it here
//!                     Err(error) => summary.add_error(&error),
//!                 }
//!             }
//!         }
//!         Err(error) => summary.add_error(&error), // an HTML page, an empty file
//!     }
//!     for diagnostic in reader.diagnostics() {
//!         *summary.rules.entry(diagnostic.rule()).or_default() += 1;
//!         summary.has_losses |= diagnostic.is_loss();
//!     }
//!     summary
//! }
//!
//! /// Reads downloaded documents: the URL and the file of each.
//! fn read_all(downloads: Vec<(String, PathBuf)>) -> io::Result<BTreeMap<String, Summary>> {
//!     let queue = Mutex::new(downloads.into_iter());
//!     let summaries = Mutex::new(BTreeMap::new());
//!     let work = || -> io::Result<()> {
//!         loop {
//!             let next = queue.lock().unwrap().next();
//!             let Some((url, path)) = next else { return Ok(()) };
//!             let summary = read(&url, File::open(path)?);
//!             summaries.lock().unwrap().insert(url, summary);
//!         }
//!     };
//!     thread::scope(|scope| {
//!         let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
//!         threads.into_iter().try_for_each(|thread| thread.join().unwrap())
//!     })?;
//!     Ok(summaries.into_inner().unwrap())
//! }
//!
//! /// A line for each document.
//! fn report(summaries: &BTreeMap<String, Summary>) -> String {
//!     let mut text = String::new();
//!     for (url, summary) in summaries {
//!         let rules: Vec<String> = summary.rules.iter().map(|(rule, count)| format!("{rule} ×{count}")).collect();
//!         text += &format!("{url}: {} pages, {} sitemaps", summary.pages, summary.sitemaps.len());
//!         if !rules.is_empty() {
//!             text += &format!(", {}", rules.join(" "));
//!         }
//!         if summary.has_losses {
//!             text += ", with losses";
//!         }
//!         if let Some(failure) = &summary.failure {
//!             text += &format!("; failed: {failure}");
//!         }
//!         text += "\n";
//!     }
//!     text
//! }
//! #
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! #     let folder = std::env::temp_dir().join(format!("sitemap-serde-untrusted-{}", std::process::id()));
//! #     std::fs::create_dir_all(&folder)?;
//! #     let endless = format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}", "<url><loc>https://d.example/</loc></url>".repeat(50_001));
//! #     let mut downloads = Vec::new();
//! #     for (url, body) in [
//! #         ("https://a.example/sitemap.xml", "<urlset><url><loc>/?a&b</loc></url><url><loc>/cut</loc><lastm"),
//! #         ("https://b.example/sitemap.xml", "<!doctype html><title>Not found</title>"),
//! #         ("https://c.example/sitemap.xml", "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>https://c.example/1.xml</loc></sitemap></sitemapindex>"),
//! #         ("https://d.example/sitemap.xml", &endless),
//! #         ("https://e.example/sitemap.txt", "https://e.example/\nhttps://e.example/about\n"),
//! #     ] {
//! #         let path = folder.join(downloads.len().to_string());
//! #         std::fs::write(&path, body)?;
//! #         downloads.push((url.to_owned(), path));
//! #     }
//! #     let text = report(&read_all(downloads)?);
//! #     std::fs::remove_dir_all(&folder)?;
//! #     let shown = "
//! # https://a.example/sitemap.xml: 2 pages, 0 sitemaps, XML ×1 P-NS ×1 P-ESC ×1 P-LOC ×2, with losses
//! # https://b.example/sitemap.xml: 0 pages, 0 sitemaps, with losses; failed: this is an HTML page with the title `Not found`,
//! #     not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page,
//! #     at line 1, column 16 (byte 15)
//! # https://c.example/sitemap.xml: 0 pages, 1 sitemaps
//! # https://d.example/sitemap.xml: 50000 pages, 0 sitemaps, with losses; failed: more than 50,000 `url` entries,
//! #     which is the limit (P-COUNT); split the file, or raise the limit with `Limits::with_entries`,
//! #     at line 1, column 2000061 (byte 2000060), entry 50001
//! # https://e.example/sitemap.txt: 2 pages, 0 sitemaps
//! # ";
//! #     assert_eq!(text.trim(), shown.trim().replace("\n    ", " "));
//! #     Ok(())
//! # }
//! ```
//!
//! For five documents, the report is (long lines are broken here):
//!
//! ```text
//! https://a.example/sitemap.xml: 2 pages, 0 sitemaps, XML ×1 P-NS ×1 P-ESC ×1 P-LOC ×2, with losses
//! https://b.example/sitemap.xml: 0 pages, 0 sitemaps, with losses; failed: this is an HTML page with the title `Not found`,
//!     not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page,
//!     at line 1, column 16 (byte 15)
//! https://c.example/sitemap.xml: 0 pages, 1 sitemaps
//! https://d.example/sitemap.xml: 50000 pages, 0 sitemaps, with losses; failed: more than 50,000 `url` entries,
//!     which is the limit (P-COUNT); split the file, or raise the limit with `Limits::with_entries`,
//!     at line 1, column 2000061 (byte 2000060), entry 50001
//! https://e.example/sitemap.txt: 2 pages, 0 sitemaps
//! ```
//!
//! # The decisions in it
//!
//! - **Lenient mode** keeps everything that can be read, and returns a [`Diagnostic`](crate::Diagnostic) for each repair.
//!   [`is_loss`](crate::Diagnostic::is_loss) separates harmless repairs from lost values. Here `a.example` has an unescaped `&`, two
//!   relative locs, and a truncated end. See [`lenient`](super::lenient) for all repairs. For a strict check, use
//!   [`Mode::Strict`](crate::Mode::Strict), or the [lint](super::linting).
//! - **The location** is the URL of the document after redirects. Relative locs are resolved against it.
//! - **Dispatch** by [`kind`](crate::Reader::kind): an index has sitemaps to download next, everything else has pages. Text sitemaps
//!   and feeds count as urlsets.
//! - **Limits.** [`Limits::reading`](crate::Limits::reading) bounds the memory of each entry. `with_entries` and `with_bytes` end an
//!   endless document or a gzip bomb; bytes are counted after decompression. Each thread needs the memory of one entry, not of a
//!   document.
//! - **Failures.** An error in an entry skips the entry. Reading ends at an error with
//!   [`ends_reading`](crate::Error::ends_reading), such as a limit or an HTML page; earlier pages stay valid.
//! - **Threads.** A reader is independent of all others, so threads only share the queue and the results.
//!
//! With the feature `gzip`, compressed documents are recognised by their content. With `encoding`, all encodings of the web are read.
//!
//! To download the documents as well, use the crate `sitemap-tree`: it walks a site's `robots.txt`, indexes and sitemaps with
//! your HTTP client, and refuses private addresses. The command does both: `sitemap cat https://example.com/ --site`.

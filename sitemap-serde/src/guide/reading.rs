//! Reading sitemaps.
//!
//! [`Reader::entries`](crate::Reader::entries) returns the entries of a urlset one by one, in constant memory, with every value
//! checked:
//!
//! ```
//! use sitemap_serde::{ChangeFreq, Reader};
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/</loc><changefreq>daily</changefreq></url>
//!   <url><loc>https://example.com/?a=1&amp;b=2</loc><lastmod>2026-05-01</lastmod></url>
//! </urlset>"#;
//!
//! let mut reader = Reader::from_reader(xml.as_bytes()); // a file, a response, anything that implements `Read`
//! let mut entries = reader.entries();
//! let home = entries.next().unwrap()?;
//! assert_eq!((home.loc.as_str(), home.changefreq), ("https://example.com/", Some(ChangeFreq::Daily)));
//! let page = entries.next().unwrap()?;
//! assert_eq!(page.loc, "https://example.com/?a=1&b=2");
//! assert_eq!(page.lastmod.unwrap().year(), 2026);
//! assert!(entries.next().is_none());
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! The input needs no `BufReader`: the reader reads large blocks.
//!
//! # Four ways to read
//!
//! | function | returns |
//! |---|---|
//! | [`entries`](crate::Reader::entries) | a [`UrlEntry`](crate::UrlEntry) for each page, with images, videos, news, alternates |
//! | [`deserialize`](crate::Reader::deserialize) | your own structs, by serde; see [`serde_mapping`](super::serde_mapping) |
//! | [`read`](crate::Reader::read) | your own structs, including fields that are part of the loc, by `#[derive(FromSitemapEntry)]` |
//! | [`read_record`](crate::Reader::read_record) | a [`Record`](crate::Record) that is reused for all entries: the fastest; values are parsed on request |
//!
//! A document that fits in memory can become one value: [`from_str`](crate::from_str()) and [`from_reader`](crate::from_reader) return a
//! `Vec` of entries, a [`UrlSet`](crate::UrlSet), a [`SitemapIndex`](crate::SitemapIndex), or a [`Document`](crate::Document), which is
//! either.
//!
//! # Urlset or index
//!
//! [`kind`](crate::Reader::kind) reads up to the root element and returns the document's kind:
//!
//! ```
//! use sitemap_serde::{IndexEntry, Kind, Reader};
//!
//! let xml = r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <sitemap><loc>https://example.com/1.xml.gz</loc><lastmod>2026-05-01</lastmod></sitemap>
//! </sitemapindex>"#;
//! let mut reader = Reader::from_str(xml);
//! match reader.kind()? {
//!     Kind::SitemapIndex => {
//!         for sitemap in reader.deserialize::<IndexEntry>() {
//!             assert_eq!(sitemap?.loc, "https://example.com/1.xml.gz");
//!         }
//!     }
//!     Kind::UrlSet => {
//!         for page in reader.entries() {
//!             println!("{}", page?.loc);
//!         }
//!     }
//! }
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # As fast as possible
//!
//! ```
//! use sitemap_serde::{Reader, Record};
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/a</loc><lastmod>2026-05-01</lastmod></url>
//!   <url><loc>https://example.com/b</loc><lastmod>soon</lastmod></url>
//! </urlset>"#;
//! let mut reader = Reader::from_str(xml);
//! let mut record = Record::new(); // its buffers are reused
//! let mut locs = Vec::new();
//! while reader.read_record(&mut record)? {
//!     locs.push(record.loc().to_owned());
//!     if record.number() == 2 {
//!         assert_eq!(record.get("lastmod"), Some("soon")); // the text, not checked
//!         assert!(record.lastmod().is_err()); // checked here
//!         assert_eq!(record.source(), "<url><loc>https://example.com/b</loc><lastmod>soon</lastmod></url>");
//!     }
//! }
//! assert_eq!(locs, ["https://example.com/a", "https://example.com/b"]);
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Errors, and how to continue
//!
//! An [`Error`](crate::Error) contains the rejected text, the allowed values and the position. After an error in an entry the iterator
//! continues with the next entry. If [`ends_reading`](crate::Error::ends_reading) returns `true`, reading ends: the document is truncated,
//! is not well-formed XML, or is not a sitemap.
//!
//! ```
//! use sitemap_serde::{Reader, Rule};
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/a</loc><priority>high</priority></url>
//!   <url><loc>https://example.com/b</loc></url>
//!   <url><loc>https://exam"#;
//! let (mut locs, mut refused) = (Vec::new(), Vec::new());
//! let mut reader = Reader::from_str(xml);
//! for entry in reader.entries() {
//!     match entry {
//!         Ok(entry) => locs.push(entry.loc),
//!         Err(error) if error.ends_reading() => {
//!             assert_eq!(error.kind(), sitemap_serde::ErrorKind::Eof);
//!             break;
//!         }
//!         Err(error) => refused.push(error),
//!     }
//! }
//! assert_eq!(locs, ["https://example.com/b"]);
//! assert_eq!(refused[0].rule(), Some(Rule::Prio));
//! assert_eq!(
//!     refused[0].to_string(),
//!     "`high` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field \
//!      out, at line 2, column 50 (byte 110), entry 1 · priority"
//! );
//! ```
//!
//! To keep an entry without its invalid values, use [`entries().with_diagnostics()`](crate::iter::Entries::with_diagnostics). For documents
//! that are not well-formed, use [lenient mode](super::lenient).
//!
//! # Some of the entries
//!
//! A [`Filter`](crate::Filter) chooses entries by their lastmods and locs. The reader skips the others before their values are checked, in
//! every way of reading. The filter counts them:
//!
//! ```
//! use sitemap_serde::{Filter, Reader};
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/a</loc><lastmod>2026-05-20</lastmod></url>
//!   <url><loc>https://example.com/b</loc><lastmod>2024-01-01</lastmod></url>
//!   <url><loc>https://example.com/c</loc></url>
//! </urlset>"#;
//! let filter = Filter::new().since("2026-05-01".parse()?).undated(false);
//! let mut reader = Reader::from_str(xml);
//! reader.filter(filter.clone());
//! assert_eq!(reader.entries().count(), 1);
//! assert_eq!(filter.skipped(), 2);
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Gzip and encodings
//!
//! With the feature `gzip`, every function that reads bytes recognises compressed documents by their first bytes, whatever the file name.
//! With the feature `encoding`, a document may be in UTF-16, or in any encoding of the [Encoding
//! Standard](https://encoding.spec.whatwg.org/#names-and-labels) that its XML declaration names; byte positions in errors refer to the
//! document's text in UTF-8. If the feature is off, such a document is an error that names its encoding (P-UTF8).
//!
//! # Untrusted sitemaps
//!
//! The default settings are safe for untrusted documents. Memory is bounded by the largest entry, not by the document:
//! [`Limits::reading`](crate::Limits::reading) limits nesting, names, attributes, texts and entries, and the text that the entities of a
//! DOCTYPE expand to. URLs and entities in a document are never opened or fetched. The number of entries and bytes is unlimited, since many
//! sitemaps exceed the protocol's limits; set limits for compressed documents from untrusted sources:
//!
//! ```
//! use sitemap_serde::{ErrorKind, Limits, ReaderBuilder};
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/a</loc></url>
//!   <url><loc>https://example.com/b</loc></url>
//!   <url><loc>https://example.com/c</loc></url>
//! </urlset>"#;
//! let mut builder = ReaderBuilder::new();
//! builder.limits(Limits::reading().with_entries(2).with_bytes(50 << 20)); // bytes are counted after decompression
//! let outcomes: Vec<_> = builder.from_str(xml).entries().collect();
//! assert_eq!(outcomes.len(), 3); // two entries and the error
//! assert_eq!(outcomes[2].as_ref().unwrap_err().kind(), ErrorKind::Limit);
//! ```
//!
//! A loc may be any absolute URL. Your program must decide if it is safe to fetch: its scheme, its host, an address in your own network.

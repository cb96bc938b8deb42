//! Writing sitemaps.
//!
//! [`entries_to_string`](crate::entries_to_string) makes a whole document of rows in one call:
//!
//! ```
//! use sitemap_serde::{UrlEntry, WriterBuilder};
//!
//! let pages = ["/", "/about", "/caf\u{e9} & bar"].map(UrlEntry::new);
//! let xml = WriterBuilder::new().base("https://example.com").entries_to_string(&pages)?;
//! assert_eq!(
//!     xml,
//!     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
//!      <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
//!      <url><loc>https://example.com/</loc></url>\
//!      <url><loc>https://example.com/about</loc></url>\
//!      <url><loc>https://example.com/caf%C3%A9%20&amp;%20bar</loc></url></urlset>"
//! );
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! A row is any type with [`SitemapEntry`](trait@crate::SitemapEntry), which is usually derived. Beside it there are
//! [`entries_to_vec`](crate::WriterBuilder::entries_to_vec), [`entries_to_writer`](crate::WriterBuilder::entries_to_writer), and all
//! three with `try_` for rows that come as results, as a database's cursor gives them. Types that implement serde's
//! `Serialize` are written by [`to_string`](crate::to_string()) and [`Writer::serialize`](crate::Writer::serialize).
//!
//! # Row by row
//!
//! A [`Writer`](crate::Writer) takes one row at a time, in constant memory. [`finish`](crate::Writer::finish) closes the
//! document, and nothing else does: after an early return the file has no end tag, and no reader takes it for complete.
//!
//! ```
//! use sitemap_serde::{UrlEntry, Writer};
//!
//! let mut writer = Writer::from_writer(Vec::new()); // or `Writer::from_path("sitemap.xml.gz")`
//! writer.write(&UrlEntry::new("https://example.com/"))?;
//!
//! // A row that breaks a rule is an error that says which; the document goes on without it.
//! let refused = writer.write(&UrlEntry::new("/about")).unwrap_err();
//! assert_eq!((refused.path(), refused.rule()), (Some("entry 2 · loc"), Some(sitemap_serde::Rule::Loc)));
//!
//! writer.write(&UrlEntry::new("https://example.com/contact"))?;
//! assert_eq!(writer.len(), 2);
//! assert!(writer.finish()?.ends_with(b"</urlset>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! A row is checked whole before a byte of it is written. Which rules there are is in the table of [`Rule`](crate::Rule).
//!
//! # Bases and locations
//!
//! | setting | what |
//! |---|---|
//! | [`base`](crate::WriterBuilder::base) | where the application is mounted: paths are appended to it, other sites are refused (P-HOST) |
//! | [`location`](crate::WriterBuilder::location) | the document's own address: pages outside of its directory are refused (P-PATH) |
//! | [`cross_submission`](crate::WriterBuilder::cross_submission) | lifts both, where robots.txt of the other site names the sitemap |
//! | [`encoding`](crate::WriterBuilder::encoding) | the encoding that the server decodes its URLs by, if it is not UTF-8 (feature `encoding`) |
//! | [`pretty`](crate::WriterBuilder::pretty) | indented |
//! | [`stylesheet`](crate::WriterBuilder::stylesheet) | what a browser shows the document with |
//!
//! [`check`](crate::WriterBuilder::check) tells a wrong setting when the program starts, and not from the first row.
//! The document itself is in UTF-8 always; what a URL cannot hold is percent-encoded, and what is encoded already stays as it is.
//!
//! # Full documents
//!
//! A document has at most 50,000 entries and 52,428,800 bytes. The row that has no room is an error of
//! [`Category::Limit`](crate::Category::Limit), and goes to the next document:
//!
//! ```
//! use sitemap_serde::{Category, IndexEntry, Limits, UrlEntry, WriterBuilder};
//!
//! let mut builder = WriterBuilder::new();
//! builder.base("https://example.com").limits(Limits::writing().with_entries(2)); // 50,000 if it is not said
//!
//! let mut files = Vec::new();
//! let mut writer = builder.from_writer(Vec::new());
//! for page in (1..=5).map(|number| UrlEntry::new(format!("/{number}"))) {
//!     match writer.write(&page) {
//!         Err(full) if full.category() == Category::Limit && !writer.is_empty() => {
//!             files.push(writer.finish()?);
//!             writer = builder.from_writer(Vec::new());
//!             writer.write(&page)?;
//!         }
//!         written => written?,
//!     }
//! }
//! files.push(writer.finish()?);
//! assert_eq!(files.len(), 3);
//!
//! // The first entry says that this one is an index.
//! let sitemaps = (1..=files.len()).map(|number| IndexEntry::new(format!("/sitemap-{number}.xml")));
//! let index = WriterBuilder::new().base("https://example.com").entries_to_string(sitemaps)?;
//! assert!(index.ends_with("<sitemap><loc>https://example.com/sitemap-3.xml</loc></sitemap></sitemapindex>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! The crate `sitemap-site` does that for whole sites: files that are replaced together, or served from a database.
//!
//! # Rows of several entries
//!
//! A row may be several pages, such as one for each language. They stand in one document, all of them or none.
//! [`write_row`](crate::Writer::write_row) returns how many they were:
//!
//! ```
//! use sitemap_serde::{Result, SitemapEntry, WriterBuilder, convert::EntryWriter};
//!
//! struct Article {
//!     slug: &'static str,
//! }
//!
//! impl SitemapEntry for Article {
//!     fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
//!         entry.each(["de", "en"], |language, entry| {
//!             entry.loc_template(|loc| {
//!                 loc.literal("/")?;
//!                 loc.simple("language", language)?;
//!                 loc.literal("/")?;
//!                 loc.simple("slug", self.slug) // percent-encoded
//!             })
//!         })
//!     }
//! }
//!
//! let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
//! assert_eq!(writer.write_row(&Article { slug: "a/b" })?, 2);
//! let xml = String::from_utf8(writer.finish()?).unwrap();
//! assert!(xml.contains("<loc>https://example.com/de/a%2Fb</loc>"));
//! assert!(xml.contains("<loc>https://example.com/en/a%2Fb</loc>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! The derive writes that code, and the links between the languages, by `languages("de", "en")`.

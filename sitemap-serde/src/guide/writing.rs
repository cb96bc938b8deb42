//! Writing sitemaps.
//!
//! [`entries_to_string`](crate::entries_to_string) writes rows as a whole document in one call:
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
//! A row is any type with [`SitemapEntry`](trait@crate::SitemapEntry), which is usually derived, or a `Result` of it, as database cursors
//! return. [`entries_to_writer`](crate::WriterBuilder::entries_to_writer) writes to a file. [`to_string`](crate::to_string()) and
//! [`Writer::serialize`](crate::Writer::serialize) write types with serde's `Serialize`.
//!
//! # Images, videos, languages
//!
//! [`UrlEntry`](crate::UrlEntry) has every element of the extensions. The [derive](super::deriving) has keys for all of them except page
//! maps:
//!
//! ```
//! use sitemap_serde::{Alternate, Image, UrlEntry, Video};
//!
//! let mut entry = UrlEntry::new("https://example.com/lamp");
//! entry.images.push(Image::new("https://cdn.example.net/lamp.jpg"));
//! entry.alternates.push(Alternate::new("de", "https://example.com/de/lampe"));
//! let mut video = Video::player("https://example.com/player?v=1") // or `Video::content` with the URL of the file
//!     .with_thumbnail("https://example.com/1.jpg")
//!     .with_title("A lamp")
//!     .with_description("How to change its bulb");
//! video.duration = Some(90);
//! entry.videos.push(video);
//! let xml = sitemap_serde::to_string(&[entry])?;
//! assert!(xml.contains("<video:player_loc>https://example.com/player?v=1</video:player_loc><video:duration>90</video:duration>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Row by row
//!
//! A [`Writer`](crate::Writer) takes one row at a time, in constant memory. Only [`finish`](crate::Writer::finish) closes the
//! document: after an early return the file lacks the root's end tag, and every reader rejects it as incomplete.
//!
//! ```
//! use sitemap_serde::{UrlEntry, Writer};
//!
//! let mut writer = Writer::from_writer(Vec::new()); // or `Writer::from_path("sitemap.xml.gz")`
//! writer.write(&UrlEntry::new("https://example.com/"))?;
//!
//! // A row that breaks a rule is an error that names the rule; the document continues without the row.
//! let refused = writer.write(&UrlEntry::new("/about")).unwrap_err();
//! assert_eq!((refused.path(), refused.rule()), (Some("entry 2 · loc"), Some(sitemap_serde::Rule::Loc)));
//!
//! writer.write(&UrlEntry::new("https://example.com/contact"))?;
//! assert_eq!(writer.summary().entries, 2);
//! assert!(writer.finish()?.ends_with(b"</urlset>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! A row is checked completely before any of it is written. [`Rule`](crate::Rule) has a table of the rules.
//!
//! # Bases and locations
//!
//! | setting | effect |
//! |---|---|
//! | [`base`](crate::WriterBuilder::base) | the URL where the application is mounted: paths are appended to it, pages of other sites are an error (P-HOST) |
//! | [`location`](crate::WriterBuilder::location) | the document's own location: pages outside its directory are an error (P-PATH) |
//! | [`cross_submission`](crate::WriterBuilder::cross_submission) | lifts both restrictions, for sites whose robots.txt names the sitemap |
//! | [`encoding`](crate::WriterBuilder::encoding) | the encoding of the server's URLs, if it is not UTF-8 (feature `encoding`) |
//! | [`namespace`](crate::WriterBuilder::namespace) | the prefix of a namespace of your own, for [elements in it](super::own_extensions) |
//! | [`lastmod_precision`](crate::WriterBuilder::lastmod_precision) | truncates lastmods to this precision |
//! | [`check_alternates`](crate::WriterBuilder::check_alternates) | an entry with alternates must be among them, and each language may occur once (P-ALT3) |
//! | [`on_invalid`](crate::WriterBuilder::on_invalid) | drops an invalid value, or skips its row, instead of returning the error; [`on_problem`](crate::WriterBuilder::on_problem) receives each error |
//! | [`pretty`](crate::WriterBuilder::pretty) | indents the document |
//! | [`stylesheet`](crate::WriterBuilder::stylesheet) | the stylesheet for browsers |
//!
//! [`check`](crate::WriterBuilder::check) reports a wrong setting at the start of a program, before the first row is written. The document
//! itself is always in UTF-8. Characters that a URL cannot contain are percent-encoded; existing percent-encoding is preserved.
//!
//! ```
//! use sitemap_serde::{Alternate, Precision, Rule, UrlEntry, WriterBuilder};
//!
//! let mut builder = WriterBuilder::new();
//! builder.base("https://example.com").lastmod_precision(Precision::Day).check_alternates(true);
//!
//! let mut page = UrlEntry::new("/en/lamp");
//! page.lastmod = Some("2024-05-06T07:08:09.123456Z".parse()?);
//! page.alternates = vec![Alternate::new("de", "/de/lampe")];
//! assert_eq!(builder.to_entries(&page).unwrap_err().rule(), Some(Rule::Alt3)); // the page itself is missing
//!
//! page.alternates.push(Alternate::new("en", "/en/lamp"));
//! assert_eq!(builder.to_entries(&page)?[0].lastmod, Some("2024-05-06".parse()?));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Full documents
//!
//! A document has at most 50,000 entries and 52,428,800 bytes. If you name an [`engine`](crate::WriterBuilder::engine) that reads less,
//! such as Baidu, its limits apply. Writing a row to a full document is an error of the kind [`Limit`](crate::ErrorKind::Limit); the row
//! belongs in the next document:
//!
//! ```
//! use sitemap_serde::{ErrorKind, IndexEntry, Limits, UrlEntry, WriterBuilder};
//!
//! let mut builder = WriterBuilder::new();
//! builder.base("https://example.com").limits(Limits::writing().with_entries(2)); // default: 50,000
//!
//! let mut files = Vec::new();
//! let mut writer = builder.from_writer(Vec::new());
//! for page in (1..=5).map(|number| UrlEntry::new(format!("/{number}"))) {
//!     match writer.write(&page) {
//!         Err(full) if full.kind() == ErrorKind::Limit && writer.summary().entries > 0 => {
//!             files.push(writer.finish()?);
//!             writer = builder.from_writer(Vec::new());
//!             writer.write(&page)?;
//!         }
//!         written => drop(written?),
//!     }
//! }
//! files.push(writer.finish()?);
//! assert_eq!(files.len(), 3);
//!
//! // The first entry is an `IndexEntry`, so this document is an index.
//! let sitemaps = (1..=files.len()).map(|number| IndexEntry::new(format!("/sitemap-{number}.xml")));
//! let index = WriterBuilder::new().base("https://example.com").entries_to_string(sitemaps)?;
//! assert!(index.ends_with("<sitemap><loc>https://example.com/sitemap-3.xml</loc></sitemap></sitemapindex>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! The crate `sitemap-site` does this for whole sites, as files that are replaced together or served from a database.
//!
//! # Rows with several entries
//!
//! A row may have several entries, for example one for each language. They are all written to the same document, or none is.
//! [`write`](crate::Writer::write) returns their number:
//!
//! ```
//! use sitemap_serde::convert::encode_segment;
//! use sitemap_serde::{EntryWriter, Result, SitemapEntry, WriterBuilder};
//!
//! struct Article {
//!     slug: &'static str,
//! }
//!
//! impl SitemapEntry for Article {
//!     fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
//!         entry.each(["de", "en"], |language, entry| {
//!             entry.loc(format!("/{language}/{}", encode_segment(self.slug)))
//!         })
//!     }
//! }
//!
//! let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
//! assert_eq!(writer.write(&Article { slug: "a/b" })?, 2);
//! let xml = String::from_utf8(writer.finish()?).unwrap();
//! assert!(xml.contains("<loc>https://example.com/de/a%2Fb</loc>"));
//! assert!(xml.contains("<loc>https://example.com/en/a%2Fb</loc>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! With `languages("de", "en")`, the derive generates this code and the links between the languages.

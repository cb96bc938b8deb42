//! Text sitemaps, feeds, and `robots.txt`.
//!
//! Search engines take more than the XML of the protocol: a text file with one URL a line, RSS and Atom feeds. A
//! [`Reader`](crate::Reader) gives their links as the entries of a urlset, where
//! [`ReaderBuilder::other_formats`](crate::ReaderBuilder::other_formats) asks for it or in a [lenient](super::lenient) reading:
//!
//! ```
//! use sitemap_serde::ReaderBuilder;
//! use sitemap_serde::format::Format;
//!
//! let atom = r#"<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.com/">
//!   <title>News</title>
//!   <entry>
//!     <title>First</title>
//!     <link href="/news/1" />
//!     <link rel="enclosure" href="/news/1.mp3" />
//!     <updated>2026-05-01T10:00:00Z</updated>
//!   </entry>
//! </feed>"#;
//! let mut reader = ReaderBuilder::new().other_formats(true).from_str(atom);
//! assert_eq!(reader.format()?, Format::Atom);
//! let entry = reader.entries().next().unwrap()?;
//! assert_eq!(entry.loc, "https://example.com/news/1");
//! assert_eq!(entry.lastmod.unwrap().to_string(), "2026-05-01T10:00:00Z");
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! | format | an entry is | loc | lastmod |
//! |---|---|---|---|
//! | text | a line that is not blank | the line | none |
//! | RSS 2.0 and 0.9x | `item` | `link`, else a `guid` that is one | `pubDate`, else `dcterms:modified`, `atom:updated`, `dc:date` |
//! | RSS 1.0 and 0.90 | `item` | `link` | `dcterms:modified`, else `dc:date` |
//! | Atom 1.0 and 0.3 | `entry` | the first `link` without `rel` or with `alternate`, by `xml:base` | `updated` or `modified`, else `published`, `issued`, `created` |
//!
//! The dates of RSS become W3C Datetimes; of one whose zone cannot be told the day is left. Everything else in a feed is passed over, the
//! link of the feed itself too. An item without a link, and a line that is no URL (P-TXT1), is an error of its own, and the next one is
//! read; in a lenient reading it is a diagnostic. All ways of reading give the same: [`entries`](crate::Reader::entries),
//! [`deserialize`](crate::Reader::deserialize), [`read_record`](crate::Reader::read_record).
//!
//! # What a document is
//!
//! [`sniff`](crate::format::sniff) says what a document is by its first bytes, without reading it:
//!
//! ```
//! use sitemap_serde::format::{Format, sniff};
//!
//! assert_eq!(sniff(b"\n<?xml version=\"1.0\"?><sitemapindex>"), Format::SitemapIndex);
//! assert_eq!(sniff(b"https://example.com/"), Format::Text);
//! assert_eq!(sniff(b"<!DOCTYPE html>"), Format::Html);
//! ```
//!
//! # Writing text
//!
//! [`TextWriter`](crate::format::TextWriter) writes the locs of rows, encoded and checked as in XML, and holds them to the protocol's 50,000
//! lines and 52,428,800 bytes (P-TXT2):
//!
//! ```
//! use sitemap_serde::{SitemapEntry, WriterBuilder};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/products/{slug}")]
//! struct Product {
//!     slug: &'static str,
//! }
//!
//! let mut writer = WriterBuilder::new().base("https://example.com").text_from_writer(Vec::new());
//! writer.write(&Product { slug: "lamp" })?;
//! writer.write(&Product { slug: "big chair" })?;
//! assert_eq!(
//!     String::from_utf8(writer.finish()?).unwrap(),
//!     "https://example.com/products/lamp\nhttps://example.com/products/big%20chair\n"
//! );
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # robots.txt
//!
//! A site says where its sitemaps are in its `robots.txt`. [`Robots`](crate::robots::Robots) finds them, wherever they stand in it, and says
//! which pages are blocked (RFC 9309):
//!
//! ```
//! use sitemap_serde::robots::Robots;
//!
//! let robots = Robots::parse(b"\xEF\xBB\xBFUser-agent: *\r\nDisallow: /*?sort=\r\nsitemap: https://example.com/sitemap.xml # all\r\n");
//! assert_eq!(robots.sitemaps().collect::<Vec<_>>(), ["https://example.com/sitemap.xml"]);
//! assert!(!robots.allows("Googlebot", "https://example.com/lamps?sort=price"));
//! ```
//!

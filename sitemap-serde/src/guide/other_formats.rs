//! Text sitemaps, feeds, and `robots.txt`.
//!
//! Search engines accept more than XML sitemaps: text files with one URL per line, RSS and Atom feeds. A
//! [`Reader`](crate::Reader) returns their links as the entries of a urlset if
//! [`ReaderBuilder::other_formats`](crate::ReaderBuilder::other_formats) is set, and always in [lenient](super::lenient) mode:
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
//! | format | entry | loc | lastmod |
//! |---|---|---|---|
//! | text | a line that is not blank | the line | none |
//! | RSS 2.0 and 0.9x | `item` | `link`, else a `guid` that is a permalink | `pubDate`, else `dcterms:modified`, `atom:updated`, `dc:date` |
//! | RSS 1.0 and 0.90 | `item` | `link` | `dcterms:modified`, else `dc:date` |
//! | Atom 1.0 and 0.3 | `entry` | the first `link` without `rel` or with `rel="alternate"`, resolved against `xml:base` | `updated` or `modified`, else `published`, `issued`, `created` |
//!
//! RSS dates become W3C Datetimes; if the time zone is unknown, only the date is kept. The rest of a feed is ignored, including the feed's
//! own link. An `item` or `entry` inside an element of another format, or in the content of an item, does not belong to the feed. An item
//! without a link, or a line that is not a URL (P-TXT1), is an error, and the next call continues after it; in lenient mode it is a
//! diagnostic. A line with a raw space, or with an unfilled placeholder `{{ … }}`, is not a URL either. Lenient mode reads
//! `https://example.com/ 2026-05-01 daily 0.8` as a loc with its lastmod, changefreq and priority, if every word after the URL is one of
//! these. In a line with tabs, it reads the URL before the first tab. [`entries`](crate::Reader::entries),
//! [`deserialize`](crate::Reader::deserialize) and [`read_record`](crate::Reader::read_record) see the same entries.
//!
//! A text whose lines are all URLs is a text sitemap, since URLs may contain commas and semicolons: `/@52.5,13.4`, `/news;2026-05-01`. A
//! text with other lines, such as one that names columns, is rejected as CSV (P-TXT1) if in at least three of four lines, or all but one, a
//! date, a change frequency or a URL follows the URL after a `,` or `;`. It is also rejected if these lines contain only values of a sitemap.
//! Numbers without a point do not count as such values, since paths have them too.
//!
//! # Detecting the format
//!
//! [`sniff`](crate::format::sniff) detects the format of a document from its first bytes:
//!
//! ```
//! use sitemap_serde::format::{Format, sniff};
//!
//! assert_eq!(sniff(b"\n<?xml version=\"1.0\"?><sitemapindex>"), Format::SitemapIndex);
//! assert_eq!(sniff(b"https://example.com/"), Format::Text);
//! assert_eq!(sniff(b"loc,lastmod\nhttps://example.com/,2026-05-01"), Format::Csv);
//! assert_eq!(sniff(b"<!DOCTYPE html>"), Format::Html);
//! ```
//!
//! # Writing text
//!
//! A writer made by [`text_from_writer`](crate::WriterBuilder::text_from_writer) writes the locs of rows, encoded and checked as in XML,
//! within the protocol's limits of 50,000 lines and 52,428,800 bytes (P-TXT2):
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
//! A site lists its sitemaps in its `robots.txt`. [`Robots`](crate::robots::Robots) finds them anywhere in the file, and also the pages
//! that are blocked (RFC 9309):
//!
//! ```
//! use sitemap_serde::robots::Robots;
//!
//! let robots = Robots::parse(b"\xEF\xBB\xBFUser-agent: *\r\nDisallow: /*?sort=\r\nsitemap: https://example.com/sitemap.xml # all\r\n");
//! assert_eq!(robots.sitemaps().collect::<Vec<_>>(), ["https://example.com/sitemap.xml"]);
//! assert!(!robots.allows("Googlebot", "https://example.com/lamps?sort=price"));
//! ```
//!

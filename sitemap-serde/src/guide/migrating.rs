//! Coming from another library: names here and there, and the differences.
//!
//! # From sitemap 0.4
//!
//! | there | here |
//! |---|---|
//! | `SiteMapReader::new(file)` | [`Reader::from_reader`](crate::Reader::from_reader), or [`from_path`](crate::Reader::from_path) |
//! | `SiteMapEntity::Url`, `SiteMap`, `Err` | [`Reader::kind`](crate::Reader::kind) for the document; each entry is a [`Result`](crate::Result) |
//! | `Location::Url`, `ParseErr` | a loc is a checked `String`; `url::Url` with the feature `url2` |
//! | `LastMod`, `Priority`, `ChangeFreq`, each with a `ParseErr` | `Option`s; an invalid value is an [`Error`](crate::Error), or a diagnostic by [`with_diagnostics`](crate::iter::Entries::with_diagnostics) |
//! | `SiteMapWriter::new(out).start_urlset()`, `url`, `end` | [`Writer::from_writer`](crate::Writer::from_writer), [`write`](crate::Writer::write), [`finish`](crate::Writer::finish) |
//!
//! Elements are recognised by their namespace, not only by their local names. Documents without any namespace are read as sitemaps; if the
//! namespace is wrong, use [lenient mode](super::lenient).
//!
//! ```
//! use sitemap_serde::{IndexEntry, Kind, Reader};
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/</loc><lastmod>yesterday</lastmod></url>
//! </urlset>"#;
//! let mut reader = Reader::from_reader(xml.as_bytes());
//! let (mut urls, mut problems) = (Vec::new(), Vec::new());
//! match reader.kind()? {
//!     Kind::UrlSet => {
//!         for entry in reader.entries().with_diagnostics() {
//!             let (entry, diagnostics) = entry?;
//!             urls.push(entry.loc);
//!             problems.extend(diagnostics);
//!         }
//!     }
//!     Kind::SitemapIndex => {
//!         for sitemap in reader.deserialize::<IndexEntry>() {
//!             urls.push(sitemap?.loc);
//!         }
//!     }
//! }
//! assert_eq!((urls.len(), problems.len()), (1, 1)); // the page is kept, without its lastmod
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # From sitemap-rs 0.7
//!
//! | there | here |
//! |---|---|
//! | `Url::builder(location).priority(0.69).build()` | [`UrlEntry::new`](crate::UrlEntry::new) with public fields, or your own struct with a [derive](super::deriving) |
//! | `UrlSet::new(urls)`, `write` | [`to_string`](crate::to_string), or entry by entry with a [`Writer`](crate::Writer): the limits apply to streams, too |
//! | `jiff::Zoned` as `last_modified` | [`W3cDateTime`](crate::W3cDateTime), which keeps its precision; jiff's types with the features `jiff1` and `jiff02` |
//! | `Image`, `Video`, `News`, `Link` | [`Image`](crate::Image), [`Video`](crate::Video), [`News`](crate::News), [`Alternate`](crate::Alternate) |
//! | `UrlError` of a builder | the [`Error`](crate::Error) of `write`, which names the field and the rule |
//!
//! A loc that is not percent-encoded is encoded; sitemap-rs writes it unchanged. All locs must be on the same site and below the same
//! directory (P-HOST): the base's, or the first entry's.
//!
//! ```
//! use sitemap_serde::{Alternate, UrlEntry};
//!
//! let mut entry = UrlEntry::new("https://www.example.com/");
//! entry.alternates.push(Alternate::new("de", "https://www.example.com/de"));
//! entry.lastmod = Some("1998-01-15T04:20:00+00:00".parse()?);
//! entry.changefreq = Some(sitemap_serde::ChangeFreq::Monthly);
//! entry.priority = Some("0.69".parse()?);
//! assert!(sitemap_serde::to_string(&[entry])?.contains("<priority>0.69</priority>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # From quick-xml's serde
//!
//! The structs for an entry stay almost unchanged: `@name` is an attribute and `$text` a text, as in quick-xml. The root's struct may stay,
//! with its field `url`; but a document is also simply a sequence of entries.
//!
//! | there | here |
//! |---|---|
//! | `quick_xml::de::from_str::<Urlset>(xml)?.url` | [`from_str::<Vec<Page>>(xml)`](crate::from_str) |
//! | `#[serde(rename = "@xmlns")]` fields for namespaces | nothing: the writer declares the namespaces in use |
//! | `#[serde(rename = "image")]`: the local name, in whatever namespace | `#[serde(rename = "image:image")]`: the namespace, whatever the document's prefix |
//! | `to_string_with_root("urlset", …)` | [`to_string`](crate::to_string): elements in the schema's order, values checked |
//! | the whole document in memory | [`Reader::deserialize`](crate::Reader::deserialize), one entry at a time |
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize, Serialize)]
//! struct Page {
//!     loc: String,
//!     #[serde(rename = "image:image", default)]
//!     images: Vec<Picture>,
//! }
//!
//! #[derive(Deserialize, Serialize)]
//! struct Picture {
//!     #[serde(rename = "image:loc")]
//!     loc: String,
//! }
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">
//!   <url><loc>https://example.com/</loc><i:image><i:loc>https://example.com/1.jpg</i:loc></i:image></url>
//! </urlset>"#;
//! let pages: Vec<Page> = sitemap_serde::from_str(xml)?;
//! assert_eq!(pages[0].images[0].loc, "https://example.com/1.jpg");
//! assert!(sitemap_serde::to_string(&pages)?.contains("<image:loc>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # From Django's sitemaps
//!
//! A `Sitemap` class becomes a struct with a derive, and a section of a site (crate `sitemap-site`).
//!
//! | there | here |
//! |---|---|
//! | `location(self, item)`, `get_absolute_url` | `#[sitemap(loc = "/products/{slug}")]` |
//! | `lastmod`, `changefreq`, `priority` | `#[sitemap(lastmod)]` on the field, `changefreq = "weekly"`, `priority = 0.8` |
//! | `items(self)` | a source: a table of sqlx, SeaORM or Diesel, or a list; drafts are excluded by its `filter` or `#[sitemap(exclude_if)]` |
//! | `GenericSitemap({"queryset": …, "date_field": "updated"})` | `sitemap_sqlx::table::<Product, _>(pool, "products").lastmod("updated")` |
//! | the dictionary `sitemaps` | `SiteBuilder::new(base).section("products", …)` |
//! | `limit`, and `?p=2` by OFFSET | `part_rows`; a part is a range of keys, so page 1,000 costs the same as page 1 |
//! | `i18n`, `languages`, `alternates`, `x_default` | `languages("de", "en")`, `x_default = "en"`: [languages](super::deriving#languages) |
//! | `protocol`, the sites framework | the base: `SiteBuilder::new("https://example.com")`; several hosts by `Sites` |
//! | the views `index` and `sitemap`, `cache_page` | the routes of `sitemap-axum` and its kin; parts are cached by the site |
//! | `get_latest_lastmod` | the index has the newest lastmod of each part |
//!
//! ```
//! use sitemap_serde::{SitemapEntry, WriterBuilder};
//!
//! // class ProductSitemap(Sitemap): changefreq = "weekly"; priority = 0.8; lastmod = lambda self, item: item.updated
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/products/{slug}", changefreq = "weekly", priority = 0.8)]
//! struct Product {
//!     slug: String,
//!     #[sitemap(lastmod)]
//!     updated: sitemap_serde::W3cDateTime,
//! }
//!
//! let rows = [Product { slug: "lamp".into(), updated: "2026-05-01".parse()? }];
//! let xml = WriterBuilder::new().base("https://example.com").entries_to_string(&rows)?;
//! assert!(xml.contains("<loc>https://example.com/products/lamp</loc><lastmod>2026-05-01</lastmod>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```

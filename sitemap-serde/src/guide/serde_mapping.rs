//! The mapping of serde fields to elements and attributes.
//!
//! An entry is a struct or a map whose fields have the names of the elements. A repeated element is a sequence; a missing element
//! is `None` or a serde `default`. Elements without a field are ignored when reading; fields whose name is not an element are an
//! error when writing.
//!
//! ```
//! use std::borrow::Cow;
//!
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Page<'a> {
//!     #[serde(borrow)]
//!     loc: Cow<'a, str>, // borrowed from the document where it holds no reference such as `&amp;`
//!     lastmod: Option<sitemap_serde::W3cDateTime>, // every form of a lastmod; others are [below](#dates)
//!     priority: Option<f32>, // or `Priority`, which keeps the digits
//! }
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/</loc><priority>0.8</priority></url>
//! </urlset>"#;
//! let pages: Vec<Page> = sitemap_serde::from_str(xml)?;
//! assert!(matches!(pages[0].loc, Cow::Borrowed(_)));
//! assert_eq!(pages, [Page { loc: "https://example.com/".into(), lastmod: None, priority: Some(0.8) }]);
//! assert!(sitemap_serde::to_string(&pages)?.contains("<url><loc>https://example.com/</loc><priority>0.8</priority></url>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Names
//!
//! | name | element or attribute |
//! |---|---|
//! | `loc`, `lastmod`, `changefreq`, `priority` | the elements of the protocol |
//! | `image:image`, `image:loc`, `video:video`, `news:news`, `xhtml:link`, `mobile:mobile`, `pagemap:PageMap` | the elements of the extensions, with any prefix in the document |
//! | `@href`, `@relationship` | an attribute |
//! | `$text` | the text of an element that has attributes too |
//! | `shop:price`, `@shop:unit` | a [namespace of your own](#namespaces-of-your-own) |
//! | `{urn:shop}price`, `@{urn:shop}unit` | any other namespace, with [`expanded_names`](crate::ReaderBuilder::expanded_names) |
//! | `$other` | [all other elements](#raw-elements), with [`raw_elements`](crate::ReaderBuilder::raw_elements) |
//!
//! The elements of an entry are written in the schema's order (P-ORDER), not in the order of the fields.
//!
//! ```
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct Page {
//!     #[serde(rename = "image:image", default)]
//!     images: Vec<Picture>,
//!     #[serde(rename = "xhtml:link", default)]
//!     links: Vec<Link>,
//! }
//!
//! #[derive(Deserialize)]
//! struct Picture {
//!     #[serde(rename = "image:loc")]
//!     url: String,
//! }
//!
//! #[derive(Deserialize)]
//! struct Link {
//!     #[serde(rename = "@hreflang")]
//!     language: String,
//!     #[serde(rename = "@href")]
//!     url: String,
//! }
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
//!     xmlns:i="http://www.google.com/schemas/sitemap-image/1.1" xmlns:h="http://www.w3.org/1999/xhtml">
//!   <url>
//!     <loc>https://example.com/lamp</loc>
//!     <i:image><i:loc>https://example.com/lamp.jpg</i:loc></i:image>
//!     <h:link rel="alternate" hreflang="de" href="https://example.com/de/lampe"/>
//!   </url>
//! </urlset>"#;
//! let pages: Vec<Page> = sitemap_serde::from_str(xml)?;
//! assert_eq!(pages[0].images[0].url, "https://example.com/lamp.jpg");
//! assert_eq!((&*pages[0].links[0].language, &*pages[0].links[0].url), ("de", "https://example.com/de/lampe"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! [`UrlEntry`](crate::UrlEntry) has typed fields for all extensions; in JSON and other formats they have the same names.
//!
//! # Dates
//!
//! A lastmod is a year, a month, a day, or a date and time with a zone. The types of other crates read some of these forms; any other is an
//! error that quotes the text.
//!
//! | the field's type | reads |
//! |---|---|
//! | [`W3cDateTime`](crate::W3cDateTime) | every form |
//! | `String` | every text |
//! | chrono's `DateTime`, jiff's `Timestamp` | a date and time with a zone (chrono's with seconds) |
//! | `SystemTime`, time's `OffsetDateTime`, by a module of [`with`](crate::with) | a date and time with a zone |
//! | `NaiveDate`, jiff's `civil::Date` | a day |
//!
//! ```
//! use std::time::SystemTime;
//!
//! use serde::Deserialize;
//! use sitemap_serde::W3cDateTime;
//!
//! #[derive(Deserialize)]
//! struct Page {
//!     lastmod: Option<W3cDateTime>,
//! }
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/</loc><lastmod>2026-05</lastmod></url>
//! </urlset>"#;
//! let pages: Vec<Page> = sitemap_serde::from_str(xml)?;
//! let lastmod = pages[0].lastmod.unwrap();
//! assert_eq!((lastmod.year(), lastmod.month(), lastmod.day()), (2026, Some(5), None));
//! // As a type of another crate, by `try_from`: here the first moment of that month in UTC.
//! let time = SystemTime::try_from(lastmod.assume_utc())?;
//! assert_eq!(time.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs(), 1_777_593_600);
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Adding fields to the crate's entry
//!
//! Use `#[serde(flatten)]` to add your own elements to [`UrlEntry`](crate::UrlEntry):
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use sitemap_serde::{ReaderBuilder, UrlEntry, WriterBuilder};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Product {
//!     #[serde(flatten)]
//!     entry: UrlEntry,
//!     #[serde(rename = "shop:stock")]
//!     stock: Option<u32>,
//! }
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:s="urn:shop">
//!   <url><loc>https://example.com/lamp</loc><priority>0.8</priority><s:stock>5</s:stock></url>
//! </urlset>"#;
//! let mut reader = ReaderBuilder::new().namespace("shop", "urn:shop").from_str(xml);
//! let product: Product = reader.deserialize().next().unwrap()?;
//! assert_eq!((product.entry.loc.as_str(), product.stock), ("https://example.com/lamp", Some(5)));
//!
//! let mut writer = WriterBuilder::new().namespace("shop", "urn:shop").from_writer(Vec::new());
//! writer.serialize(&product)?;
//! let written = String::from_utf8(writer.finish()?).unwrap();
//! assert!(written.contains("<priority>0.8</priority><shop:stock>5</shop:stock></url>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Fields that serde buffers
//!
//! serde buffers the fields of `flatten`, and of untagged and internally tagged enums, before it asks for their types. An element outside
//! the schema is then text: `007` may or may not be a number. serde refuses to turn text into a number, and it hides that error if an
//! `Option` or an untagged enum has another way to go on. The module [`text_or_number`](crate::with::text_or_number) for serde's `with`
//! makes these shapes work:
//!
//! | shape | by itself | with the helper |
//! |---|---|---|
//! | numbers, `bool`s and sequences in the entry's own struct | works | works |
//! | `flatten` of `UrlEntry` | works | works |
//! | `flatten` of a struct of texts, dates and unit enums | works | works |
//! | `flatten` of a struct with numbers or `bool`s | an error | works |
//! | … with a sequence that has one element | an error | works |
//! | … with an element that has a number and attributes | an error | works |
//! | … with a `String` for a number of the schema | an error | works |
//! | `flatten` of an `Option` of such a struct | serde hides the error | works |
//! | `flatten` of a map of numbers | an error | works |
//! | `flatten` of an enum with numbers | an error | works |
//! | internally tagged enum with numbers | an error | works |
//! | untagged enum with numbers | serde hides the error | works |
//!
//! Put the helper on the field of the buffered struct or variant, or on the `flatten` itself. For a flattened `Option`, use
//! [`text_or_number::option`](crate::with::text_or_number::option), which returns the error that serde would hide. In untagged and
//! internally tagged enums, put it on the fields, since the enum itself buffers once more. A priority that becomes a `String` loses
//! trailing zeros.
//!
//! serde's errors about such fields do not name the field. This crate adds the name if exactly one element of the entry has the value that
//! the error quotes; otherwise the error names only the entry.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use sitemap_serde::ReaderBuilder;
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! #[serde(untagged)]
//! enum Entry {
//!     Sale {
//!         loc: String,
//!         #[serde(rename = "shop:discount", with = "sitemap_serde::with::text_or_number")]
//!         discount: u32,
//!     },
//!     Page { loc: String },
//! }
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:shop="urn:shop">
//!   <url><loc>https://example.com/lamp</loc><shop:discount>5</shop:discount></url>
//! </urlset>"#;
//! let mut reader = ReaderBuilder::new().namespace("shop", "urn:shop").from_str(xml);
//! let entry: Entry = reader.deserialize().next().unwrap()?;
//! assert_eq!(entry, Entry::Sale { loc: "https://example.com/lamp".into(), discount: 5 });
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! Types that derive [`FromSitemapEntry`](macro@crate::FromSitemapEntry) buffer nothing: a field with `element = "shop:stock"` is read as
//! its own type, also in a part with `#[sitemap(flatten)]` and in enum variants ([elements of your own](super::own_extensions)).
//! [`EntryReader::element`](crate::EntryReader::element) reads it the same way.
//!
//! # Namespaces of your own
//!
//! [`ReaderBuilder::namespace`](crate::ReaderBuilder::namespace) and [`WriterBuilder::namespace`](crate::WriterBuilder::namespace) set the
//! prefix that your field names use for a namespace. The document may use another prefix, such as `s` above. [Types that derive
//! `SitemapEntry`](super::own_extensions) may have such elements too.
//!
//! To keep elements of unknown namespaces, switch on
//! [`expanded_names`](crate::ReaderBuilder::expanded_names) on both sides and flatten a map:
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use serde::{Deserialize, Serialize};
//! use sitemap_serde::{ReaderBuilder, WriterBuilder};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Page {
//!     loc: String,
//!     #[serde(flatten)]
//!     rest: BTreeMap<String, serde_json::Value>,
//! }
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:s="urn:shop">
//!   <url><loc>https://example.com/</loc><s:price unit="EUR">9.90</s:price></url>
//! </urlset>"#;
//! let mut reader = ReaderBuilder::new().expanded_names(true).from_str(xml);
//! let page: Page = reader.deserialize().next().unwrap()?;
//! let price = &page.rest["{urn:shop}price"];
//! assert_eq!((&price["@unit"], &price["$text"]), (&"EUR".into(), &"9.90".into()));
//!
//! let mut writer = WriterBuilder::new().expanded_names(true).from_writer(Vec::new());
//! writer.serialize(&page)?;
//! assert!(String::from_utf8(writer.finish()?).unwrap().contains(r#"<ns1:price unit="EUR">9.90</ns1:price>"#));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! This may lose prefixes, comments and the order of elements with different names. To preserve them, keep the raw elements, or use the
//! [`Editor`](super::editing). [`Record::source`](crate::Record::source) is the text of a whole entry in the document.
//!
//! # Raw elements
//!
//! A field `$other` of type [`RawXml`](crate::RawXml) holds all elements without a field of their own, byte for byte, including mixed
//! content and comments. With [`raw_elements`](crate::ReaderBuilder::raw_elements) no element of an entry is lost:
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use sitemap_serde::{RawXml, ReaderBuilder, UrlEntry, Writer};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Page {
//!     #[serde(flatten)]
//!     entry: UrlEntry,
//!     #[serde(rename = "$other", default)]
//!     other: RawXml,
//! }
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:s="urn:shop">
//!   <url><loc>https://example.com/</loc><s:note>by <!-- whom? --><b xmlns="">Ann</b></s:note></url>
//! </urlset>"#;
//! let mut reader = ReaderBuilder::new().raw_elements(true).from_str(xml);
//! let page: Page = reader.deserialize().next().unwrap()?;
//! assert_eq!(page.entry.loc, "https://example.com/");
//!
//! let mut writer = Writer::from_writer(Vec::new());
//! writer.serialize(&page)?;
//! // The root's namespace declaration is copied to the element, which needs it.
//! let note = r#"<s:note xmlns:s="urn:shop">by <!-- whom? --><b xmlns="">Ann</b></s:note>"#;
//! assert!(String::from_utf8(writer.finish()?).unwrap().contains(note));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Documents
//!
//! | type | document |
//! |---|---|
//! | a `Vec`, an array, a slice of entries | a urlset |
//! | [`UrlSet<E>`](crate::UrlSet), or a struct with a field `url` | a urlset |
//! | [`SitemapIndex<E>`](crate::SitemapIndex), or a struct with a field `sitemap` | an index |
//! | [`Document`](crate::Document) | either; the root decides |
//!
//! ```
//! use sitemap_serde::{Document, IndexEntry, SitemapIndex};
//!
//! let index = SitemapIndex::from(vec![IndexEntry::new("https://example.com/1.xml")]);
//! let xml = sitemap_serde::to_string(&index)?;
//! match sitemap_serde::from_str::<Document>(&xml)? {
//!     Document::SitemapIndex(read) => assert_eq!(read, index),
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), sitemap_serde::Error>(())
//! ```

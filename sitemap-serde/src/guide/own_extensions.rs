//! Elements in a namespace of your own, typed, in both directions.
//!
//! An entry may contain elements of other namespaces: a shop's prices, flags for your own crawler. Readers that do not know the namespace
//! skip them. A type or a builder declares a namespace with a prefix and its URI. Your program uses this prefix in names, whatever prefix a
//! document has.
//!
//! # A field of a derive
//!
//! `element = "shop:price"` on a field writes the field as that element, and reads it back. The field may have any type with serde's
//! traits: a number, text or bool is the element's text; a struct is attributes, children and text; a `Vec` is several elements; an
//! `Option` may be absent. `namespace` on the type declares the prefix.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use sitemap_serde::{FromSitemapEntry, ReaderBuilder, SitemapEntry, WriterBuilder};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Price {
//!     #[serde(rename = "@currency")]
//!     currency: String,
//!     #[serde(rename = "$text")]
//!     amount: f64,
//! }
//!
//! #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
//! #[sitemap(loc = "/products/{slug}", namespace(shop = "urn:shop"))]
//! struct Product {
//!     slug: String,
//!     #[sitemap(element = "shop:price")]
//!     price: Price,
//!     #[sitemap(element = "shop:stock")]
//!     stock: Option<u32>,
//!     #[sitemap(element = "shop:colour")]
//!     colours: Vec<String>,
//! }
//!
//! let lamp = Product {
//!     slug: "lamp & shade".into(),
//!     price: Price { currency: "EUR".into(), amount: 9.9 },
//!     stock: None,
//!     colours: vec!["red".into(), "blue".into()],
//! };
//!
//! let mut builder = WriterBuilder::new();
//! builder.base("https://example.com");
//! let xml = builder.entries_to_string([&lamp])?;
//! assert!(xml.contains(r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:shop="urn:shop">"#));
//! assert!(xml.contains(
//!     r#"<shop:price currency="EUR">9.9</shop:price><shop:colour>red</shop:colour><shop:colour>blue</shop:colour>"#
//! ));
//!
//! let mut reader = ReaderBuilder::new().base("https://example.com").from_str(&xml);
//! let read: Vec<Product> = reader.read().collect::<Result<_, _>>()?;
//! assert_eq!(read, [lamp]);
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! [`Reader::read`](crate::Reader::read) makes the type's namespaces known before it reads the root. A reader that reads records first learns
//! them from [`ReaderBuilder::namespace`](crate::ReaderBuilder::namespace). An unknown prefix is an error that names it, when writing and when
//! reading:
//!
//! ```
//! use sitemap_serde::{FromSitemapEntry, Reader, SitemapEntry};
//!
//! #[derive(SitemapEntry, FromSitemapEntry, Debug)]
//! #[sitemap(loc = "https://example.com/{id}")]
//! struct Product {
//!     id: u32,
//!     #[sitemap(element = "shop:stock")]
//!     stock: Option<u32>,
//! }
//!
//! let error = sitemap_serde::entries_to_string([Product { id: 7, stock: Some(3) }]).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "`shop:stock` has the prefix `shop`, and no namespace is known by it; make it known with \
//!      `WriterBuilder::namespace(\"shop\", …)`, entry 1 · shop:stock"
//! );
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/7</loc></url></urlset>"#;
//! let error = Reader::from_str(xml).read::<Product>().next().unwrap().unwrap_err();
//! assert!(error.to_string().starts_with(
//!     "`shop:stock` has the prefix `shop`, and no namespace is known by it; make it known with `ReaderBuilder::namespace(\"shop\", …)`"
//! ));
//! ```
//!
//! # By hand
//!
//! In manual implementations, use [`EntryWriter::element`](crate::EntryWriter::element) and
//! [`EntryReader::element`](crate::EntryReader::element).
//!
//! # With serde alone
//!
//! With serde, such elements are [fields](super::serde_mapping#namespaces-of-your-own) of a struct; serde can also read elements of unknown
//! namespaces.

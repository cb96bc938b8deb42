//! Deriving entries from database models.
//!
//! Add `#[derive(SitemapEntry)]` next to an ORM's derives; its attributes map a row to an entry. A field is in the sitemap only if it has a
//! `#[sitemap(…)]` attribute or a template names it.
//!
//! ```
//! use std::time::{Duration, SystemTime};
//!
//! use sitemap_serde::{SitemapEntry, WriterBuilder};
//!
//! // … and `sqlx::FromRow`, `diesel::Queryable` or `sea_orm::DeriveEntityModel`
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/products/{id}-{slug}", changefreq = "weekly", image = "/img/{id}.jpg")]
//! struct Product {
//!     id: i64,
//!     slug: String,
//!     #[sitemap(lastmod)]
//!     updated_at: Option<SystemTime>, // or chrono's, time's and jiff's types, with the feature of that name
//!     #[sitemap(priority, default = 0.5)]
//!     boost: Option<f32>,
//!     #[sitemap(exclude_if)]
//!     hidden: bool,
//!     stock: u32,
//! }
//!
//! let rows = [
//!     Product {
//!         id: 7,
//!         slug: "lamp & shade".into(),
//!         updated_at: Some(SystemTime::UNIX_EPOCH + Duration::from_secs(1_777_600_000)),
//!         boost: None,
//!         hidden: false,
//!         stock: 3,
//!     },
//!     Product { id: 8, slug: "prototype".into(), updated_at: None, boost: None, hidden: true, stock: 0 },
//! ];
//! let xml = WriterBuilder::new().base("https://example.com").entries_to_string(&rows)?;
//! assert!(xml.ends_with(
//!     "<url><loc>https://example.com/products/7-lamp%20%26%20shade</loc><lastmod>2026-05-01T01:46:40Z</lastmod>\
//!      <changefreq>weekly</changefreq><priority>0.5</priority>\
//!      <image:image><image:loc>https://example.com/img/7.jpg</image:loc></image:image></url></urlset>"
//! ));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! ORMs often use types without a zone (`NaiveDateTime`, `PrimitiveDateTime`, `civil::DateTime`); these need one:
//! `#[sitemap(lastmod, zone = "UTC")]` or `#[sitemap(lastmod, zone = "+09:00")]`. For other columns, see [below](#columns-of-databases).
//!
//! Mistakes that the derive can see are compile errors: a priority out of range, a template that names an unknown field, 30 February.
//!
//! # Templates
//!
//! `{slug}` is the field's value, percent-encoded so that it is one segment of the path; `{+path}` keeps `/` and the other
//! reserved characters of URLs; `{slug?}` may be empty. The field may have any type that implements `Display`. A template that begins with `/` is
//! appended to the writer's base.
//!
//! # Static pages
//!
//! An enum variant with a template is a page. A variant that contains another type has that type's entry:
//!
//! ```
//! use sitemap_serde::SitemapEntry;
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "https://example.com/posts/{slug}")]
//! struct Post {
//!     slug: &'static str,
//! }
//!
//! #[derive(SitemapEntry)]
//! enum Page {
//!     #[sitemap(loc = "https://example.com/", priority = 1.0)]
//!     Home,
//!     #[sitemap(loc = "https://example.com/tags/{name}")]
//!     Tag { name: &'static str },
//!     Post(Post),
//! }
//!
//! let pages = [Page::Home, Page::Tag { name: "a+b" }, Page::Post(Post { slug: "first" })];
//! let xml = sitemap_serde::entries_to_string(&pages)?;
//! assert!(xml.contains("<url><loc>https://example.com/tags/a%2Bb</loc></url><url><loc>https://example.com/posts/first</loc></url>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Languages
//!
//! A row with pages in several languages becomes one entry per language, and each entry links to all of them (P-ALT3):
//!
//! ```
//! use sitemap_serde::{SitemapEntry, WriterBuilder};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/{lang}/{id}-{slug}", x_default = "en")]
//! struct Article {
//!     id: u32,
//!     #[sitemap(languages(slug))]
//!     translations: Vec<(String, String)>, // language and slug
//! }
//!
//! let translations = [("de", "lampe"), ("en", "lamp")].map(|(language, slug)| (language.into(), slug.into())).into();
//! let entries = WriterBuilder::new().base("https://example.com").to_entries(&Article { id: 7, translations })?;
//! assert_eq!(entries[0].loc, "https://example.com/de/7-lampe");
//! assert_eq!(entries[1].loc, "https://example.com/en/7-lamp");
//! let links: Vec<_> = entries[0].alternates.iter().map(|link| (link.hreflang.as_deref().unwrap(), &*link.href)).collect();
//! assert_eq!(
//!     links,
//!     [
//!         ("de", "https://example.com/de/7-lampe"),
//!         ("en", "https://example.com/en/7-lamp"),
//!         ("x-default", "https://example.com/en/7-lamp"),
//!     ]
//! );
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! If all rows have the same languages, list them in the attribute: `languages("de", "en")`. If each language has its own row, `alternate`
//! with a template writes only the links:
//!
//! ```
//! use sitemap_serde::{SitemapEntry, WriterBuilder};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/{lang}/{slug}", languages("de", "en"), x_default = "en", image = "/img/{slug}-{lang}.jpg")]
//! struct Page {
//!     slug: &'static str,
//! }
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/{lang}/{slug}", alternate(template = "/{lang}/{slug}", languages("de", "en"), x_default = "en"))]
//! struct Translation {
//!     lang: &'static str,
//!     slug: &'static str,
//! }
//!
//! let mut builder = WriterBuilder::new();
//! builder.base("https://example.com");
//! let pages = builder.to_entries(&Page { slug: "lamp" })?;
//! let [de, en] = ["de", "en"].map(|lang| Translation { lang, slug: "lamp" });
//! let translations = [builder.to_entries(&de)?, builder.to_entries(&en)?].concat();
//! for (page, translation) in pages.iter().zip(&translations) {
//!     assert_eq!((&page.loc, &page.alternates), (&translation.loc, &translation.alternates));
//! }
//! assert_eq!(pages[1].images[0].loc, "https://example.com/img/lamp-en.jpg");
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Computed values
//!
//! A function can compute a value from the row, and may fail:
//!
//! ```
//! use sitemap_serde::{Image, SitemapEntry, WriterBuilder};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = Self::url, priority = Self::rank, image = Self::photos)]
//! struct Product {
//!     slug: Option<String>,
//!     sold: u32,
//!     photos: Vec<(String, String)>, // file and caption
//! }
//!
//! impl Product {
//!     fn url(&self) -> Result<String, &'static str> {
//!         Ok(format!("/p/{}", self.slug.as_deref().ok_or("the product has no slug")?))
//!     }
//!
//!     fn rank(&self) -> f32 {
//!         if self.sold > 100 { 0.9 } else { 0.4 }
//!     }
//!
//!     fn photos(&self) -> Vec<Image> {
//!         let image = |(file, caption): &(String, String)| {
//!             let mut image = Image::new(format!("/photos/{file}"));
//!             image.caption = Some(caption.clone());
//!             image
//!         };
//!         self.photos.iter().map(image).collect()
//!     }
//! }
//!
//! let mut builder = WriterBuilder::new();
//! builder.base("https://example.com");
//! let lamp = Product { slug: Some("lamp".into()), sold: 120, photos: vec![("on.jpg".into(), "Light".into())] };
//! let entry = &builder.to_entries(&lamp)?[0];
//! assert_eq!(entry.images[0].loc, "https://example.com/photos/on.jpg");
//! let error = builder.to_entries(&Product { slug: None, sold: 0, photos: vec![] }).unwrap_err();
//! assert_eq!(error.to_string(), "the product has no slug, entry 1 · loc");
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! [`to_entries`](crate::WriterBuilder::to_entries) returns the entries of a row as values, for tests of a model. The documentation of the
//! [derive](derive@crate::SitemapEntry) lists all attributes.
//!
//! # Videos by templates
//!
//! A video's URLs are templates, its texts have fields in braces, and a function of the row can compute any part:
//!
//! ```
//! use sitemap_serde::{SitemapEntry, WriterBuilder};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(
//!     loc = "/films/{slug}",
//!     video(
//!         thumbnail_loc = "/thumbs/{slug}.jpg",
//!         title = "{name}",
//!         description = Self::about,
//!         content_loc = "https://cdn.example.net/{slug}.mp4",
//!         duration = "{seconds}",
//!     )
//! )]
//! struct Film {
//!     slug: &'static str,
//!     name: &'static str,
//!     seconds: Option<u32>,
//! }
//!
//! impl Film {
//!     fn about(&self) -> String {
//!         format!("{}, the film", self.name)
//!     }
//! }
//!
//! let film = Film { slug: "lamp & shade", name: "Lamp & Shade", seconds: Some(600) };
//! let entry = &WriterBuilder::new().base("https://example.com").to_entries(&film)?[0];
//! assert_eq!(entry.videos[0].thumbnail_loc, "https://example.com/thumbs/lamp%20%26%20shade.jpg");
//! assert_eq!((entry.videos[0].title.as_str(), entry.videos[0].duration), ("Lamp & Shade", Some(600)));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Joins and parts of rows
//!
//! Derive [`SitemapFields`](derive@crate::SitemapFields) on structs that an ORM joins, embeds or nests, and mark the field `flatten`. Its
//! values then belong to the entry, and a template names its fields:
//!
//! ```
//! use sitemap_serde::{SitemapEntry, SitemapFields, WriterBuilder};
//!
//! #[derive(SitemapFields)]
//! struct Product {
//!     slug: &'static str,
//!     #[sitemap(lastmod, precision = "day")] // the column has microseconds
//!     updated_at: &'static str,
//! }
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/{shop}/{product.slug}", priority = 0.5 + BOOST)] // a const expression
//! struct Listing {
//!     shop: &'static str,
//!     #[sitemap(flatten)] // `#[sqlx(flatten)]`, `#[diesel(embed)]`, `#[sea_orm(nested)]`
//!     product: Product,
//! }
//!
//! const BOOST: f64 = 0.25;
//!
//! let product = Product { slug: "lamp", updated_at: "2024-05-06T07:08:09.123456Z" };
//! let mut builder = WriterBuilder::new();
//! let xml = builder.base("https://example.com").entries_to_string([Listing { shop: "north", product }])?;
//! assert!(xml.contains(
//!     "<loc>https://example.com/north/lamp</loc><lastmod>2024-05-06</lastmod><priority>0.75</priority>"
//! ));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Columns of databases
//!
//! Modules for `with` convert database columns in both directions: Unix times, SQL dates (zero dates are `None`), and decimals of any
//! crate.
//!
//! ```
//! use sitemap_serde::{SitemapEntry, WriterBuilder, convert};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/p/{id}", base = SITE)]
//! struct Row {
//!     id: u32,
//!     #[sitemap(lastmod, with = convert::unix_millis)] // or `sql_date_time` for text such as `0000-00-00 00:00:00`
//!     updated: Option<i64>,
//!     #[sitemap(priority, with = convert::decimal)] // a `rust_decimal::Decimal`, a `bigdecimal::BigDecimal`, …
//!     rank: &'static str,
//! }
//!
//! const SITE: &str = "https://example.com"; // or `base = env!("SITE")`
//!
//! let row = Row { id: 7, updated: Some(1_714_979_289_000), rank: "0.850" };
//! let xml = WriterBuilder::new().entries_to_string([row])?;
//! assert!(xml.contains("<lastmod>2024-05-06T07:08:09Z</lastmod><priority>0.850</priority>"));
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # Rows with a bad value
//!
//! Rows with an invalid value are errors, and are not written. With [`on_invalid`](crate::WriterBuilder::on_invalid) a writer drops the
//! value or skips the row; [`on_problem`](crate::WriterBuilder::on_problem) receives each error. An empty text for an image means no image;
//! it is not an error.
//!
//! ```
//! use std::sync::mpsc;
//!
//! use sitemap_serde::{OnInvalid, SitemapEntry, WriterBuilder};
//!
//! #[derive(SitemapEntry)]
//! #[sitemap(loc = "/{id}")]
//! struct Page {
//!     id: u32,
//!     #[sitemap(image)]
//!     photo: &'static str,
//! }
//!
//! let (sender, errors) = mpsc::channel();
//! let mut builder = WriterBuilder::new();
//! builder
//!     .base("https://example.com")
//!     .on_invalid(OnInvalid::DropValue)
//!     .on_problem(move |error| drop(sender.send(error.to_string())));
//! let xml = builder.entries_to_string([Page { id: 7, photo: "" }, Page { id: 8, photo: "javascript:show()" }])?;
//! assert!(xml.contains("<url><loc>https://example.com/7</loc></url><url><loc>https://example.com/8</loc></url>"));
//! drop(builder);
//! let errors: Vec<String> = errors.iter().collect();
//! assert_eq!(errors.len(), 1);
//! assert!(errors[0].contains("javascript:show()"), "{errors:?}");
//! # Ok::<(), sitemap_serde::Error>(())
//! ```
//!
//! # And back
//!
//! [`#[derive(FromSitemapEntry)]`](derive@crate::FromSitemapEntry) reads entries with the same attributes. The template's fields are
//! extracted from the loc and decoded. An entry whose loc does not match the template is an error; the next call reads the next entry.
//!
//! ```
//! use sitemap_serde::{FromSitemapEntry, ReaderBuilder};
//!
//! #[derive(FromSitemapEntry)]
//! #[sitemap(loc = "/products/{id}-{slug}")]
//! struct Product {
//!     id: u32,
//!     slug: String,
//!     #[sitemap(priority)]
//!     boost: Option<f32>,
//! }
//!
//! let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/about</loc></url>
//!   <url><loc>https://example.com/products/7-lamp%20%26%20shade</loc><priority>0.8</priority></url>
//! </urlset>"#;
//! let mut reader = ReaderBuilder::new().base("https://example.com").from_str(xml);
//! let products: Vec<Product> = reader.read().filter_map(Result::ok).collect();
//! assert_eq!(products.len(), 1);
//! assert_eq!((products[0].id, products[0].slug.as_str(), products[0].boost), (7, "lamp & shade", Some(0.8)));
//! ```
//!
//! This example skips all errors. If your program must not, check each error's [`rule`](crate::Error::rule) and
//! [`ends_reading`](crate::Error::ends_reading), as in [reading](super::reading#errors-and-how-to-continue).
//!
//! A row in several languages (`languages`) is read back from each of its entries. Parts of a row (`flatten`) are read by
//! [`FromSitemapFields`](derive@crate::FromSitemapFields):
//!
//! ```
//! use sitemap_serde::{FromSitemapEntry, FromSitemapFields, ReaderBuilder, SitemapEntry, SitemapFields, WriterBuilder};
//!
//! #[derive(SitemapFields, FromSitemapFields, PartialEq, Debug)]
//! struct Photos {
//!     #[sitemap(image)]
//!     files: Vec<String>,
//! }
//!
//! #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
//! #[sitemap(loc = "/{lang}/{id}-{slug}")]
//! struct Article {
//!     id: u32,
//!     #[sitemap(languages(slug))]
//!     translations: Vec<(String, String)>,
//!     #[sitemap(flatten)]
//!     photos: Photos,
//! }
//!
//! let article = Article {
//!     id: 7,
//!     translations: [("de", "lampe"), ("en", "lamp")].map(|(language, slug)| (language.into(), slug.into())).into(),
//!     photos: Photos { files: vec!["https://example.com/7.jpg".into()] },
//! };
//! let xml = WriterBuilder::new().base("https://example.com").entries_to_string([&article])?;
//! let mut reader = ReaderBuilder::new().base("https://example.com").from_str(&xml);
//! let mut read: Vec<Article> = reader.read().collect::<Result<_, _>>()?;
//! assert_eq!(read.len(), 2); // one of each language
//! read.dedup();
//! assert_eq!(read, [article]);
//! # Ok::<(), sitemap_serde::Error>(())
//! ```

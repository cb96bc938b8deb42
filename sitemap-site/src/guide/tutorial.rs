//! From `cargo new` to a served sitemap, in ten minutes.
//!
//! You will build a small shop's server. It serves a sitemap of 30,002 pages: an index, two sections, and a test that finds
//! invalid rows. Each step shows its whole code and its output.
//!
//! # A project
//!
//! ```text
//! $ cargo new shop
//! $ cd shop
//! $ cargo add axum
//! $ cargo add tokio --features full
//! $ cargo add tracing-subscriber
//! ```
//!
//! The crates of this workspace are not on crates.io yet. Clone the repository next to `shop`, and add them by path:
//!
//! ```text
//! $ cargo add --path ../sitemap-serde/sitemap-serde --features derive
//! $ cargo add --path ../sitemap-serde/sitemap-site --features serve
//! $ cargo add --path ../sitemap-serde/integrations/axum
//! ```
//!
//! # A sitemap
//!
//! A sitemap is an XML file that lists pages. Every page has an address, its *loc*, and may have the time of its last change, its
//! *lastmod*. Put this into `src/main.rs`:
//!
//! ```
//! use sitemap_serde::{UrlEntry, WriterBuilder};
//!
//! fn main() -> sitemap_serde::Result<()> {
//!     let pages = [UrlEntry::new("/"), UrlEntry::new("/über uns")];
//!     let xml = WriterBuilder::new().base("https://example.com").pretty(true).entries_to_string(&pages)?;
//!     print!("{xml}");
//! #   assert_eq!(xml, r#"<?xml version="1.0" encoding="UTF-8"?>
//! # <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//! #   <url>
//! #     <loc>https://example.com/</loc>
//! #   </url>
//! #   <url>
//! #     <loc>https://example.com/%C3%BCber%20uns</loc>
//! #   </url>
//! # </urlset>
//! # "#);
//!     Ok(())
//! }
//! ```
//!
//! `cargo run` prints the sitemap. The writer has put the base in front of each path, and has percent-encoded it:
//!
//! ```text
//! <?xml version="1.0" encoding="UTF-8"?>
//! <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url>
//!     <loc>https://example.com/</loc>
//!   </url>
//!   <url>
//!     <loc>https://example.com/%C3%BCber%20uns</loc>
//!   </url>
//! </urlset>
//! ```
//!
//! # Your own types
//!
//! You rarely build entries by hand. The derive [`SitemapEntry`](sitemap_serde::SitemapEntry) makes them from your structs and
//! enums. Put the shop's pages and products into a second file, `src/sitemap.rs`, with the site that lists them:
//!
//! ```
//! use sitemap_serde::SitemapEntry;
//! use sitemap_site::{RobotsTxt, Site, SiteBuilder};
//!
//! #[derive(Clone, SitemapEntry)]
//! enum Page {
//!     #[sitemap(loc = "/")]
//!     Home,
//!     #[sitemap(loc = "/about")]
//!     About,
//! }
//!
//! #[derive(Clone, SitemapEntry)]
//! #[sitemap(loc = "/products/{id}")]
//! struct Product {
//!     id: u32,
//!     #[sitemap(lastmod)]
//!     updated: &'static str,
//!     #[sitemap(image)]
//!     photo: Option<&'static str>,
//! }
//!
//! /// Stands for a table of a database.
//! fn products() -> Vec<Product> {
//!     let product = |id| Product { id, updated: "2026-05-01", photo: None };
//!     (1..=30_000).map(product).collect()
//! }
//!
//! pub fn site() -> sitemap_site::Result<Site> {
//!     SiteBuilder::new("https://example.com")
//!         .section("pages", [Page::Home, Page::About])
//!         .section("products", products())
//!         .robots_txt(RobotsTxt::new().disallow("/cart/"))
//!         .build()
//! }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! #     let site = site()?;
//! #     site.ready().await?;
//! #     let get = async |path: &str| {
//! #         let response = site.respond(&http::Request::get(path).body(()).unwrap()).await;
//! #         let body = axum::body::to_bytes(axum::body::Body::new(response.into_body()), usize::MAX).await.unwrap();
//! #         String::from_utf8(body.into()).unwrap()
//! #     };
//! #     let shown = r#"
//! # <?xml version="1.0" encoding="UTF-8"?>
//! # <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//! #   <sitemap><loc>https://example.com/sitemap-pages.xml</loc></sitemap>
//! #   <sitemap><loc>https://example.com/sitemap-products.~6137.xml</loc><lastmod>2026-05-01</lastmod></sitemap>
//! #   <sitemap><loc>https://example.com/sitemap-products.6137~19683.xml</loc><lastmod>2026-05-01</lastmod></sitemap>
//! #   <sitemap><loc>https://example.com/sitemap-products.19683~.xml</loc><lastmod>2026-05-01</lastmod></sitemap>
//! # </sitemapindex>
//! # "#;
//! #     assert_eq!(get("/sitemap.xml").await, shown.trim().replace("\n  ", "").replace("\n</", "</"));
//! #     assert_eq!(get("/sitemap-pages.xml").await.matches("<loc>").count(), 2);
//! #     assert_eq!(get("/robots.txt").await, "User-agent: *\nDisallow: /cart/\n\nSitemap: https://example.com/sitemap.xml\n");
//! #     assert!(site.check().await?.is_clean());
//! #     Ok(())
//! # }
//! ```
//!
//! Field attributes map columns to elements: `updated` is the lastmod, and `photo` an image. A site has a base and sections, each with
//! a list of rows. `build` checks that `robots.txt` disallows none of the fixed pages.
//!
//! # Serving it
//!
//! Replace `src/main.rs` with a server. `sitemap_axum::routes` has the routes of all documents, and of the `robots.txt` that tells
//! crawlers where the sitemap is:
//!
//! ```no_run
//! # /*
//! mod sitemap;
//!
//! # */
//! # mod sitemap {
//! #     pub fn site() -> sitemap_site::Result<sitemap_site::Site> {
//! #         sitemap_site::SiteBuilder::new("https://example.com").build()
//! #     }
//! # }
//! use axum::Router;
//! use axum::routing::get;
//! use tokio::net::TcpListener;
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     tracing_subscriber::fmt::init(); // logs skipped rows and failures
//!     let site = sitemap::site()?;
//!     site.ready().await?; // counts the rows
//!     let app = Router::new()
//!         .route("/", get(|| async { "The shop" }))
//!         .merge(sitemap_axum::routes(&site));
//!     axum::serve(TcpListener::bind("127.0.0.1:3000").await?, app).await?;
//!     Ok(())
//! }
//! ```
//!
//! Start it with `cargo run`, and ask for the sitemap in a second terminal (the output is broken into lines here):
//!
//! ```text
//! $ curl http://127.0.0.1:3000/robots.txt
//! User-agent: *
//! Disallow: /cart/
//!
//! Sitemap: https://example.com/sitemap.xml
//!
//! $ curl http://127.0.0.1:3000/sitemap.xml
//! <?xml version="1.0" encoding="UTF-8"?>
//! <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <sitemap><loc>https://example.com/sitemap-pages.xml</loc></sitemap>
//!   <sitemap><loc>https://example.com/sitemap-products.~6137.xml</loc><lastmod>2026-05-01</lastmod></sitemap>
//!   <sitemap><loc>https://example.com/sitemap-products.6137~19683.xml</loc><lastmod>2026-05-01</lastmod></sitemap>
//!   <sitemap><loc>https://example.com/sitemap-products.19683~.xml</loc><lastmod>2026-05-01</lastmod></sitemap>
//! </sitemapindex>
//! ```
//!
//! The site has divided 30,000 products into three *parts*. A part's address contains the range of its keys, here positions in the
//! list. Each part is rendered when it is first requested, and cached for ten minutes.
//!
//! A crawler that already has a document gets a short answer:
//!
//! ```text
//! $ curl -i -H 'If-None-Match: "1f43063ccc42c0ca90dbab87c21e9285"' http://127.0.0.1:3000/sitemap.xml
//! HTTP/1.1 304 Not Modified
//! ```
//!
//! # Testing it
//!
//! Rows with invalid values are skipped and logged. A test should find them first. Add it to `src/sitemap.rs`:
//!
//! ```
//! # use sitemap_serde::{Image, UrlEntry};
//! # use sitemap_site::{Site, SiteBuilder};
//! # fn site() -> sitemap_site::Result<Site> { SiteBuilder::new("https://example.com").section("pages", [UrlEntry::new("/")]).build() }
//! #[cfg(test)]
//! mod tests {
//!     #[tokio::test]
//!     async fn no_row_is_skipped() {
//!         let report = super::site().unwrap().check().await.unwrap();
//!         assert!(report.is_clean(), "{report}");
//!     }
//! }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let report = site()?.check().await?;
//! # assert!(report.is_clean(), "{report}");
//! # let mut products: Vec<_> = (1..=30_000).map(|id| UrlEntry::new(format!("/products/{id}"))).collect();
//! # products[6].images = vec![Image::new("file:///home/kim/lamp.jpg")];
//! # let site = SiteBuilder::new("https://example.com").section("products", products).build()?;
//! # let shown = "products: 29999 pages of 30000 rows
//! #   1 row is skipped:
//! #     row 7: `file:///home/kim/lamp.jpg` is not http or https: crawlers fetch nothing else; write its web address,
//! #     or leave it out (P-IMG2), entry 1 · image:image[0] · image:loc, loc `https://example.com/products/7`";
//! # assert_eq!(site.check().await?.to_string(), shown.replace("address,\n    or", "address, or"));
//! # Ok(())
//! # }
//! ```
//!
//! `cargo test` passes. Now break a row, with `photo: (id == 7).then_some("file:///home/kim/lamp.jpg")` in `products`.
//!
//! ```text
//! $ cargo test
//! pages: 2 pages of 2 rows
//! products: 29999 pages of 30000 rows
//!   1 row is skipped:
//!     row 7: `file:///home/kim/lamp.jpg` is not http or https: crawlers fetch nothing else; write its web address,
//!     or leave it out (P-IMG2), entry 1 · image:image[0] · image:loc, loc `https://example.com/products/7`
//! ```
//!
//! Product 7 is not in the sitemap until its photo is fixed. To list the product without the photo, call
//! [`on_invalid(OnInvalid::DropValue)`](crate::SiteBuilder::on_invalid) before `build`.
//!
//! # From a database
//!
//! Only the section's source changes. With sqlx, it is one line:
//!
//! ```ignore
//! .section("products", sitemap_sqlx::table::<Product, _>(pool, "products"))
//! ```
//!
//! The site then reads short batches of rows, so a table may have millions of them. `integrations/sqlx/examples/axum_sqlx.rs` in the
//! repository is the whole program; [`sources`](super::sources) lists the crates for other databases.
//!
//! # What next
//!
//! - [`small`](super::small): one file for a small site, and a page for people.
//! - [`serving`](super::serving): news, hidden keys, files from a site.
//! - [`responses`](super::responses): failures, caching, and the table of parts.
//! - [`operation`](super::operation): proxies, several instances, metrics.
//! - [`sets`](super::sets): the same sitemap as files, without a server.

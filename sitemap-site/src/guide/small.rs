//! A small site: some pages and a blog, in one file.
//!
//! ```no_run
//! use axum::Router;
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::{SiteBuilder, source};
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let posts = source::list(|| async {
//!         let posts = std::fs::read_dir("posts")?; // or a query, or another service
//!         posts.map(|post| Ok(UrlEntry::new(format!("/blog/{}", post?.file_name().display())))).collect()
//!     });
//!     let site = SiteBuilder::new("https://example.com")
//!         .section("pages", ["/", "/about", "/contact"].map(UrlEntry::new))
//!         .section("blog", posts)
//!         .flat(true)
//!         .build()?;
//!     site.ready().await?; // renders each section once; its error names all failures
//!     let app: Router = Router::new().merge(sitemap_axum::routes(&site)); // and the routes of the program
//!     axum::serve(tokio::net::TcpListener::bind("127.0.0.1:3000").await?, app).await?;
//!     Ok(())
//! }
//! ```
//!
//! # One function
//!
//! [`source::list`](crate::source::list()) makes a section from a function that returns all of its entries. The function is
//! called when the sitemap is requested. Its result serves all requests for [`max_age`](crate::SiteBuilder::max_age), ten minutes
//! by default. If the function fails, the log has the error, and crawlers get the last good sitemap, or 500 if there is none. A
//! fixed list, such as an array or a `Vec`, is a section without a function.
//!
//! This is enough for some ten thousand pages. Read more pages from the [database](super::sources), one part at a time.
//!
//! # One file
//!
//! With [`SiteBuilder::flat`](crate::SiteBuilder::flat), `/sitemap.xml` is one urlset with the pages of all sections. By default,
//! it is an index with a file for each section. Search engines read both. With an index, Search Console counts the pages of each
//! section separately.
//!
//! A site that grows beyond 50,000 pages automatically gets an index, at the same address. The log has one warning about it. If
//! one section cannot be read and there is no copy of it, the whole file answers 500 or 503, since search engines would drop the
//! missing pages.
//!
//! Sets of files have [`SetBuilder::flat`](crate::SetBuilder::flat).
//!
//! # robots.txt
//!
//! Search engines find a sitemap through the line `Sitemap:` of `/robots.txt`.
//! [`SiteBuilder::robots_txt`](crate::SiteBuilder::robots_txt) serves this file too:
//!
//! ```
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::{RobotsTxt, SiteBuilder};
//!
//! # let is_staging = false;
//! let robots = match is_staging {
//!     true => RobotsTxt::staging(), // disallows everything
//!     false => RobotsTxt::new().disallow("/account/"),
//! };
//! let site = SiteBuilder::new("https://example.com")
//!     .section("pages", ["/", "/about"].map(UrlEntry::new))
//!     .robots_txt(robots)
//!     .build()?;
//! # assert!(site.paths().any(|path| path == "/robots.txt"));
//! # Ok::<(), sitemap_site::Error>(())
//! ```
//!
//! A listed page must not be disallowed, since no search engine can read it. `build` refuses such a page in a fixed list, and a
//! `robots.txt` that disallows the sitemap. Rows of other sources are read later: the log has a warning about them, and
//! [`Site::check`](crate::Site::check) reports them.
//!
//! If your program serves its own `robots.txt`, add the lines of [`Site::robots_lines`](crate::Site::robots_lines).
//!
//! # A page for people
//!
//! [`SiteBuilder::html`](crate::SiteBuilder::html) serves `/sitemap.html`, where people find each page. It links to a list for each section, with 200 rows
//! on a page. WCAG 2.4.5 asks for more than one way to a page, and this is one if the site's footer links to it. The texts of the links are titles, which
//! `#[sitemap(title)]` takes from the rows:
//!
//! ```
//! use sitemap_serde::SitemapEntry;
//! use sitemap_site::SiteBuilder;
//!
//! #[derive(Clone, SitemapEntry)]
//! #[sitemap(loc = "/blog/{slug}")]
//! struct Post {
//!     slug: &'static str,
//!     #[sitemap(title)]
//!     title: &'static str,
//! }
//!
//! let posts = [Post { slug: "lamps", title: "How we chose our lamps" }];
//! let site = SiteBuilder::new("https://example.com")
//!     .section("blog", posts)
//!     .html_layout(|title, content| {
//!         let title = title.replace('&', "&amp;").replace('<', "&lt;");
//!         format!("<!doctype html><html lang=en><title>{title}</title><link rel=stylesheet href=/site.css><main>{content}</main>")
//!     })
//!     .build()?;
//! # Ok::<(), sitemap_site::Error>(())
//! ```
//!
//! For rows whose type has no title, [`Section::titled`](crate::Section::titled) computes it. Pages without a title are shown by their path.
//!
//! If there is no [layout](crate::SiteBuilder::html_layout), the page has its own style, light or dark. It has no scripts. Each
//! request for a list is one query of 201 rows. If the query fails, the response is 500, and the log has the reason.
//!
//! # Dates
//!
//! [`W3cDateTime`](sitemap_serde::W3cDateTime) has `try_from` for `SystemTime` and, with features, for types of chrono, jiff and
//! time. The derive calls it for you.
//!
//! ```
//! use sitemap_serde::{UrlEntry, W3cDateTime};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("lamps.md");
//! # std::fs::write(&path, "# Lamps")?;
//! let mut post = UrlEntry::new("/blog/lamps");
//! post.lastmod = Some(W3cDateTime::try_from(std::fs::metadata(&path)?.modified()?)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Routes and locs
//!
//! The router and the sitemap both define the address of a page, and the compiler does not compare them. A test does: the router
//! must answer each page of the sitemap.
//!
//! ```
//! use axum::extract::{Path, Request};
//! use axum::http::StatusCode;
//! use axum::{Router, body, routing::get};
//! use sitemap_serde::{Reader, SitemapEntry, UrlEntry};
//! use sitemap_site::SiteBuilder;
//! use tower_service::Service;
//!
//! #[derive(Clone, SitemapEntry)]
//! #[sitemap(loc = "/blog/{slug}")]
//! struct Post {
//!     slug: &'static str,
//! }
//!
//! const POSTS: [Post; 2] = [Post { slug: "lamps" }, Post { slug: "dark lamps" }];
//!
//! async fn post(Path(slug): Path<String>) -> StatusCode {
//!     if POSTS.iter().any(|post| post.slug == slug) { StatusCode::OK } else { StatusCode::NOT_FOUND }
//! }
//!
//! fn app() -> sitemap_site::Result<Router> {
//!     let site = SiteBuilder::new("https://example.com").section("blog", POSTS).flat(true).build()?;
//!     Ok(Router::new().route("/blog/{slug}", get(post)).merge(sitemap_axum::routes(&site)))
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // As a test: `#[tokio::test] async fn every_page_of_the_sitemap_is_there()`.
//! let mut app = app()?;
//! let sitemap = app.call(Request::get("/sitemap.xml").body(body::Body::empty())?).await?;
//! let xml = body::to_bytes(sitemap.into_body(), 52_428_800).await?;
//! let mut pages = 0;
//! for page in Reader::from_slice(&xml).deserialize::<UrlEntry>() {
//!     let page = page?.loc;
//!     let path = page.strip_prefix("https://example.com").unwrap_or(&page);
//!     let answer = app.call(Request::get(path).body(body::Body::empty())?).await?;
//!     assert_eq!(answer.status(), 200, "{page}");
//!     pages += 1;
//! }
//! assert_eq!(pages, 2);
//! # Ok(())
//! # }
//! ```

//! Serving the sitemap of a site from its database.
//!
//! A [`Site`](crate::Site) has a base and sections. A section has a name and a [source](super::sources) of rows:
//!
//! ```no_run
//! use axum::Router;
//! use sitemap_serde::SitemapEntry;
//! use sitemap_site::SiteBuilder;
//!
//! #[derive(Clone, SitemapEntry)]
//! enum Page {
//!     #[sitemap(loc = "/")]
//!     Home,
//!     #[sitemap(loc = "/about")]
//!     About,
//! }
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! tracing_subscriber::fmt::init(); // logs skipped rows and failures
//! let site = SiteBuilder::new("https://example.com")
//!     .section("pages", [Page::Home, Page::About])
//!     .build()?;
//! site.ready().await?; // counts the rows; until then the index answers 503
//! let app: Router = Router::new().merge(sitemap_axum::routes(&site));
//! # let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! // Responses in progress are finished before the program ends.
//! axum::serve(listener, app).with_graceful_shutdown(async { drop(tokio::signal::ctrl_c().await) }).await?;
//! # Ok(())
//! # }
//! ```
//!
//! The site now serves `/sitemap.xml` and one sitemap for each section. With more rows, a section has several parts, and
//! `/sitemap.xml` is their index. For a database, only the section's source changes: `sitemap-sqlx`, `sitemap-seaorm`,
//! `sitemap-diesel` and `sitemap-diesel-async` have sources for tables. The routes come from `sitemap-axum`, `sitemap-actix` or
//! `sitemap-rocket`; other frameworks [mount](super::frameworks) the service itself.
//!
//! | next step | page |
//! |---|---|
//! | one file, robots.txt, tests of routes: a small site | [`small`](super::small) |
//! | axum, actix-web, Rocket, Loco, Leptos, Dioxus, poem, salvo, hyper: the mount, and the log's filter | [`frameworks`](super::frameworks) |
//! | a whole program, from `cargo new` on | [`tutorial`](super::tutorial) |
//! | rows of a table, a query, or your own storage | [`sources`](super::sources) |
//! | addresses, failures, caching, and the table of parts, in detail | [`responses`](super::responses) |
//! | proxies, several instances, migrations, metrics | [`operation`](super::operation) |
//!
//! Failures are logged under the target `sitemap_site`, each with its causes, and so are skipped rows. The log goes to
//! [tracing](https://docs.rs/tracing-subscriber) or, without a subscriber, to the logger of the crate `log`. If a program has
//! neither, or a filter that hides the target, the first skipped row or failed part prints one line to standard error.
//!
//! # Checking a site
//!
//! [`Site::ready`](crate::Site::ready) counts the rows and renders the first part of each section. Its error names the sections
//! that fail, for example for a missing column, or for a news section whose rows have no `News`. The other sections are served in
//! any case. So a server that must start anyway only logs the error:
//!
//! ```
//! # async fn start(site: sitemap_site::Site) {
//! if let Err(error) = site.ready().await {
//!     tracing::error!("a part of the sitemap is missing: {error}");
//! }
//! # }
//! ```
//!
//! [`Site::check`](crate::Site::check) reads all rows, in a test or before a deployment. It reports skipped rows, repeated pages,
//! pages that `robots.txt` disallows, and empty path segments:
//!
//! ```
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::SiteBuilder;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let site = SiteBuilder::new("https://example.com")
//!     .section("pages", ["/", "/about"].map(UrlEntry::new))
//!     .build()?;
//! let report = site.check().await?;
//! assert!(report.is_clean(), "{report}");
//! assert_eq!(report.sections[0].entries, 2);
//! # Ok(())
//! # }
//! ```
//!
//! # Addresses
//!
//! | address | content |
//! |---|---|
//! | `/sitemap.xml` | the index; or all pages, with [`SiteBuilder::flat`](crate::SiteBuilder::flat) |
//! | `/sitemap-index-2.xml`, … | more indexes, for more than 50,000 parts (P-COUNT); [`Site::robots_lines`](crate::Site::robots_lines) has a line for each |
//! | `/sitemap-pages.xml` | all rows of the section `pages`; the index lists it if they fit in one part |
//! | `/sitemap-products.~10000.xml` | the rows of the section `products` up to the key 10000 |
//! | `/sitemap-products.10000~20000.xml` | its rows above 10000, up to 20000 |
//! | `/sitemap-products.20000~.xml` | its rows above 20000, until there are 15,000 of them |
//! | `/robots.txt` | which pages may be read, and where the sitemap is, with [`SiteBuilder::robots_txt`](crate::SiteBuilder::robots_txt) |
//! | `/sitemap.html` | the sitemap [for people](super::small#a-page-for-people), with [`SiteBuilder::html`](crate::SiteBuilder::html) |
//! | `/sitemap-products.html`, `/sitemap-products.200~.html` | links to the pages of the section `products`, from the first row on, or above the key 200 |
//! | `/sitemap.css` | the stylesheet that browsers use to show the index and the parts, with [`SiteBuilder::html`](crate::SiteBuilder::html) |
//! | `/KEY.txt` | the key file of IndexNow, with [`SiteBuilder::index_now_key`](crate::SiteBuilder::index_now_key) |
//!
//! Each of these addresses needs a route. The function `routes` of `sitemap_axum`, `sitemap_actix` and `sitemap_rocket` has them
//! all, and [`Site::paths`](crate::Site::paths) lists them for other frameworks. Every other address is 404.
//!
//! The address of a part contains both ends of its key range. So every instance of the program serves the parts that another
//! instance lists, and an old address still has all rows of its range. Dots separate the columns of a key. In texts, each byte of
//! a character other than letters, digits and `-` is `_` and two hexadecimal digits.
//!
//! An end has at most 62 bytes. Parts end at other keys than those with longer addresses. If all keys near are that long, such as titles, the end
//! of a part is `_h` and a hash of the key. Only instances that list the part know its range; the others answer 503.
//!
//! Keys are public this way. If they must not be (email addresses, numbers that reveal how many customers there are), use
//! [`SiteBuilder::opaque_urls`](crate::SiteBuilder::opaque_urls). It encrypts both ends with a secret that all instances share,
//! and forged addresses are 404. The log and a [`TableStore`](crate::TableStore) still contain the keys.
//!
//! # News
//!
//! Google News reads articles of the last two days (P-NEWS5), at most 1,000 in a file (P-NEWS4).
//! [`Section::news`](crate::Section::news) makes a news section: an article leaves it after two days, responses are fresh for a
//! minute, and parts are as small as needed. Its rows are read every minute, so its source needs a condition:
//!
//! ```
//! use std::time::{Duration, SystemTime};
//!
//! use sitemap_serde::news::Publication;
//! use sitemap_serde::{News, UrlEntry, W3cDateTime};
//! use sitemap_site::{Section, SiteBuilder, source};
//!
//! # struct Post { slug: String, title: String, published: SystemTime }
//! # async fn posts_since(time: SystemTime) -> Vec<Post> {
//! #     vec![Post { slug: "lamps".into(), title: "Lamps".into(), published: SystemTime::now() }]
//! # }
//! let articles = source::list(|| async {
//!     // `SELECT … FROM posts WHERE published > …`
//!     let posts = posts_since(SystemTime::now() - Duration::from_secs(3 * 24 * 3600)).await;
//!     let entries = posts.into_iter().map(|post| {
//!         let published = W3cDateTime::try_from(post.published)?;
//!         let news = News::new(Publication::new("The Example", "en"), published, post.title);
//!         Ok(UrlEntry::new(format!("/posts/{}", post.slug)).with_news(news))
//!     });
//!     entries.collect()
//! });
//! let site = SiteBuilder::new("https://example.com")
//!     .section("news", Section::new(articles).news())
//!     .build()?;
//! # Ok::<(), sitemap_site::Error>(())
//! ```
//!
//! On a day without news, the section has one file with an empty urlset, which stays in the index. Google
//! [says](https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap#best-practices) that an empty news
//! sitemap causes no problems. Search Console may show a warning, "Empty Sitemap". The lint reports a note (P-EMPTY). If rows
//! were skipped, the file fails instead. The news sections of a [set](crate::SetBuilder::news) work the same way, and do not
//! count when a commit [compares](crate::SetBuilder::allow_shrinking) the new set with the published one.
//!
//! If rows have several articles, a part may get more than 1,000. Then it is split, and the log names P-NEWS4.
//! [`Section::part_rows`](crate::Section::part_rows) sets the size of the parts of any section.
//!
//! # Sitemaps of other applications
//!
//! Many sites consist of several programs: a shop, a blog, a forum, each with its own sitemap. The index can list them all:
//!
//! ```
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::SiteBuilder;
//!
//! # async fn get(url: String) -> std::io::Result<Vec<u8>> { Err(std::io::Error::other(url)) }
//! let site = SiteBuilder::new("https://example.com")
//!     .section("pages", ["/", "/about"].map(UrlEntry::new))
//!     .sitemap("https://example.com/forum/sitemap.xml") // as it is
//!     // An index, whose sitemaps are listed. `get` is the program's HTTP client.
//!     .external("https://example.com/blog/sitemap_index.xml", |url| async { Ok(get(url).await?) })
//!     .build()?;
//! # Ok::<(), sitemap_site::Error>(())
//! ```
//!
//! [`SiteBuilder::external`](crate::SiteBuilder::external) fetches the document at most once in
//! [`max_age`](crate::SiteBuilder::max_age). If this fails, or the document is damaged, the index keeps the sitemaps that it
//! listed before, and the log has the reason. Until the first success, the index answers 503. With
//! [`SiteBuilder::skip_failed_sections`](crate::SiteBuilder::skip_failed_sections), it skips these sitemaps instead. A sitemap on
//! another host needs `cross_submission` in [`SiteBuilder::writer`](crate::SiteBuilder::writer), and the `robots.txt` of that host
//! must name the index (P-IDX1).
//!
//! # The sitemaps of a headless CMS
//!
//! A headless CMS, a shop system or another program may write sitemaps of its own, with the URLs of its own host. Crawlers ask for them on
//! the public host, and want the URLs of that host. [`Rebased`](crate::Rebased) fetches the documents, changes their URLs, and serves them:
//!
//! ```
//! use axum::Router;
//! use sitemap_site::Rebased;
//!
//! # async fn get(url: String) -> std::io::Result<http::Response<axum::body::Body>> { Err(std::io::Error::other(url)) }
//! // `get` is the program's HTTP client. With reqwest: `Ok(client.get(url).send().await?.into())`.
//! let cms = Rebased::new("https://cms.example.net", "https://example.com", |url| async { Ok(get(url).await?) })?;
//! let app: Router = Router::new()
//!     .route_service("/sitemap.xml", cms.clone()) // https://cms.example.net/sitemap.xml
//!     .route_service("/sitemaps/{file}", cms); // the sitemaps that it lists
//! # Ok::<(), sitemap_site::Error>(())
//! ```
//!
//! The document is complete before the response begins. A document that is malformed, truncated or no XML sitemap is a 502, a slow server a
//! 504, and the log has the reason. After a first success, the last copy is served instead, for up to a day. The log also counts entries
//! whose loc is on a third host: they stay, and crawlers ignore them (P-HOST). The usual cause is `http` in place of `https` in the old base.
//!
//! If the CMS's index lists sitemaps with queries, such as `/sitemap_products_1.xml?from=1&to=99`, set
//! [`Rebased::queries`](crate::Rebased::queries). Otherwise a query is a 404, and the log names such an index.
//!
//! To list pages of the CMS in the index of a [`Site`](crate::Site), mount `Rebased` beside it, and add its address with
//! [`SiteBuilder::sitemap`](crate::SiteBuilder::sitemap). For files, `sitemap edit FILE --rebase OLD NEW` does the same. The repository has a whole
//! program with reqwest and axum, `tests/frameworks/examples/rebased.rs`.
//!
//! # Invalid rows
//!
//! A row that cannot become an entry (an invalid slug, an undecodable column) is skipped. It is counted in
//! [`ServeStats`](crate::ServeStats) at each rendering, and logged with its key once an hour.
//!
//! By default, one bad image therefore removes the whole page. To list the page without the image, drop invalid values instead:
//!
//! ```
//! use sitemap_serde::{Image, OnInvalid, UrlEntry};
//! use sitemap_site::SiteBuilder;
//!
//! let mut lamp = UrlEntry::new("/lamp");
//! lamp.images = vec![Image::new("/lamp.jpg"), Image::new("file:///lamp.raw")];
//!
//! let site = SiteBuilder::new("https://example.com")
//!     .section("products", [lamp])
//!     .on_invalid(OnInvalid::DropValue)
//!     .build()?;
//! # let request = http::Request::get("/sitemap-products.xml").body(())?;
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! # let response = runtime.block_on(site.respond(&request));
//! # assert_eq!(response.status(), 200);
//! # assert_eq!((site.stats().skipped, site.stats().dropped), (0, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each dropped value is counted and logged like a skipped row. Only an invalid loc still skips the row. With `OnInvalid::Fail`,
//! one invalid row fails its part. [`SiteBuilder::on_problem`](crate::SiteBuilder::on_problem) sets a function that gets each
//! problem, at every rendering of the part.
//!
//! If errors skip every row of a part, the part fails. The index still lists it, and the log has the first error and the number
//! of rows.
//!
//! # Announcing changes
//!
//! [`Site::changes`](crate::Site::changes) reads the pages whose lastmod is after a time, to announce them with IndexNow. A site
//! keeps no history, so it does not know removed pages, nor changes of pages without a lastmod. A set does: export the site to a
//! set, and announce the changes that [`unannounced`](crate::SitemapSet::unannounced) reports.
//!
//! # The same pages as files
//!
//! [`Site::export`](crate::Site::export) writes all sections as a [set of files](super::sets), for a web server, an object store,
//! or a static site. The addresses of the files have numbers (`/sitemap-products-1.xml`), not keys as above. Serve only one of
//! them on a host, since search engines treat two addresses as two sitemaps.
//!
//! [`ServeSet`](crate::ServeSet) is a service for a set of files in a directory or an object store, exported or written by other
//! programs. Its responses have the same `ETag`, 304, gzip and headers as a `Site`'s. They always have `Last-Modified`, since a
//! set records the time of each file's change. [`memory_bytes`](crate::ServeSet::memory_bytes) sets its memory budget. While the
//! directory or store does not respond, files of the last published set are served from memory, and all others answer 503. A file
//! that differs from the set's manifest is never sent.
//!
//! ```no_run
//! use axum::Router;
//! use sitemap_site::{ServeSet, Site, SitemapSet};
//!
//! # async fn serve(site: Site, listener: tokio::net::TcpListener) -> Result<(), Box<dyn std::error::Error>> {
//! let set = SitemapSet::directory("/var/lib/shop/sitemaps", "https://example.com").open()?;
//! println!("{}", site.export(&set).await?); // now and then
//!
//! let files = ServeSet::new(set);
//! let app: Router = Router::new()
//!     .route_service("/sitemap.xml", files.clone())
//!     .route_service("/sitemap-{part}", files);
//! // Responses in progress are finished before the program ends.
//! axum::serve(listener, app).with_graceful_shutdown(async { drop(tokio::signal::ctrl_c().await) }).await?;
//! # Ok(())
//! # }
//! ```

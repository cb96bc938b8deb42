//! Serving the sitemap of a site from its database.
//!
//! A [`Site`](crate::Site) has a base and sections; a section has a name and a [source](super::sources) of rows:
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
//! tracing_subscriber::fmt::init(); // shows which rows are skipped, and why
//! let site = SiteBuilder::new("https://example.com")
//!     .section("pages", [Page::Home, Page::About])
//!     .build()?;
//! site.ready().await?; // counts the rows: until then the index is 503
//! let app: Router = Router::new().merge(sitemap_axum::routes(&site));
//! # let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! // Begun responses end before the program does.
//! axum::serve(listener, app).with_graceful_shutdown(async { drop(tokio::signal::ctrl_c().await) }).await?;
//! # Ok(())
//! # }
//! ```
//!
//! A failure is a status, with a reason for people in the body. Its cause, with the causes of that, is in the log, under the target `sitemap_site`, and so is
//! each row that is skipped. The log is that of [tracing](https://docs.rs/tracing-subscriber), or where that has no subscriber, of the logger of the crate
//! `log`. A program that has neither is told once, on standard error, that a row is skipped or a part has failed.
//!
//! # Checking a site
//!
//! [`Site::ready`](crate::Site::ready) renders the first part of each section, and its error names the sections whose rows cannot be counted or
//! rendered: a column that does not exist, a section of news without `News`. The other sections are served, whatever it returns, so a server that must
//! start in any case logs the error:
//!
//! ```
//! # async fn start(site: sitemap_site::Site) {
//! if let Err(error) = site.ready().await {
//!     tracing::error!("a part of the sitemap is missing: {error}");
//! }
//! # }
//! ```
//!
//! [`Site::check`](crate::Site::check) reads all rows, as a test or before a deployment. It reports rows that are skipped, pages that are listed
//! twice, and empty path segments:
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
//! | `/sitemap.xml` | the index |
//! | `/sitemap-index-2.xml`, … | further indexes, if there are more than 50,000 parts (P-COUNT); [`Site::robots_lines`](crate::Site::robots_lines) has a line for each |
//! | `/sitemap-pages.xml` | all rows of the section `pages`; the index lists it if they fit in one part |
//! | `/sitemap-products.~10000.xml` | the rows of the section `products` up to the key 10000 |
//! | `/sitemap-products.10000~20000.xml` | its rows above 10000, up to 20000 |
//! | `/sitemap-products.20000~.xml` | its rows above 20000, until there are 15,000 of them |
//! | `/sitemap.html` | the index as an HTML page, with [`SiteBuilder::html`](crate::SiteBuilder::html) |
//! | `/sitemap.css` | the stylesheet, with [`SiteBuilder::default_stylesheet`](crate::SiteBuilder::default_stylesheet) |
//! | `/KEY.txt` | the key file of IndexNow, with [`SiteBuilder::index_now_key`](crate::SiteBuilder::index_now_key) |
//!
//! Each of these addresses needs a route: the function `routes` of `sitemap_axum`, `sitemap_actix` and `sitemap_rocket` has them all, and
//! [`Site::paths`](crate::Site::paths) lists them for other frameworks. Every other address is 404. The address of a part contains both ends of its key range, so every
//! instance of the program serves what the index of another lists, and an old address still has all rows of its range. The columns of a key are
//! separated by dots; in texts, every character other than letters, digits and `-` is written as `_` and two hexadecimal digits per byte.
//!
//! For keys that must not be public (email addresses, numbers that reveal how many customers there are), use
//! [`SiteBuilder::opaque_urls`](crate::SiteBuilder::opaque_urls): both ends are encrypted with a secret that all instances share, and
//! forged addresses are 404. The log and a [`TableStore`](crate::TableStore) still contain the keys.
//!
//! Without it anybody can request any range of keys, so ranges that the index does not list are limited:
//!
//! - Of the four parts that are rendered at the same time, at most two are such ranges.
//! - A range of at most 50,000 rows (P-COUNT) is served, listed or not, and no more rows of a range are read: the index of before, or of an instance with
//!   another [`part_rows`](crate::SiteBuilder::part_rows), may list it.
//! - A larger range is 503 with `Retry-After` for a day, since an index that is still in use may list it. The day begins with the count that has split it; if it
//!   was no part of this instance, with the first request for it. Then it is 410. If its ends are those of parts, neither needs a query. So
//!   `/sitemap-products.xml` is 410 at last once the section has more than 50,000 rows.
//!
//! # News
//!
//! Google News reads articles of the last two days (P-NEWS5), at most 1,000 in a file (P-NEWS4). [`Section::news`](crate::Section::news) makes a section
//! one of news: an article leaves it when it is two days old, responses are fresh for a minute, and parts are as small as they have to be. Its rows are
//! read each minute, so its source has a condition:
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
//! # Ok::<(), sitemap_site::BuildError>(())
//! ```
//!
//! If a row has several articles, a part may have more than 1,000: then it is split, and the log names P-NEWS4.
//! [`Section::part_rows`](crate::Section::part_rows) sets the size of the parts of any other section, too.
//!
//! # Complete responses
//!
//! A part is rendered completely before its response begins, so a failure is never half a document: it is a 500, or a 503 with `Retry-After` if it is
//! temporary. Details of a failure are in the log (`tracing`), never in a response.
//!
//! If the cache has an older copy of the part, clients get this copy instead of the failure, with its `Age`, for as long as `stale-if-error` says. They
//! get it too if rendering takes more than a second; the rendering goes on without them. A failed part is rendered again after five seconds at the earliest:
//! until then clients get the copy, or the same failure. It is tried again without requests, too, after pauses from five seconds to ten minutes, and so is a
//! count that has failed.
//!
//! A panic in a source, or in the type of a row, is an error like any other: it costs the row, the part or the count in which it occurs, and
//! [`SectionStats::panics`](crate::SectionStats::panics) counts it. With `panic = "abort"` in a profile of `Cargo.toml` it ends the program.
//!
//! A section whose rows cannot be counted keeps its last good table, and the other sections are not affected. If it was never counted, the index answers 503,
//! since search engines drop the pages that an index lists no longer. [`SiteBuilder::omit_failed_sections`](crate::SiteBuilder::omit_failed_sections) lists the
//! others instead.
//!
//! All requests for a part that is being rendered wait for the same rendering; if all of them are cancelled, so is the rendering. A slow client
//! occupies neither a database connection nor a thread. Parts are kept compressed, and are decompressed for clients that do not accept gzip. Parts in
//! the cache, and those that are being sent, use at most [`SiteBuilder::memory_bytes`](crate::SiteBuilder::memory_bytes) of memory; further ones are in
//! temporary files, which are removed after the last client.
//!
//! A row that cannot be an entry (a slug that is not a URL, a column that cannot be decoded) is skipped, counted in [`ServeStats`](crate::ServeStats) at each
//! rendering, and logged with its key once an hour.
//!
//! So a page with one bad image is missing as a whole, until somebody reads the log. To list it without the image, let the site drop invalid values:
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
//! Each dropped value is counted and logged as a skipped row is. Only an invalid loc still costs the row. With `OnInvalid::Fail`, one invalid row fails its
//! part. [`SiteBuilder::on_problem`](crate::SiteBuilder::on_problem) sets a function that hears of each, each time that the part is rendered.
//!
//! If all rows of a part are skipped because of errors, it is a failure: the index still lists the part, the log has the first error and the number of
//! rows.
//!
//! A part without entries is 404, and not in the index. A site without entries has no index: `/sitemap.xml` is 404, since an empty sitemap would be
//! invalid (P-EMPTY). After [`max_age`](crate::SiteBuilder::max_age) the next request for the index looks at empty parts again, so pages that come back are
//! listed within that time. This costs a query for each empty part, which reads its rows if `exclude_if` has left them all out.
//!
//! A condition of the type (`exclude_if`) also belongs into the query of a database's source, which counts keys without reading rows: otherwise the
//! index lists a part whose rows are all skipped, until somebody requests it. Sources whose rows are read to be counted (lists, closures, the default of
//! [`Source::keys`](crate::Source::keys)) need no such condition.
//!
//! # HTTP caching
//!
//! Every document has a strong `ETag`, the hash of its XML, which is the same on every instance; `Cache-Control: public, max-age=600,
//! stale-while-revalidate=86400, stale-if-error=86400`; and `Vary: Accept-Encoding`. Failures are `no-store`. Within `max-age` no rows
//! are read twice: a client with the current document gets a 304 from memory. Ranges of keys that the index does not list are served, but only cached if another
//! instance may list them.
//! A request for a range of bytes (`Range`) gets the whole document.
//!
//! `Last-Modified` is only sent with a [`TableStore`](crate::TableStore), which remembers when each part changed; a process
//! that has just started does not know. This time is also the part's `lastmod` in the index (P-IDX3). Without a store that is the newest lastmod of its
//! rows, which a source of a database knows if its column of lastmods is named. Lastmods in the future are ignored until they have come. If a single row has none, neither has the part: nobody knows when it changed, and a date that is too old keeps crawlers away. The log says so
//! once for each section, and [`SectionStats::without_lastmod`](crate::SectionStats::without_lastmod) counts these parts. A column that may be NULL is
//! best completed by another, as in `COALESCE(updated_at, created_at)`: with `lastmod_sql` of `sitemap-sqlx`, `lastmod_expr` of `sitemap-seaorm`, or an
//! expression as the `lastmod` of `sitemap_diesel::rows!`.
//!
//! The lastmod of a row that changes is in the index after `max_age`, also in the middle of a section, if the source finds the newest rows
//! ([`Source::latest`](crate::Source::latest)), as those of databases with a `lastmod` do. Deleted rows and rows whose dates go back wait for the
//! count of all rows, and 1,000 changes or more make it due at once.
//!
//! The copies of a section, or of a single part, can be dropped before `max_age` ends, for instance when a page has to go at once:
//! [`Site::purge`](crate::Site::purge) drops them, and [`Site::warm`](crate::Site::warm) renders them again. Both accept the name of a section, or of a
//! part's file. Copies in proxies and browsers stay for `max-age`, and for [`stale-while-revalidate`](crate::SiteBuilder::stale_while_revalidate).
//!
//! # The table of parts
//!
//! The key ranges of the parts are determined by short queries that read each key once; once they are complete, a pause follows each query. A part ends at the
//! key with the smallest hash among its 5,000th to 15,000th rows (half to one and a half times [`part_rows`](crate::SiteBuilder::part_rows)), so that the ranges depend
//! on the rows alone, and a row that comes or goes changes one part, seldom two or three. After
//! [`max_age`](crate::SiteBuilder::max_age) the next request for the index starts a background task that counts the rows after the last full part. After
//! [`recount_after`](crate::SiteBuilder::recount_after) it counts all rows and makes the table anew. If that fails, the table stays unchanged. Without requests
//! there are no queries, except those that try again what has failed.
//!
//! Between two counts of all rows, a source that finds its newest lastmods ([`Source::latest`](crate::Source::latest)) shows which parts have changed, so that the index
//! has their lastmods after `max_age`. If 1,000 rows or more have changed, all rows are counted again, at most once within `max_age` and for a tenth of the
//! time. Where lastmods are days, that holds for the whole day on which 1,000 rows or more change, until each part has a row of that day: a column with a
//! time of day costs less.
//!
//! [`Site::ready`](crate::Site::ready) makes the table before the first request; [`Site::refresh`](crate::Site::refresh) counts again after a large import, and
//! purges all sections.
//! Otherwise the first request for the index waits for up to five seconds, and is 503 after that, with a `Retry-After` and a warning in the log: an index of
//! some of the rows would drop pages from search engines. Later requests wait for a second at most, and get the index as it was. The first count makes no pauses between its queries.
//!
//! A part that exceeds 50,000 entries or 52,428,800 bytes between two counts is a failure, and is split at once. An instance whose table is old may list
//! a range whose rows have been deleted since: such a part is 404, and from then on this instance's index does not list it.
//!
//! # Announcing changes
//!
//! [`Site::changes`](crate::Site::changes) reads the pages with a lastmod since a time, to announce them by IndexNow. A site keeps no history, so
//! it knows neither the pages that were removed nor whether a page without a lastmod has changed. A set does: export the site to one, and announce
//! what its [`unannounced`](crate::SitemapSet::unannounced) reports.
//!
//! # The same pages as files
//!
//! [`Site::export`](crate::Site::export) writes all sections as a [set of files](super::sets): for a web server, an object store, or a static site. The
//! addresses of the files have numbers (`/sitemap-products-1.xml`), not keys as above. Serve one or the other on a host, not both, since search engines
//! treat two addresses as two sitemaps.
//!
//! [`ServeSet`](crate::ServeSet) is a service that serves a set of files, exported or written by other programs, from a directory or an object store. Its
//! responses have the same `ETag`, 304, gzip and headers as those of `Site`, and always `Last-Modified`, since a set records when each file
//! changed. [`ServeSetBuilder`](crate::ServeSetBuilder) sets its memory budget. While the directory or store does not respond, the files of the last
//! published set that are in memory are still served, and the others are 503. A file that differs from the set's manifest is never sent.
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
//! // Begun responses end before the program does.
//! axum::serve(listener, app).with_graceful_shutdown(async { drop(tokio::signal::ctrl_c().await) }).await?;
//! # Ok(())
//! # }
//! ```

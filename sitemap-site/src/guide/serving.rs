//! Serving the sitemap of a site from its database.
//!
//! A [`Site`](crate::Site) has a base and sections, each a name and a [source](super::sources) of rows:
//!
//! ```no_run
//! use axum::Router;
//! use sitemap_serde::SitemapEntry;
//! use sitemap_site::Site;
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
//! let site = Site::new("https://example.com")
//!     .section("pages", [Page::Home, Page::About])
//!     .build()?;
//! let app: Router = Router::new()
//!     .route_service("/sitemap.xml", site.clone())
//!     .route_service("/sitemap-{part}", site);
//! # let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! axum::serve(listener, app).await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Addresses
//!
//! | address | what |
//! |---|---|
//! | `/sitemap.xml` | the index |
//! | `/sitemap-pages.xml` | all rows of the section `pages`, which is how it is listed while they fit in one part |
//! | `/sitemap-products.~10000.xml` | its rows up to the key 10000 |
//! | `/sitemap-products.10000~20000.xml` | those above 10000 and up to 20000 |
//! | `/sitemap-products.20000~.xml` | those above 20000, until they are 10,000 |
//! | `/sitemap.html` | the index for people, with [`SiteBuilder::html`](crate::SiteBuilder::html) |
//! | `/sitemap.css` | the stylesheet, with [`SiteBuilder::stylesheet`](crate::SiteBuilder::stylesheet) |
//! | `/KEY.txt` | the key file of IndexNow, with [`SiteBuilder::index_now_key`](crate::SiteBuilder::index_now_key) |
//!
//! Each of them needs a route; everything else is 404. An address says both ends of its rows, so that any instance of the program serves
//! what another's index lists, and an address that a crawler kept from last week still has all its rows. Keys of several columns have
//! dots between them; in a text, what is not a letter, a digit or `-` is written as `_` and two hexadecimal digits.
//!
//! Keys that nobody is to read (addresses of mail, numbers that count customers) are kept out of addresses by
//! [`SiteBuilder::opaque_addresses`](crate::SiteBuilder::opaque_addresses): both ends are encrypted by a secret that all instances have, and an
//! address that was made without it is 404. Keys are then still in the log and in a [`TableStore`](crate::TableStore).
//!
//! # A part is whole or not there
//!
//! A part is rendered before its head is sent: a failure in the middle is a 500 (or 503 with `Retry-After`, where it is expected to
//! pass), never half a document. Details are in the log (`tracing`), never in a response. All who ask for a part while it is rendered wait for
//! one rendering; when the last of them leaves, it is given up. It is kept compressed, within
//! [`SiteBuilder::cache_bytes`](crate::SiteBuilder::cache_bytes), and inflated for clients that do not take gzip. A slow client holds
//! none of the limits: not a connection to the database, and no thread. Nor does it hold more memory than is set: beyond
//! [`SiteBuilder::sending_bytes`](crate::SiteBuilder::sending_bytes) what is sent is in temporary files, which are gone with their last client.
//!
//! A row that cannot be listed (a slug that is no URL, a cell that does not load) is left out, counted in [`Stats`](crate::Stats), and
//! logged with its key.
//!
//! A part is 404, and not in the index, if its range has no entries. Where rows are read to be counted (lists, closures, the default of
//! [`Source::step`](crate::Source::step)) the index knows that at once. A source of a database counts by an index and does not read rows: if all rows
//! of a part are left out by the type (`exclude_if`), the index lists it until it is asked for once. So what is not to be listed belongs into the source's
//! condition too, which also spares reading it.
//!
//! # What caches are told
//!
//! Every document has a strong `ETag`, the hash of its XML, which is the same on every instance; `Cache-Control: public, max-age=600,
//! stale-while-revalidate=86400, stale-if-error=86400`; and `Vary: Accept-Encoding`. Failures are `no-store`. Within `max-age` no rows
//! are read twice: a client that has a document gets 304 from memory. Ranges that the index does not name are served, but not kept.
//!
//! `Last-Modified` is only sent with a [`TableStore`](crate::TableStore), which knows since when a part's content is what it is; a process
//! that has just started does not. The index's `lastmod` of a part is that time (P-IDX3), or without a store the newest lastmod of its
//! entries, and none where one entry has none.
//!
//! # The table of parts
//!
//! Which ranges there are is counted once, by short queries of one part each with a pause after every one, and kept. After
//! [`max_age`](crate::SiteBuilder::max_age) the next request for the index has the rows after the last full part counted, and after
//! [`recount_after`](crate::SiteBuilder::recount_after) all of them, in the background: parts that have grown to twice their size are split,
//! small neighbours are joined. When that fails, the table stays as it is. Nothing is done while nobody asks.
//!
//! [`Site::ready`](crate::Site::ready) makes the table before the first request; [`Site::refresh`](crate::Site::refresh) counts anew after a large import.
//! Without either, the first request for the index waits for up to [`patience`](crate::SiteBuilder::patience), and is 503 after that.
//!
//! A part that outgrows 50,000 entries or 52,428,800 bytes between two counts is 503, and split at once.
//!
//! # The same pages as files
//!
//! [`Site::export`](crate::Site::export) writes all sections as a [set of files](super::sets): for a web server, an object store, or a site that is built
//! once. The files' addresses are those of sets, by section and number (`/sitemap-products-1.xml`), and not the ones above, which say keys: a host
//! serves one or the other, since search engines take two addresses for two sitemaps.
//!
//! [`ServeSet`](crate::ServeSet) serves a set, exported or written by other programs, as a service like `Site`: the same `ETag`, 304, gzip and heads;
//! `Last-Modified` always, since a set knows when each of its files changed.
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
//! axum::serve(listener, app).await?;
//! # Ok(())
//! # }
//! ```

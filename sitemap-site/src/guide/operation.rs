//! Serving in production: proxies, database indexes, several instances, monitoring.
//!
//! # Behind a proxy
//!
//! The base of a [`Site`](crate::Site) is the public address of the site, and is configured. Headers such as `X-Forwarded-Host`
//! and `X-Forwarded-Proto` have no effect, since any client can send them. If one process serves several hosts,
//! [`Sites`](crate::Sites) selects the site by the `Host` header. The proxy must pass it on (`proxy_set_header Host $host;` in
//! nginx).
//!
//! If the proxy or the router strips a path prefix (`https://example.com/shop/` becomes `/` for the program), the base keeps the prefix: the site
//! accepts paths with and without it.
//!
//! A caching proxy needs only the headers of the responses. In nginx:
//!
//! ```text
//! proxy_cache_path /var/cache/nginx/sitemaps keys_zone=sitemaps:1m;
//!
//! location ~ ^/sitemap[-.] {
//!     proxy_pass http://127.0.0.1:3000;
//!     proxy_cache sitemaps;
//!     proxy_cache_use_stale error timeout updating http_500 http_503;
//! }
//! ```
//!
//! A response is `public` for [`max_age`](crate::SiteBuilder::max_age), a failure is `no-store`. A failure never truncates a
//! body, since an HTTP/1.0 client such as nginx would take it for complete.
//!
//! `axum::serve` has no timeout for the head of a request. A proxy has one (`client_header_timeout` in nginx). If there is no
//! proxy, serve the connections with hyper and a `header_read_timeout`, as the example `shop` does
//! (`examples/src/bin/shop/connections.rs`).
//!
//! # Before the first request
//!
//! The site builds the table of parts by reading the key's index once, with one query per part, without pauses: some seconds for
//! a million rows. [`Site::ready`](crate::Site::ready) waits until the table is complete, and renders the first part of each
//! section; a server calls it before it reports itself as ready to its load balancer:
//!
//! ```no_run
//! # async fn f(site: sitemap_site::Site) -> Result<(), Box<dyn std::error::Error>> {
//! tokio::spawn(async move {
//!     // Meanwhile parts are served, and the index is 503 with `Retry-After`. A failed attempt keeps what it has counted.
//!     while let Err(error) = site.ready().await {
//!         tracing::error!("{error}"); // each section that fails, with the reason
//!         tokio::time::sleep(std::time::Duration::from_secs(60)).await;
//!     }
//! });
//! # Ok(())
//! # }
//! ```
//!
//! With a [`TableStore`](crate::TableStore) a restart loads the stored table and counts nothing.
//!
//! # Budgets
//!
//! | resource | setting | default |
//! |---|---|---|
//! | memory for parts: at most half for the cache, the rest for parts in transfer to slow clients | [`memory_bytes`](crate::SiteBuilder::memory_bytes); above it temporary files are used | 128 MiB |
//! | concurrent renderings, each with one query at a time, plus one query per section that is being counted | | 4; at most 2 of one section, if there are several |
//! | parts that wait for their rendering; above it 503 | | 1,000, each for five times the `time_limit` |
//! | time of a rendering, a query of the table, a call of a `TableStore` | [`time_limit`](crate::SiteBuilder::time_limit); above it 503, or the last good table | one minute |
//! | rows in memory per rendering | | 1,000 |
//! | threads per blocking source, including threads that wait for an unresponsive database | | 16 |
//!
//! **Connections.** A site uses up to four connections for renderings, and one for each section that is being counted. While a table is
//! locked, they wait in the database until the `time_limit`. If the program's other queries use the same pool, they wait for a
//! connection. In a test with a pool of four, a route of the program answered 503 after five seconds. So give the sitemap a pool of its
//! own, or a pool with more connections than four plus the number of sections.
//!
//! **Several sites.** Each site of [`Sites`](crate::Sites) has its own budget, so a tenant whose database hangs delays no other. The
//! process needs the sum: a thousand sites may run 4,000 renderings, each with 1,000 rows in memory, and cache 125 GiB with the
//! default of `memory_bytes`. Divide the memory that the process may use by the number of sites.
//!
//! # Secrets
//!
//! The secret of [`opaque_urls`](crate::SiteBuilder::opaque_urls) has at least 16 bytes from a secure generator
//! (`openssl rand -hex 32`) and is the same on all instances. Rotating it changes all addresses: crawlers find the new addresses
//! in the index, and the old addresses are 404 immediately. During a rolling restart, instances with different secrets do not
//! know each other's addresses. So rotate the secret when it has leaked, not on a schedule.
//!
//! # Clocks
//!
//! `Last-Modified` and the index's `lastmod` are never later than the time of the response, and two changes within the same
//! second get different times. If a clock is set back or jumps, these values are omitted for a while, but no client misses an
//! update. `ETag`s do not depend on time.
//!
//! The index ignores a lastmod in the future (`9999-12-31`, a local time stored as UTC) until its time has come, so that it does
//! not hide later changes of the part. A warning names the first such row once an hour. A day counts as begun as soon as it has
//! begun anywhere on Earth.
//!
//! # Database indexes
//!
//! | query | how often | index |
//! |---|---|---|
//! | a batch of rows: `WHERE key > ? AND key <= ? ORDER BY key LIMIT 1001` | 11 times per part, at most every `max_age` | the key; a primary key is enough |
//! | the keys and lastmods of a part: `SELECT key, lastmod … LIMIT 15000` | for the last part every `max_age`, for all parts once a day | the key; with an index that also covers the lastmod no rows are read |
//! | the newest rows: `SELECT key, lastmod … ORDER BY lastmod DESC LIMIT 1000` | every `max_age`; with the next query, at most a hundredth of the time | the lastmod; without an index the table is sorted |
//! | whether a key is after another: `SELECT key … WHERE key > ? AND key <= ? … LIMIT 1`, only for keys other than single integers | for each changed row, log2 of the number of parts | the key |
//!
//! In PostgreSQL `CREATE INDEX ON products (id) INCLUDE (updated_at) WHERE NOT draft`, in SQLite
//! `CREATE INDEX products_sitemap ON products (id, updated_at) WHERE NOT draft`. Each of these queries sorts the table if the key
//! has no index. The function `explain` of the sources in `sitemap-sqlx` and `sitemap-seaorm` returns the database's query plan.
//!
//! If few rows meet the source's condition (one in a thousand), the database reads many rows for each batch. Use a partial index,
//! as above.
//!
//! # Several instances
//!
//! Instances need not share anything. Each has its own table of parts, which depends only on the rows: instances that have
//! counted the same rows have the same index, with the same `ETag`. Until all have counted, their tables differ in parts with
//! added or removed rows. The address of a part contains both ends of its key range. So every instance serves the parts that any
//! other instance lists or has listed, with the same `ETag`. It reads them once within `max_age`, like its own parts, and keeps
//! them in an eighth of its cache. The last part has no upper end, so an older table lists new rows too.
//!
//! Two facts are known only after a part is rendered, so indexes may differ in them:
//!
//! - The type excludes all rows of the part (`exclude_if`). From then on this instance does not list it. If the source's query
//!   has the same condition, there is no such part.
//! - The document is too large, so this instance splits the part. A lower [`part_rows`](crate::SiteBuilder::part_rows) prevents
//!   this.
//!
//! A shared [`TableStore`](crate::TableStore) gives all instances one table. An instance loads the stored table at most every
//! `max_age`, adopts the later count and the later content of each part, and saves the result unless another instance has saved
//! in between. Then all send the same `Last-Modified`, which never goes back, and a new instance counts nothing. The interval
//! between counts of all rows varies by a random quarter, so that instances do not count at the same time.
//!
//! A load balancer needs no sticky sessions. A caching one, such as nginx, can send an index that is older than the parts:
//!
//! - A new row is in the last part, which old indexes list too. A part that is no longer listed is still served at its old
//!   address.
//! - A cache may send an old index within `max-age`, and for `stale-while-revalidate` after it. `proxy_cache_use_stale error`
//!   sends it for as long as no instance responds. An old index misses rows only if its last part had an end because no rows
//!   followed it then. To get an index that is never older than `max-age`, set
//!   [`stale_while_revalidate`](crate::SiteBuilder::stale_while_revalidate) to zero, and omit `updating` for `/sitemap.xml`.
//! - Send requests to a new instance once [`Site::ready`](crate::Site::ready) has returned. Until then its index answers 503, and
//!   `proxy_next_upstream error timeout http_503` tries the next instance. `max_fails=0` makes nginx try it again at the next
//!   request, not ten seconds later.
//! - Versions with other conditions or `part_rows` serve each other's ranges; see [Migrations and deploys](#migrations-and-deploys).
//!
//! # Migrations and deploys
//!
//! No change needs downtime of the sitemap. A response is a whole document or a failure: a query that a migration breaks never
//! makes a part with fewer rows.
//!
//! **Changing a table.** Add a column before you deploy the version that reads it. Drop a column after you deploy the version
//! that no longer reads it. If a query fails in between, clients get the last good copy of the part, or 500 if there is none. The
//! site retries such parts by itself, and [`stale_since`](crate::ServeStats::stale_since) is `None` once all are rendered.
//! Queries wait for the locks of a migration: after [`time_limit`](crate::SiteBuilder::time_limit) the part answers 503. So set
//! `lock_timeout` for the migration, and run it in small steps.
//!
//! **Large imports and deletions.** Call [`Site::refresh`](crate::Site::refresh) afterwards; otherwise the next count of all rows
//! finds the changes. An older index stays valid for a day: its addresses have all rows of their ranges, even if a range is now
//! several parts. An address with more than 50,000 rows answers 503 with `Retry-After` for this day, and the new index lists its
//! rows in smaller parts. The log warns if a section has lost half of its rows between two counts, or if renderings find
//! parts with half of its rows empty. The usual reason is a deploy with a wrong condition. A new process compares with the counts in the
//! [`TableStore`](crate::TableStore), and knows no former number without one.
//!
//! **Another `part_rows`.** Deploy it like any other version. Old and new instances serve each other's parts. All addresses
//! change, so crawlers read every part once: choose the number for good.
//!
//! **Another condition.** Both versions serve each other's addresses, but old instances list the rows by the old condition until they are replaced.
//!
//! **Other keys.** Addresses contain the keys. After a change from numbers to UUIDs, for example, the old addresses are 404, and
//! the new ones are 404 on old instances. Addresses that a running instance lists answer 500 until it has counted the rows again.
//! Give the section a new name for the new key, such as `products-2`, so that the versions do not confuse their addresses or
//! stored tables. Switch all traffic to the new version at once. If instances must be replaced one by one, send requests for
//! `/sitemap…` only to the new ones. If a section keeps its name, a new version that finds the old keys in the
//! [`TableStore`](crate::TableStore) counts all rows again. After that its index is correct.
//!
//! **What the sources do.** `sitemap-sqlx` asks the database for the columns, again every second and after each failure, and
//! names them in its queries. If a query fails because a column has another name or type, it is repeated once with the new
//! columns. In PostgreSQL this includes "cached plan must not change result type", on all connections. A row with an undecodable
//! value is skipped and logged. If no row of a batch can be decoded, nor the first rows of the table, nor the next ones, then a
//! column is missing or has another type: the batch is an error, not an empty batch. `sitemap-seaorm`, `sitemap-diesel` and
//! `sitemap-diesel-async` read the columns of their models, and also repeat queries with outdated plans. Panics while a row is
//! decoded count as errors; with `panic = "abort"` they end the process.
//!
//! **PgBouncer in transaction mode** needs version 1.21 or later with `max_prepared_statements` above 0, the default since 1.24.
//! Each transaction may run on another connection of the server, and these versions prepare a client's statements there. Older
//! versions, or a limit of 0, do not. In a test of 1.18 with eight clients most queries failed with
//! `prepared statement "sqlx_s_1" already exists`, and **others returned the rows of another table**, since two clients used the
//! same statement name. `statement_cache_capacity(0)` does not help. With such a version, use `pool_mode = session` for the
//! sitemap's connections. PgBouncer also refuses sqlx's connections unless it has
//! `ignore_startup_parameters = extra_float_digits`. In a test of 1.25 all 2,400 batches were correct, with and without a
//! statement cache.
//!
//! **A read replica** serves the rows that it has replayed: index and parts agree with each other, and lag behind the primary
//! together. In a test with a delay of four seconds, a new row, a deleted one and a new type of a column were all served by the
//! first requests after the replay, without an error in between. Call [`Site::purge`](crate::Site::purge) or
//! [`Site::refresh`](crate::Site::refresh) only when the replica has replayed the change: before that, they read the old rows
//! again. PostgreSQL cancels queries that conflict with the replay (`canceling statement due to conflict with recovery`):
//! crawlers get the last good copy, or 503. Use one replica per instance. A load balancer of several replicas may read the index
//! from one and a part from another that lags more: then the part lacks a new row until `max_age` has passed.
//!
//! **A new section** is 404 on old instances: deploy it everywhere before a purged index lists it.
//!
//! # What to watch
//!
//! [`Site::stats`](crate::Site::stats) returns counters for a program's metrics:
//!
//! | counter | meaning |
//! |---|---|
//! | `requests`, `not_modified` | requests, and how many of them were answered with 304 |
//! | `renderings` | load on the database: at most the number of parts times `86400 / max_age` per day |
//! | `failures` | failed renderings; the log says which part failed and why |
//! | `skipped` | rows missing in the sitemap |
//! | `dropped` | values missing in their entries |
//! | `store_failures` | the table of parts could not be loaded or saved: after a restart all rows are counted |
//! | `spilled` | bodies in temporary files: slow or many clients exceed `memory_bytes` |
//! | `cached_bytes`, `memory_bytes`, `under_way` | current use of memory and current renderings |
//! | `sections` | for each section the age of its table, the parts and rows, failures by cause, panics, times of renderings, the last success |
//! | `stale_since()` | the time since which a listed part fails to render, or a section's rows fail to count. The site still serves older copies and tables, and retries by itself: `None` once nothing fails any more |
//!
//! Metrics for Prometheus, and a health check:
//!
//! ```
//! use std::fmt::Write;
//! use std::time::Duration;
//!
//! use sitemap_site::{Site, SiteBuilder};
//!
//! fn metrics(site: &Site) -> String {
//!     let stats = site.stats();
//!     let mut text = String::new();
//!     for (metric, value) in [
//!         ("requests_total", stats.requests),
//!         ("cached_bytes", stats.cached_bytes),
//!         ("store_failures_total", stats.store_failures),
//!     ] {
//!         let _ = writeln!(text, "sitemap_{metric} {value}");
//!     }
//!     for section in &stats.sections {
//!         let failures = &section.failures;
//!         for (cause, count) in [
//!             ("source", failures.source),
//!             ("late", failures.late),
//!             ("busy", failures.busy),
//!             ("room", failures.room),
//!             ("content", failures.content),
//!             ("table", failures.table),
//!         ] {
//!             let name = &section.name; // letters, digits, `-` and `_`
//!             let _ = writeln!(text, "sitemap_failures_total{{section=\"{name}\",cause=\"{cause}\"}} {count}");
//!         }
//!         for (metric, value) in [
//!             ("rows", section.rows as f64),
//!             ("listed_parts", section.listed as f64),
//!             ("panics_total", section.panics as f64),
//!             ("skipped_rows_total", section.skipped as f64),
//!             ("rendering_seconds_sum", section.rendering_time.as_secs_f64()),
//!             ("rendering_seconds_count", section.renderings as f64),
//!             ("table_age_seconds", section.table_age.map_or(f64::NAN, |age| age.as_secs_f64())),
//!             ("stale_seconds", section.stale_since.map_or(0.0, |since| since.elapsed().unwrap_or_default().as_secs_f64())),
//!         ] {
//!             let _ = writeln!(text, "sitemap_{metric}{{section=\"{}\"}} {value}", section.name);
//!         }
//!     }
//!     text
//! }
//!
//! /// What is old for a day is a case for people; a restart would not make it newer.
//! fn health(site: &Site) -> (u16, String) {
//!     let Some(since) = site.stats().stale_since() else {
//!         return (200, "current\n".to_owned());
//!     };
//!     let age = since.elapsed().unwrap_or_default();
//!     let status = if age < Duration::from_secs(86_400) { 200 } else { 503 };
//!     (status, format!("stale since {} seconds\n", age.as_secs()))
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let pages = ["/", "/about"].map(sitemap_serde::UrlEntry::new);
//! let site = SiteBuilder::new("https://example.com").section("pages", pages).build()?;
//! site.warm("pages").await?;
//! assert!(metrics(&site).contains("sitemap_listed_parts{section=\"pages\"} 1\n"));
//! assert!(metrics(&site).contains("sitemap_stale_seconds{section=\"pages\"} 0\n"));
//! assert!(metrics(&site).contains("sitemap_failures_total{section=\"pages\",cause=\"table\"} 0\n"));
//! assert_eq!(health(&site), (200, "current\n".to_owned()));
//! # Ok(())
//! # }
//! ```
//!
//! The crate emits these `tracing` spans, of the level info, and events, all with the target `sitemap_site`:
//!
//! | span | fields | events in it |
//! |---|---|---|
//! | `sitemap` | `part`: its name, with readable keys | a skipped row or dropped value: a warning with `key` and `error` for the first 20 rows of a part, then one with the total, once per hour and part; a part without lastmod in the index although entries have lastmods: a warning, once per section; a part fails to render: an error with the reason, ten per minute and section, and then the number of the rest |
//! | `sitemap_table` | `section` | the table has changed: info with `parts` and `took`; the table cannot be updated: an error; the section has lost half of its rows; a row has a lastmod in the future: a warning |
//! | `sitemap_export` | `section` | none of its own; it contains the events of the source |
//!
//! A table store that fails is a warning outside of spans. An unreadable file of a [`ServeSet`](crate::ServeSet) is an error with
//! the field `file`. Control characters in keys are escaped in messages and fields, so a line break in a key cannot forge a line
//! of the log. Problems that any client can cause are logged at most once a minute, as a warning, and do not count as failures:
//! ranges outside the table of parts that fail to render for any reason, and requests for the index before the table is complete,
//! or for the index of a site without entries. A request that waits for more than three seconds is a warning, once a minute. It
//! states the reason: its turn, its rows, the count of the rows, or the store.
//!
//! # What the tests prove
//!
//! `cargo test -p sitemap-load-tests` runs a shop on SQLite and on PostgreSQL in its own process, with clients on the loopback
//! interface:
//!
//! | load | result |
//! |---|---|
//! | 200 concurrent clients | each gets every part complete; the database gets no more queries than for one client |
//! | 100 clients that read 1 KB/s | they hold no database connection; the response time of a product page at most doubles |
//! | 500 clients that disconnect early, three times | their renderings stop; no query, open file or memory remains |
//! | the database locked, moved away, restarted | complete parts or 503 without details, and 200 afterwards without a restart of the shop |
//! | two instances with tables of different age behind a round robin | each URL that existed all the time is listed exactly once |
//!
//! `cargo test -p sitemap-serving-tests` sends HTTP/1.0 and 1.1 by hand: sources that fail in the middle of a part behind a
//! caching nginx, databases and stores that do not respond or return wrong data, and clients that disconnect at every point of a
//! request. `cargo run --release -p sitemap-load-tests --example ten_million` measures ten million rows side by side with Django.

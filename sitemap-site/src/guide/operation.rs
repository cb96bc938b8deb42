//! Serving in production: proxies, indexes of the database, several instances.
//!
//! # Behind a proxy
//!
//! The base of a [`Site`](crate::Site) is configuration: what the public types. Headers such as `X-Forwarded-Host` and `X-Forwarded-Proto` change
//! nothing, since any client can send them. Where one process serves several hosts, [`Sites`](crate::Sites) tells them apart by `Host`, which the
//! proxy has to pass on (`proxy_set_header Host $host;` in nginx).
//!
//! Where the proxy or the router takes a prefix away (`https://example.com/shop/` is `/` for the program), the base still has it: the site takes the
//! path with and without the base's own.
//!
//! A cache in front needs no more than what the responses say. In nginx:
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
//! A response is `public` for [`max_age`](crate::SiteBuilder::max_age), a failure is `no-store`. A body is never cut off to say that something failed, which an
//! HTTP/1.0 client such as nginx would take for the end.
//!
//! # Indexes of the database
//!
//! | query | how often | index |
//! |---|---|---|
//! | the rows of a page: `WHERE key > ? AND key <= ? ORDER BY key LIMIT 1001` | 11 times for a part, at most every `max_age` | the key, which a primary key is |
//! | the keys and lastmods of a part: `SELECT key, lastmod … LIMIT 10000` | for the last part every `max_age`, for all parts once a day | the key; one that covers the lastmod too spares the rows |
//!
//! In PostgreSQL `CREATE INDEX ON products (id) INCLUDE (updated_at) WHERE NOT draft`, in SQLite `CREATE INDEX products_sitemap ON products (id, updated_at)
//! WHERE NOT draft`. Without an index on the key each of these queries sorts the table: the sources of `sitemap-sqlx` and
//! `sitemap-seaorm` say by `explain` what the database makes of them.
//!
//! A condition that few rows meet (one listed row in a thousand) makes a page look at many rows: it wants a partial index, as above.
//!
//! # Several instances
//!
//! Instances need to share nothing. Each has its own table of parts, of another age perhaps; since a part's address says both ends of its rows,
//! any instance serves what any other lists, with the same `ETag`. The last part is open, so that the older table lists new rows too.
//!
//! With a [`TableStore`](crate::TableStore) that they share they have one table after a restart, and `Last-Modified`. Two that meet a change at the same moment keep the earlier
//! time. Counts of all rows are spread by a random quarter of their interval, so that instances do not count at once.
//!
//! # What to watch
//!
//! [`Site::stats`](crate::Site::stats) counts what a program can hand to its metrics:
//!
//! | counter | watch it for |
//! |---|---|
//! | `requests`, `not_modified` | crawlers, and how many of them have what they ask for |
//! | `renderings` | the database's share; parts times `86400 / max_age` a day at most |
//! | `failures` | anything but 0: the log says which part and why |
//! | `left_out` | rows that no search engine sees |
//! | `spilled` | clients so slow, or so many, that `sending_bytes` does not do |
//! | `cached_bytes`, `memory_bytes`, `under_way` | what it takes now |
//!
//! `tracing` has these spans and events, all with the target `sitemap_site`:
//!
//! | span | fields | events in it |
//! |---|---|---|
//! | `sitemap` | `part`, its name with readable keys | a row that is left out: warning with `key` and `error`, the first 20 of a part, then their number; a part that is not rendered: error with the reason |
//! | `sitemap_table` | `section` | the table has changed: info with `parts` and `took`; it cannot be brought up to date: error |
//! | `sitemap_export` | `section` | none of its own; around the source's |
//!
//! A store that cannot be read or written is a warning without a span; a file of a [`ServeSet`](crate::ServeSet) that cannot be read an error with `file`.

//! The responses of a site: complete documents, failures, caching, and the table of parts.
//!
//! [`serving`](super::serving) shows how to build a [`Site`](crate::Site). This page is for tuning one, and for reading its log.
//!
//! # Complete responses
//!
//! A part is rendered completely before its response begins, so a failure never sends half a document. It is a 500, or a 503 with
//! `Retry-After` if it is temporary. The body has a short explanation. Details are only in the log (`tracing`).
//!
//! If the cache has an older copy of the part, clients get this copy instead of the failure, with its `Age`, as long as
//! `stale-if-error` allows. They also get the copy if rendering takes more than a second; the rendering continues without them. A
//! failed part is rendered again after five seconds at the earliest. Until then clients get the copy, or the same failure. Failed
//! parts and failed counts are also retried without requests, after pauses of five seconds to ten minutes.
//!
//! A panic in a source, or in the type of a row, is an error like any other. It fails only its row, part or count, and
//! [`SectionStats::panics`](crate::SectionStats::panics) counts it. With `panic = "abort"` in a profile of `Cargo.toml` it ends
//! the program.
//!
//! A section whose rows cannot be counted keeps its last good table, and does not affect the other sections. If it was never
//! counted, the index answers 503, since search engines drop pages that an index no longer lists. With
//! [`SiteBuilder::skip_failed_sections`](crate::SiteBuilder::skip_failed_sections), the index lists the other sections instead.
//!
//! All requests for a part share one rendering. If all of them are cancelled, so is the rendering. A slow client holds neither a
//! database connection nor a thread. Parts stay compressed in memory, and are decompressed for clients that do not accept gzip.
//! Cached parts, and parts that are being sent, use at most [`SiteBuilder::memory_bytes`](crate::SiteBuilder::memory_bytes) of
//! memory. The rest are in temporary files, which are removed after the last client.
//!
//! # Empty parts
//!
//! A part without entries is 404, and not in the index, except the file of a [news section](super::serving#news). A site without entries has no index: `/sitemap.xml` is 404, since an
//! empty sitemap would be invalid (P-EMPTY). After [`max_age`](crate::SiteBuilder::max_age), the next request for the index
//! checks empty parts again, so returning pages are listed within that time. This costs a query for each empty part, which reads
//! its rows if `exclude_if` has excluded them all.
//!
//! A condition of the type (`exclude_if`) also belongs in the query of a database's source, which counts keys without reading
//! rows. Otherwise the index lists a part whose rows are all excluded, until it is first requested. Sources that read rows to
//! count them (lists, closures, the default of [`Source::keys`](crate::Source::keys)) need no such condition.
//!
//! # HTTP caching
//!
//! Every document has a strong `ETag`, the hash of its XML, which is the same on every instance. It also has
//! `Cache-Control: public, max-age=600, stale-while-revalidate=86400, stale-if-error=86400` and `Vary: Accept-Encoding`. Failures
//! are `no-store`. Within `max-age`, no row is read twice: a client with the current document gets a 304 from memory. A key range
//! that the index does not list is cached only if another instance may list it. A request for a range of bytes (`Range`) gets the
//! whole document.
//!
//! `Last-Modified` is only sent with a [`TableStore`](crate::TableStore), which remembers when each part changed; a process that
//! has just started does not know. This time is also the part's `lastmod` in the index (P-IDX3). Without a store, the index has
//! the newest lastmod of the part's rows. A database source knows it if its lastmod column is configured. A lastmod in the future
//! is ignored until its time has come.
//!
//! If a single row has no lastmod, the part has none either: nobody knows when the row changed, and a date that is too old keeps
//! crawlers away. The log reports this once for each section, and
//! [`SectionStats::without_lastmod`](crate::SectionStats::without_lastmod) counts these parts. Give a column that may be NULL a
//! fallback, as in `COALESCE(updated_at, created_at)`: with `lastmod_sql` of `sitemap-sqlx`, `lastmod_expr` of `sitemap-seaorm`,
//! or an expression as the `lastmod` of `sitemap_diesel::rows!`.
//!
//! If the source finds its newest rows ([`Source::latest`](crate::Source::latest)), a changed lastmod is in the index after
//! `max_age`, wherever the row is in the section. Database sources with a `lastmod` do this. Deleted rows, and rows whose dates
//! go back, are noticed by the next count of all rows. 1,000 or more changes start that count at once.
//!
//! To remove a page before `max_age` ends, drop the copies of its section or part: [`Site::purge`](crate::Site::purge) drops
//! them, and [`Site::warm`](crate::Site::warm) renders them again. Both accept the name of a section, or of a part's file. Copies
//! in proxies and browsers stay for `max-age`, and for [`stale-while-revalidate`](crate::SiteBuilder::stale_while_revalidate).
//!
//! # The table of parts
//!
//! Short queries find the key ranges of the parts, reading each key once. After the first count, a pause follows each query. A
//! part ends at the key with the smallest hash among its 5,000th to 15,000th rows (half to one and a half times
//! [`part_rows`](crate::SiteBuilder::part_rows)). So the ranges depend only on the rows, and an added or removed row changes one
//! part, seldom two or three.
//!
//! After [`max_age`](crate::SiteBuilder::max_age), the next request for the index starts a background task that counts the rows
//! after the last full part. Once a day it counts all rows and rebuilds the
//! table. If that fails, the table stays unchanged. There are no queries without requests, except retries of failures.
//!
//! A source that finds its newest lastmods ([`Source::latest`](crate::Source::latest)) shows between two counts which parts have
//! changed, so that the index has their lastmods after `max_age`. If 1,000 or more rows have changed, all rows are counted again,
//! at most once within `max_age` and for a tenth of the time. If lastmods are days, the counts repeat during a day with 1,000 or
//! more changes, until each part has a row of that day. A column with a time of day costs less.
//!
//! [`Site::ready`](crate::Site::ready) builds the table before the first request. [`Site::refresh`](crate::Site::refresh) counts
//! again after a large import, and purges all sections. Without `ready`, the first request for the index waits up to five
//! seconds. Then it gets a 503 with `Retry-After`, and the log a warning: an index of only some rows would remove pages from
//! search engines. Later requests wait at most a second, and get the previous index. The first count makes no pauses between its
//! queries.
//!
//! A part that exceeds 50,000 entries or 52,428,800 bytes between two counts fails, and is split at once. An instance with an old
//! table may list a range whose rows have all been deleted. Such a part is 404, and this instance removes it from its index.
//!
//! # Ranges that the index does not list
//!
//! Anybody can request any range of keys, except with [`opaque_urls`](crate::SiteBuilder::opaque_urls). So unlisted ranges are
//! limited:
//!
//! - At most two of the four concurrent renderings are unlisted ranges, and at most one of each section if there are several.
//! - A range of at most 50,000 rows (P-COUNT) is served, listed or not. An older index, or an instance with another
//!   [`part_rows`](crate::SiteBuilder::part_rows), may list it. No more than 50,000 rows of a range are read.
//! - The ends of a part depend on its rows, so most ends cannot be those of a part with many rows. Such a range is served if it has at
//!   most 10,000 rows, which ten queries show. A larger one answers like a range of more than 50,000 rows.
//! - A larger range answers 503 with `Retry-After` for a day, since an index that is still in use may list it, and then 410. The
//!   day begins with the count that split the range or, if it was never a part of this instance, with the first request for it.
//!   If its ends are ends of parts, neither answer needs a query. So `/sitemap-products.xml` finally answers 410 once the section
//!   has more than 50,000 rows.

//! Tables of [diesel-async](https://docs.rs/diesel-async) as sections of a served sitemap.
//!
//! ```sh
//! cargo add sitemap-diesel-async chrono
//! cargo add diesel@2.3 --features chrono
//! cargo add diesel-async@0.9 --features deadpool,postgres # or mysql, sqlite
//! cargo add sitemap-serde --features chrono
//! cargo add sitemap-site --features serve
//! ```
//!
//! ```no_run
//! use chrono::{DateTime, Utc};
//! use diesel::pg::Pg;
//! use diesel::prelude::*;
//! use diesel_async::AsyncPgConnection;
//! use diesel_async::pooled_connection::AsyncDieselConnectionManager;
//! use diesel_async::pooled_connection::deadpool::Pool;
//! use sitemap_serde::SitemapEntry;
//! use sitemap_site::Site;
//!
//! diesel::table! {
//!     products (id) {
//!         id -> BigInt,
//!         slug -> Text,
//!         updated_at -> Nullable<Timestamptz>,
//!         draft -> Bool,
//!     }
//! }
//!
//! #[derive(Queryable, Selectable, SitemapEntry)]
//! #[diesel(table_name = products, check_for_backend(Pg))]
//! #[sitemap(loc = "/products/{slug}")]
//! struct Product {
//!     slug: String,
//!     #[sitemap(lastmod)]
//!     updated_at: Option<DateTime<Utc>>,
//! }
//!
//! let manager = AsyncDieselConnectionManager::<AsyncPgConnection>::new("postgres://localhost/shop");
//! let pool = Pool::builder(manager).build()?;
//! let products = sitemap_diesel_async::rows! {
//!     table = products::table,
//!     key = (products::id),
//!     row = Product,
//!     connect = move || {
//!         let pool = pool.clone();
//!         async move { pool.get().await }
//!     },
//!     filter = products::draft.eq(false),
//!     lastmod = products::updated_at => |at: Option<DateTime<Utc>>| at,
//! };
//! let site = Site::builder("https://example.com").section("products", products).build()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! PostgreSQL is spoken to without libpq; SQLite through diesel-async's `SyncConnectionWrapper`, which has each query run on a thread where it may
//! block. Queries, keys, indexes, and what a row costs that does not load, are as

// On docs.rs, which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = "[`sitemap_diesel`] says. A query that nobody waits for any more is dropped, and with it the pool's connection."]

mod macros;

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use diesel::result::Error;
use sitemap_diesel::{Failure, KeyAndLastmod};
use sitemap_serde::SitemapEntry;
use sitemap_site::source::{BoxError, DatedKey, Row, Span, Unavailable};
use sitemap_site::{Key, Source};

pub use sitemap_diesel::KeyType;

/// The rows of a table as entries of a section. Made by [`rows!`].
pub struct Rows<C, T> {
    connect: Box<dyn Fn() -> QueryFuture<'static, C, BoxError> + Send + Sync>,
    page: Query<C, (Key, T)>,
    keys: Query<C, Key>,
    step: Query<C, KeyAndLastmod>,
    latest: Latest<C>,
}

/// The result of a query.
type QueryFuture<'a, T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;

/// The first rows of a range.
type Query<C, T> =
    Box<dyn for<'a> Fn(&'a mut C, &'a Span, i64) -> QueryFuture<'a, Vec<T>, Failure> + Send + Sync>;

/// The rows with the newest lastmods; `None` without a column of lastmods.
type Latest<C> =
    Box<dyn for<'a> Fn(&'a mut C, i64) -> QueryFuture<'a, Option<Vec<KeyAndLastmod>>, Failure> + Send + Sync>;

impl<C: Send + 'static, T: Send + 'static> Rows<C, T> {
    #[doc(hidden)]
    pub fn new<E, F>(
        connect: impl Fn() -> F + Send + Sync + 'static,
        page: impl for<'a> Fn(&'a mut C, &'a Span, i64) -> QueryFuture<'a, Vec<(Key, T)>, Failure>
        + Send
        + Sync
        + 'static,
        keys: impl for<'a> Fn(&'a mut C, &'a Span, i64) -> QueryFuture<'a, Vec<Key>, Failure>
        + Send
        + Sync
        + 'static,
        step: impl for<'a> Fn(&'a mut C, &'a Span, i64) -> QueryFuture<'a, Vec<KeyAndLastmod>, Failure>
        + Send
        + Sync
        + 'static,
        latest: impl for<'a> Fn(&'a mut C, i64) -> QueryFuture<'a, Option<Vec<KeyAndLastmod>>, Failure>
        + Send
        + Sync
        + 'static,
    ) -> Self
    where
        E: Into<BoxError>,
        F: Future<Output = Result<C, E>> + Send + 'static,
    {
        Rows {
            connect: Box::new(move || {
                let connection = connect();
                // A missing connection is temporary.
                Box::pin(async move { connection.await.map_err(|error| Unavailable::new(error).into()) })
            }),
            page: Box::new(page),
            keys: Box::new(keys),
            step: Box::new(step),
            latest: Box::new(latest),
        }
    }

    /// Reads a page with a row that cannot be decoded: first the keys, then each row separately.
    async fn one_by_one(&self, connection: &mut C, span: &Span, limit: i64) -> Result<Vec<Row<T>>, Failure> {
        let mut before = span.after.clone();
        let mut rows = Vec::new();
        for key in (self.keys)(connection, span, limit).await? {
            let one = Span {
                after: before.replace(key.clone()),
                to: Some(key.clone()),
            };
            match (self.page)(connection, &one, 1).await {
                // The row was deleted in the meantime.
                Ok(found) => rows.extend(found.into_iter().map(|(key, row)| Row::new(key, row))),
                Err(Failure::Query(Error::DeserializationError(error))) => rows.push(Row::failed(key, error)),
                Err(error) => return Err(error),
            }
        }
        Ok(rows)
    }
}

impl<C: Send + 'static, T: SitemapEntry + Send + 'static> Source for Rows<C, T> {
    type Entry = T;

    async fn page(&self, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        let limit = i64::try_from(limit)?;
        let mut connection = (self.connect)().await?;
        match (self.page)(&mut connection, span, limit).await {
            Ok(rows) => Ok(rows.into_iter().map(|(key, row)| Row::new(key, row)).collect()),
            Err(Failure::Query(Error::DeserializationError(_))) => {
                Ok(self.one_by_one(&mut connection, span, limit).await?)
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        let limit = i64::try_from(limit)?;
        let mut connection = (self.connect)().await?;
        let found = match (self.step)(&mut connection, span, limit).await {
            Err(Failure::Query(Error::DeserializationError(error))) => {
                let keys = (self.keys)(&mut connection, span, limit).await?;
                return sitemap_diesel::__private::undated_keys(keys, error);
            }
            found => found?,
        };
        sitemap_diesel::__private::dated_keys(found)
    }

    async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        let limit = i64::try_from(limit)?;
        let mut connection = (self.connect)().await?;
        let found = (self.latest)(&mut connection, limit).await?;
        found.map(sitemap_diesel::__private::dated_keys).transpose()
    }
}

impl<C, T> fmt::Debug for Rows<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").finish_non_exhaustive()
    }
}

#[doc(hidden)]
pub mod __private {
    pub use diesel;
    pub use diesel_async;
    pub use sitemap_diesel;
}

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

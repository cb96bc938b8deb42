//! Tables of [diesel-async](https://docs.rs/diesel-async) as sections of a served sitemap.
//!
//! ```sh
//! cargo add sitemap-diesel-async chrono
//! cargo add diesel@2.3 --features chrono
//! cargo add diesel-async@0.9 --features deadpool,postgres # or mysql, sqlite
//! cargo add sitemap-serde --features chrono04
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
//! use sitemap_site::SiteBuilder;
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
//! let site = SiteBuilder::new("https://example.com").section("products", products).build()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! PostgreSQL connections need no libpq. SQLite queries run through diesel-async's `SyncConnectionWrapper`, on threads that may block.
//! After a panic a connection returns to its pool, which may use it again. Queries, keys, indexes, and the cost of a row that does not load
//! are as in

// On docs.rs, which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = "[`sitemap_diesel`]. A query that nobody awaits any more is dropped, and the pool's connection with it."]

mod macros;

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;

use sitemap_diesel::__private::{Bisection, Next};
use sitemap_diesel::{Declared, Failure, KeyAndLastmod};
use sitemap_serde::SitemapEntry;
use sitemap_site::source::{BoxError, DatedKey, Panicked, Row, Span, Unavailable};
use sitemap_site::{Key, Source};

pub use sitemap_diesel::KeyType;

/// The rows of a table as entries of a section. [`rows!`] makes it.
pub struct Rows<C, T> {
    connect: Box<dyn Fn() -> QueryFuture<'static, C, BoxError> + Send + Sync>,
    page: Query<C, (Key, T)>,
    keys: Query<C, Key>,
    step: Query<C, KeyAndLastmod>,
    latest: Latest<C>,
    count: Arc<Count<C>>,
    /// The names and types of the key's columns.
    columns: Vec<(String, String)>,
    /// The number in the texts of the queries, which becomes another one if a plan is outdated.
    revision: AtomicU64,
    declared: Declared,
}

/// The result of a query.
type QueryFuture<'a, T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;

/// The first rows of a range.
type Query<C, T> =
    Arc<dyn for<'a> Fn(&'a mut C, &'a Span, i64, u64) -> QueryFuture<'a, Vec<T>, Failure> + Send + Sync>;

/// The rows with the newest lastmods; `None` without a lastmod.
type Latest<C> = Box<
    dyn for<'a> Fn(&'a mut C, i64, u64) -> QueryFuture<'a, Option<Vec<KeyAndLastmod>>, Failure> + Send + Sync,
>;

/// The number of rows of a range.
type Count<C> =
    dyn for<'a> Fn(&'a mut C, &'a Span, u64) -> QueryFuture<'a, Option<u64>, Failure> + Send + Sync;

impl<C: Send + 'static, T: Send + 'static> Rows<C, T> {
    #[doc(hidden)]
    #[expect(clippy::too_many_arguments, reason = "the macro's queries")]
    pub fn new<E, F>(
        declared: Declared,
        connect: impl Fn() -> F + Send + Sync + 'static,
        page: impl for<'a> Fn(&'a mut C, &'a Span, i64, u64) -> QueryFuture<'a, Vec<(Key, T)>, Failure>
        + Send
        + Sync
        + 'static,
        keys: impl for<'a> Fn(&'a mut C, &'a Span, i64, u64) -> QueryFuture<'a, Vec<Key>, Failure>
        + Send
        + Sync
        + 'static,
        step: impl for<'a> Fn(&'a mut C, &'a Span, i64, u64) -> QueryFuture<'a, Vec<KeyAndLastmod>, Failure>
        + Send
        + Sync
        + 'static,
        latest: impl for<'a> Fn(&'a mut C, i64, u64) -> QueryFuture<'a, Option<Vec<KeyAndLastmod>>, Failure>
        + Send
        + Sync
        + 'static,
        count: impl for<'a> Fn(&'a mut C, &'a Span, u64) -> QueryFuture<'a, Option<u64>, Failure>
        + Send
        + Sync
        + 'static,
        columns: Vec<(String, String)>,
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
            page: Arc::new(page),
            keys: Arc::new(keys),
            step: Arc::new(step),
            latest: Box::new(latest),
            count: Arc::new(count),
            columns,
            revision: AtomicU64::new(0),
            declared,
        }
    }

    /// Runs a query, and once more with another text if its plan may be outdated.
    async fn query<R: Send + 'static>(
        &self,
        open: &mut Option<C>,
        query: impl for<'a> Fn(&'a mut C, u64) -> QueryFuture<'a, R, Failure> + Send + Sync,
    ) -> Result<Result<R, Failure>, BoxError> {
        let revision = self.revision.load(Ordering::Relaxed);
        let found = self.run(open, |connection| query(connection, revision)).await?;
        if !found.as_ref().is_err_and(Failure::is_of_a_plan) {
            return Ok(found);
        }
        match self
            .run(open, |connection| query(connection, revision + 1))
            .await?
        {
            // It was another component's error. A row that cannot be decoded was read.
            Err(again) if !again.is_of_a_row() => Ok(found),
            again => {
                self.revision.fetch_max(revision + 1, Ordering::Relaxed);
                Ok(again)
            }
        }
    }

    /// Runs a query. After a panic the next query gets a connection from `connect`; a pool may return the same one.
    async fn run<R: Send>(
        &self,
        open: &mut Option<C>,
        query: impl for<'a> FnOnce(&'a mut C) -> QueryFuture<'a, R, Failure> + Send,
    ) -> Result<Result<R, Failure>, BoxError> {
        let mut connection = match open.take() {
            Some(connection) => connection,
            None => (self.connect)().await?,
        };
        let run = unless_it_panics(async move {
            let found = query(&mut connection).await;
            (connection, found)
        });
        Ok(match run.await {
            Ok((connection, found)) => {
                *open = Some(connection);
                found
            }
            Err(panic) => Err(panic.into()),
        })
    }

    /// Reads a batch with rows that cannot be decoded.
    async fn bisect(&self, open: &mut Option<C>, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        let keys = self.keys_of(open, span, limit).await??;
        let mut bisection = Bisection::new(span.after.clone(), keys, limit);
        loop {
            match bisection.next_query() {
                Next::Rows(span) => bisection.found(self.page_of(open, &span, limit).await?)?,
                Next::Keys(span, limit) => bisection.keys(self.keys_of(open, &span, limit).await??),
                Next::Done(rows) => return Ok(rows),
                Next::Failed(error) => return Err(error),
            }
        }
    }

    async fn page_of(
        &self,
        open: &mut Option<C>,
        span: &Span,
        limit: usize,
    ) -> Result<Result<Vec<(Key, T)>, Failure>, BoxError> {
        let limit = i64::try_from(limit)?;
        let span = span.clone();
        self.query(open, |connection, revision| {
            within(&self.page, connection, span.clone(), limit, revision)
        })
        .await
    }

    async fn keys_of(
        &self,
        open: &mut Option<C>,
        span: &Span,
        limit: usize,
    ) -> Result<Result<Vec<Key>, Failure>, BoxError> {
        let limit = i64::try_from(limit)?;
        let span = span.clone();
        self.query(open, |connection, revision| {
            within(&self.keys, connection, span.clone(), limit, revision)
        })
        .await
    }
}

/// A query of a range that it owns.
fn within<'a, C: Send + 'static, R: Send + 'static>(
    query: &Query<C, R>,
    connection: &'a mut C,
    span: Span,
    limit: i64,
    revision: u64,
) -> QueryFuture<'a, Vec<R>, Failure> {
    let query = Arc::clone(query);
    Box::pin(async move { query(connection, &span, limit, revision).await })
}

/// The result of a future, or its panic.
async fn unless_it_panics<T>(future: impl Future<Output = T>) -> Result<T, Panicked> {
    let mut future = Box::pin(future);
    poll_fn(
        |context| match Panicked::catch(|| future.as_mut().poll(context)) {
            Ok(Poll::Ready(done)) => Poll::Ready(Ok(done)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(panic) => Poll::Ready(Err(panic)),
        },
    )
    .await
}

impl<C: Send + 'static, T: SitemapEntry + Send + 'static> Source for Rows<C, T> {
    type Entry = T;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        self.declared.check()?;
        let mut open = None;
        match self.page_of(&mut open, span, limit).await? {
            Ok(rows) => Ok(rows.into_iter().map(|(key, row)| Row::new(key, row)).collect()),
            Err(failure) if failure.is_of_a_row() => self.bisect(&mut open, span, limit).await,
            Err(failure) => Err(failure.into()),
        }
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        self.declared.check()?;
        let most = i64::try_from(limit)?;
        let mut open = None;
        let found = self.query(&mut open, |connection, revision| {
            within(&self.step, connection, span.clone(), most, revision)
        });
        match found.await? {
            Err(failure) if failure.is_of_a_row() => {
                let keys = self.keys_of(&mut open, span, limit).await??;
                sitemap_diesel::__private::undated_keys(keys, failure.into())
            }
            found => sitemap_diesel::__private::dated_keys(found?),
        }
    }

    async fn count(&self, span: &Span) -> Result<Option<u64>, BoxError> {
        let mut open = None;
        let counted = self.query(&mut open, |connection, revision| {
            let (count, span) = (Arc::clone(&self.count), span.clone());
            Box::pin(async move { count(connection, &span, revision).await })
        });
        Ok(counted.await??)
    }

    fn key_columns(&self) -> Vec<(String, String)> {
        self.columns.clone()
    }

    async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        let limit = i64::try_from(limit)?;
        let mut open = None;
        let found = self.query(&mut open, |connection, revision| {
            (self.latest)(connection, limit, revision)
        });
        found
            .await??
            .map(sitemap_diesel::__private::dated_keys)
            .transpose()
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

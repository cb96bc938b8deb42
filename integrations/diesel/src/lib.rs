//! Tables of [Diesel](https://diesel.rs) as sections of a served sitemap.
//!
//! ```sh
//! cargo add sitemap-diesel chrono
//! cargo add diesel@2.3 --features sqlite,chrono # or postgres, mysql
//! cargo add sitemap-serde --features chrono04
//! cargo add sitemap-site --features serve
//! ```
//!
//! ```
//! use chrono::NaiveDateTime;
//! use diesel::prelude::*;
//! use diesel::sqlite::{Sqlite, SqliteConnection};
//! use sitemap_serde::SitemapEntry;
//! use sitemap_site::{SiteBuilder, source};
//!
//! diesel::table! {
//!     products (id) {
//!         id -> BigInt,
//!         slug -> Text,
//!         updated_at -> Nullable<Timestamp>,
//!         draft -> Bool,
//!     }
//! }
//!
//! #[derive(Queryable, Selectable, SitemapEntry)]
//! #[diesel(table_name = products, check_for_backend(Sqlite))]
//! #[sitemap(loc = "/products/{slug}")]
//! struct Product {
//!     slug: String,
//!     #[sitemap(lastmod, zone = "UTC")]
//!     updated_at: Option<NaiveDateTime>,
//! }
//!
//! let products = sitemap_diesel::rows! {
//!     table = products::table,
//!     key = (products::id),
//!     row = Product,
//!     connect = || SqliteConnection::establish("shop.sqlite"), // or a connection of a pool
//!     filter = products::draft.eq(false),
//!     lastmod = products::updated_at => |at: Option<NaiveDateTime>| at.map(|at| at.and_utc()),
//! };
//! let site = SiteBuilder::new("https://example.com").section("products", source::blocking(products)).build()?;
//! # Ok::<(), sitemap_site::Error>(())
//! ```
//!
//! `lastmod` is a required argument if the type names its lastmod by an attribute, and `filter` if a bool has `exclude_if` or `include_if`:
//! a macro cannot see the type's attributes, so the first query fails if they are missing. `lastmod = none` leaves the index without
//! lastmods. Each `filter` adds a condition.
//!
//! Rows are read by key, in pages of `WHERE key > ? ORDER BY key LIMIT ?`, never with an OFFSET. Several columns are compared as row
//! values, `(a, b) > (?, ?)`, which can use an index on both columns. Each page is a separate query on a separate connection, on a blocking
//! thread.
//!
//! If a column of a row cannot be decoded, Diesel returns none of the batch's rows. The batch is then read again, first its keys and then
//! its halves, until the row is found. It is skipped and logged with its key; the others are listed. The same happens after a panic; the
//! connection is then dropped. In a program that is built with `panic = "abort"` a panic ends the process.
//!
//! A lastmod that cannot be decoded removes the lastmods of its whole batch of keys, and hides the newest rows: changes reach the index
//! only after the daily count. Exclude such rows with `filter`.
//!
//! # Errors that pass
//!
//! Crawlers get 503 with `Retry-After` while the database is locked, out of resources, shut down or restarted. Diesel hides the codes of
//! most of these errors: in PostgreSQL and MySQL they are recognized by their English messages. If `lc_messages` is another language,
//! crawlers get 500.
//!
//! A key is one or more columns that are unique together and, as the compiler checks, not null: `TinyInt`, `SmallInt`, `Integer`,
//! `BigInt`, `Text`, `Binary`, with the feature `uuid` PostgreSQL's `Uuid`, with the feature `mysql` MySQL's `Unsigned` integers.
//!
//! Use a key of one column in MySQL and MariaDB: they use no index for `(a, b) > (?, ?)`, so each page of a key with several columns reads
//! the whole table.
//!
//! # Indexes
//!
//! The key needs an index on its columns in the same order; a primary key has one. Once a day, the key and the lastmod of all rows are
//! counted: with an index on both (`CREATE INDEX … ON products (id, updated_at) WHERE NOT draft`) the database need not read the rows.

// On docs.rs, which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod bisect;
mod declared;
mod failure;
mod key;
mod macros;
mod revision;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use sitemap_serde::{SitemapEntry, W3cDateTime};
use sitemap_site::Key;
use sitemap_site::source::{BlockingSource, BoxError, DatedKey, Panicked, Row, Span, Unavailable};

use bisect::{Bisection, Next};
#[doc(hidden)]
pub use declared::Declared;
#[doc(hidden)]
pub use failure::Failure;
pub use key::KeyType;

/// The rows of a table as entries of a section. [`rows!`] makes it.
pub struct Rows<C, T> {
    connect: Box<dyn Fn() -> Result<C, BoxError> + Send + Sync>,
    page: Query<C, (Key, T)>,
    keys: Query<C, Key>,
    step: Query<C, KeyAndLastmod>,
    latest: Latest<C>,
    count: Count<C>,
    /// The names and types of the key's columns.
    columns: Vec<(String, String)>,
    /// The number in the texts of the queries; see [`Revision`](revision::Revision).
    revision: AtomicU64,
    declared: Declared,
}

/// The first rows of a range.
type Query<C, T> = Box<dyn Fn(&mut C, &Span, i64, u64) -> Result<Vec<T>, Failure> + Send + Sync>;

/// The rows with the newest lastmods; `None` without a lastmod.
type Latest<C> = Box<dyn Fn(&mut C, i64, u64) -> Result<Option<Vec<KeyAndLastmod>>, Failure> + Send + Sync>;

/// The number of rows of a range.
type Count<C> = Box<dyn Fn(&mut C, &Span, u64) -> Result<Option<u64>, Failure> + Send + Sync>;

/// The key of a row, and its lastmod or the error from reading it.
#[doc(hidden)]
pub type KeyAndLastmod = (Key, Result<Option<W3cDateTime>, BoxError>);

impl<C, T> Rows<C, T> {
    #[doc(hidden)]
    #[expect(clippy::too_many_arguments, reason = "the macro's queries")]
    pub fn new<E: Into<BoxError>>(
        declared: Declared,
        connect: impl Fn() -> Result<C, E> + Send + Sync + 'static,
        page: impl Fn(&mut C, &Span, i64, u64) -> Result<Vec<(Key, T)>, Failure> + Send + Sync + 'static,
        keys: impl Fn(&mut C, &Span, i64, u64) -> Result<Vec<Key>, Failure> + Send + Sync + 'static,
        step: impl Fn(&mut C, &Span, i64, u64) -> Result<Vec<KeyAndLastmod>, Failure> + Send + Sync + 'static,
        latest: impl Fn(&mut C, i64, u64) -> Result<Option<Vec<KeyAndLastmod>>, Failure> + Send + Sync + 'static,
        count: impl Fn(&mut C, &Span, u64) -> Result<Option<u64>, Failure> + Send + Sync + 'static,
        columns: Vec<(String, String)>,
    ) -> Self {
        Rows {
            // A missing connection is temporary.
            connect: Box::new(move || connect().map_err(|error| Unavailable::new(error).into())),
            page: Box::new(page),
            keys: Box::new(keys),
            step: Box::new(step),
            latest: Box::new(latest),
            count: Box::new(count),
            columns,
            revision: AtomicU64::new(0),
            declared,
        }
    }

    /// Runs a query, and once more with another text if its plan may be outdated.
    fn query<R>(
        &self,
        connection: &mut Connection<'_, C>,
        query: impl Fn(&mut C, u64) -> Result<R, Failure>,
    ) -> Result<Result<R, Failure>, BoxError> {
        let revision = self.revision.load(Ordering::Relaxed);
        let found = connection.run(|connection| query(connection, revision))?;
        if !found.as_ref().is_err_and(Failure::is_of_a_plan) {
            return Ok(found);
        }
        match connection.run(|connection| query(connection, revision + 1))? {
            // It was the error of something else. A row that cannot be decoded was read.
            Err(again) if !again.is_of_a_row() => Ok(found),
            again => {
                self.revision.fetch_max(revision + 1, Ordering::Relaxed);
                Ok(again)
            }
        }
    }

    fn connection(&self) -> Connection<'_, C> {
        Connection {
            connect: &*self.connect,
            open: None,
        }
    }

    /// Reads a batch with rows that cannot be decoded.
    fn bisect(
        &self,
        connection: &mut Connection<'_, C>,
        span: &Span,
        limit: usize,
    ) -> Result<Vec<Row<T>>, BoxError> {
        let most = i64::try_from(limit)?;
        let keys = self.query(connection, |connection, revision| {
            (self.keys)(connection, span, most, revision)
        })??;
        let mut bisection = Bisection::new(span.after.clone(), keys, limit);
        loop {
            match bisection.next_query() {
                Next::Rows(span) => {
                    let rows = self.query(connection, |connection, revision| {
                        (self.page)(connection, &span, most, revision)
                    })?;
                    bisection.found(rows)?;
                }
                Next::Keys(span, limit) => {
                    let limit = i64::try_from(limit)?;
                    let keys = self.query(connection, |connection, revision| {
                        (self.keys)(connection, &span, limit, revision)
                    })?;
                    bisection.keys(keys?);
                }
                Next::Done(rows) => return Ok(rows),
                Next::Failed(error) => return Err(error),
            }
        }
    }
}

/// A connection for some queries.
struct Connection<'a, C> {
    connect: &'a (dyn Fn() -> Result<C, BoxError> + Send + Sync),
    open: Option<C>,
}

impl<C> Connection<'_, C> {
    /// Runs a query. After a panic the connection is not used again: it is dropped while the thread panics, so that its pool drops it, too.
    fn run<R>(
        &mut self,
        query: impl FnOnce(&mut C) -> Result<R, Failure>,
    ) -> Result<Result<R, Failure>, BoxError> {
        let mut connection = match self.open.take() {
            Some(connection) => connection,
            None => (self.connect)()?,
        };
        let run = Panicked::catch(move || {
            let found = query(&mut connection);
            (connection, found)
        });
        Ok(match run {
            Ok((connection, found)) => {
                self.open = Some(connection);
                found
            }
            Err(panic) => Err(panic.into()),
        })
    }
}

impl<C: 'static, T: SitemapEntry + Send + 'static> BlockingSource for Rows<C, T> {
    type Entry = T;

    fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        self.declared.check()?;
        let most = i64::try_from(limit)?;
        let mut connection = self.connection();
        let found = self.query(&mut connection, |connection, revision| {
            (self.page)(connection, span, most, revision)
        })?;
        match found {
            Ok(rows) => Ok(rows.into_iter().map(|(key, row)| Row::new(key, row)).collect()),
            Err(failure) if failure.is_of_a_row() => self.bisect(&mut connection, span, limit),
            Err(failure) => Err(failure.into()),
        }
    }

    fn keys(&self, span: &Span, limit: usize) -> Option<Result<Vec<DatedKey>, BoxError>> {
        Some(self.dated_keys(span, limit))
    }

    fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        let limit = i64::try_from(limit)?;
        let found = self.query(&mut self.connection(), |connection, revision| {
            (self.latest)(connection, limit, revision)
        })??;
        found.map(__private::dated_keys).transpose()
    }

    fn count(&self, span: &Span) -> Result<Option<u64>, BoxError> {
        Ok(self.query(&mut self.connection(), |connection, revision| {
            (self.count)(connection, span, revision)
        })??)
    }

    fn key_columns(&self) -> Vec<(String, String)> {
        self.columns.clone()
    }
}

impl<C, T> Rows<C, T> {
    fn dated_keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        self.declared.check()?;
        let limit = i64::try_from(limit)?;
        let mut connection = self.connection();
        let found = self.query(&mut connection, |connection, revision| {
            (self.step)(connection, span, limit, revision)
        })?;
        match found {
            Err(failure) if failure.is_of_a_row() => {
                let keys = self.query(&mut connection, |connection, revision| {
                    (self.keys)(connection, span, limit, revision)
                })?;
                __private::undated_keys(keys?, failure.into())
            }
            found => __private::dated_keys(found?),
        }
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
    pub use sitemap_serde::convert::ToLastmod;
    pub use sitemap_site::source::{Span, WrongKey};
    pub use sitemap_site::{Key, KeyValue};

    use sitemap_site::source::{BoxError, DatedKey, DatedKeys};

    pub use crate::bisect::{Bisection, Next};
    pub use crate::declared::{Declared, is_given};
    pub use crate::revision::Revision;
    pub use crate::{Failure, KeyAndLastmod};

    /// The name of a type without its path, for messages.
    pub fn type_name<T>() -> &'static str {
        let name = std::any::type_name::<T>();
        name.rsplit("::").next().unwrap_or(name)
    }

    /// The keys of these rows, in the same order.
    pub fn dated_keys(found: impl IntoIterator<Item = KeyAndLastmod>) -> Result<Vec<DatedKey>, BoxError> {
        let mut keys = DatedKeys::default();
        for (key, lastmod) in found {
            keys.push(key, lastmod)?;
        }
        Ok(keys.finish())
    }

    /// The keys of rows whose lastmods do not load; Diesel reports this for all of them together.
    pub fn undated_keys(keys: Vec<Key>, error: BoxError) -> Result<Vec<DatedKey>, BoxError> {
        let mut error = Some(error);
        dated_keys(
            keys.into_iter()
                .map(|key| (key, error.take().map_or(Ok(None), Err))),
        )
    }
}

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

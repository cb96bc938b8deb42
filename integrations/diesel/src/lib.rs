//! Tables of [Diesel](https://diesel.rs) as sections of a served sitemap.
//!
//! ```sh
//! cargo add sitemap-diesel chrono
//! cargo add diesel@2.3 --features sqlite,chrono # or postgres, mysql
//! cargo add sitemap-serde --features chrono
//! cargo add sitemap-site --features serve
//! ```
//!
//! ```
//! use chrono::NaiveDateTime;
//! use diesel::prelude::*;
//! use diesel::sqlite::{Sqlite, SqliteConnection};
//! use sitemap_serde::SitemapEntry;
//! use sitemap_site::{Site, source};
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
//!     #[sitemap(lastmod, utc)]
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
//! let site = Site::builder("https://example.com").section("products", source::blocking(products)).build()?;
//! # Ok::<(), sitemap_site::BuildError>(())
//! ```
//!
//! Rows are read by key, in pages of `WHERE key > ? ORDER BY key LIMIT ?`, never with an OFFSET. Several columns are compared as row
//! values, `(a, b) > (?, ?)`, for which databases use an index on both columns. Each page is a separate query on a separate connection, on a
//! blocking thread.
//!
//! If a column of a row cannot be decoded, Diesel returns none of the page's rows. Then the page is read again, first its keys and then row by
//! row: the row with the error is left out and logged with its key, the others are listed.
//!
//! A key is one or more columns that are unique together and, as the compiler checks, not null: `TinyInt`, `SmallInt`, `Integer`,
//! `BigInt`, `Text`, `Binary`, with the feature `uuid` PostgreSQL's `Uuid`, with the feature `mysql` MySQL's `Unsigned` integers.
//!
//! Use a key of one column in MySQL and MariaDB: no index of theirs answers `(a, b) > (?, ?)`, so that each page of a key of several
//! columns reads the whole table there.
//!
//! # Indexes
//!
//! The key needs an index on its columns in the same order; a primary key has one. Once a day, the key and the lastmod of all rows are
//! counted: with an index on both (`CREATE INDEX … ON products (id, updated_at) WHERE NOT draft`) the database need not read the rows.

// On docs.rs, which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod key;
mod macros;

use std::fmt;

use diesel::result::{DatabaseErrorKind, Error};
use sitemap_serde::{SitemapEntry, W3cDateTime};
use sitemap_site::Key;
use sitemap_site::source::{BlockingSource, BoxError, DatedKey, Row, Span, Unavailable, WrongKey};

pub use key::KeyType;

/// The rows of a table as entries of a section. Made by [`rows!`].
pub struct Rows<C, T> {
    connect: Box<dyn Fn() -> Result<C, BoxError> + Send + Sync>,
    page: Query<C, (Key, T)>,
    keys: Query<C, Key>,
    step: Query<C, KeyAndLastmod>,
    latest: Latest<C>,
}

/// The first rows of a range.
type Query<C, T> = Box<dyn Fn(&mut C, &Span, i64) -> Result<Vec<T>, Failure> + Send + Sync>;

/// The rows with the newest lastmods; `None` without a column of lastmods.
type Latest<C> = Box<dyn Fn(&mut C, i64) -> Result<Option<Vec<KeyAndLastmod>>, Failure> + Send + Sync>;

/// The key of a row, and its lastmod or why that cannot be read.
#[doc(hidden)]
pub type KeyAndLastmod = (Key, Result<Option<W3cDateTime>, BoxError>);

/// Why a query failed.
#[doc(hidden)]
#[derive(Debug)]
pub enum Failure {
    Key(WrongKey),
    Query(Error),
}

impl From<WrongKey> for Failure {
    fn from(error: WrongKey) -> Self {
        Failure::Key(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Query(error)
    }
}

impl From<Failure> for BoxError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Key(error) => error.into(),
            // Diesel has no kind for temporary errors. But the messages of SQLite (BUSY, LOCKED, IOERR, CANTOPEN) are fixed, and so are
            // those of a PostgreSQL that is shutting down or starting, if `lc_messages` is English.
            Failure::Query(Error::DatabaseError(kind, about)) => {
                let passes = matches!(
                    kind,
                    DatabaseErrorKind::ClosedConnection
                        | DatabaseErrorKind::UnableToSendCommand
                        | DatabaseErrorKind::SerializationFailure
                ) || [
                    "database is locked",
                    "database table is locked",
                    "unable to open database file",
                    "disk I/O error",
                    "terminating connection",
                    "the database system is",
                    "canceling statement",
                    "deadlock detected",
                    // MySQL and MariaDB.
                    "Deadlock found",
                    "Lock wait timeout exceeded",
                    "Lost connection to",
                    "MySQL server has gone away",
                    "Query execution was interrupted",
                    "Server shutdown in progress",
                    "Server has gone away",
                    "Too many connections",
                ]
                .iter()
                .any(|text| about.message().starts_with(text));
                // A text that the database's encoding, or the column's, does not have: in a key that somebody made up.
                let made_up = ["invalid byte sequence for encoding", "Illegal mix of collations"];
                if made_up.iter().any(|text| about.message().starts_with(text)) {
                    return WrongKey.into();
                }
                let error = Error::DatabaseError(kind, about);
                if passes {
                    Unavailable::new(error).into()
                } else {
                    error.into()
                }
            }
            Failure::Query(error) => error.into(),
        }
    }
}

impl<C, T> Rows<C, T> {
    #[doc(hidden)]
    pub fn new<E: Into<BoxError>>(
        connect: impl Fn() -> Result<C, E> + Send + Sync + 'static,
        page: impl Fn(&mut C, &Span, i64) -> Result<Vec<(Key, T)>, Failure> + Send + Sync + 'static,
        keys: impl Fn(&mut C, &Span, i64) -> Result<Vec<Key>, Failure> + Send + Sync + 'static,
        step: impl Fn(&mut C, &Span, i64) -> Result<Vec<KeyAndLastmod>, Failure> + Send + Sync + 'static,
        latest: impl Fn(&mut C, i64) -> Result<Option<Vec<KeyAndLastmod>>, Failure> + Send + Sync + 'static,
    ) -> Self {
        Rows {
            // A missing connection is temporary.
            connect: Box::new(move || connect().map_err(|error| Unavailable::new(error).into())),
            page: Box::new(page),
            keys: Box::new(keys),
            step: Box::new(step),
            latest: Box::new(latest),
        }
    }

    /// Reads a page with a row that cannot be decoded: first the keys, then each row separately.
    fn one_by_one(&self, connection: &mut C, span: &Span, limit: i64) -> Result<Vec<Row<T>>, Failure> {
        let mut before = span.after.clone();
        let mut rows = Vec::new();
        for key in (self.keys)(connection, span, limit)? {
            let one = Span {
                after: before.replace(key.clone()),
                to: Some(key.clone()),
            };
            match (self.page)(connection, &one, 1) {
                // The row was deleted in the meantime.
                Ok(found) => rows.extend(found.into_iter().map(|(key, row)| Row::new(key, row))),
                Err(Failure::Query(Error::DeserializationError(error))) => rows.push(Row::failed(key, error)),
                Err(error) => return Err(error),
            }
        }
        Ok(rows)
    }
}

impl<C: 'static, T: SitemapEntry + Send + 'static> BlockingSource for Rows<C, T> {
    type Entry = T;

    fn page(&self, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        let limit = i64::try_from(limit)?;
        let mut connection = (self.connect)()?;
        match (self.page)(&mut connection, span, limit) {
            Ok(rows) => Ok(rows.into_iter().map(|(key, row)| Row::new(key, row)).collect()),
            Err(Failure::Query(Error::DeserializationError(_))) => {
                Ok(self.one_by_one(&mut connection, span, limit)?)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn keys(&self, span: &Span, limit: usize) -> Option<Result<Vec<DatedKey>, BoxError>> {
        Some(self.dated_keys(span, limit))
    }

    fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        let limit = i64::try_from(limit)?;
        let mut connection = (self.connect)()?;
        let found = (self.latest)(&mut connection, limit)?;
        found.map(__private::dated_keys).transpose()
    }
}

impl<C, T> Rows<C, T> {
    fn dated_keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        let limit = i64::try_from(limit)?;
        let mut connection = (self.connect)()?;
        let found = match (self.step)(&mut connection, span, limit) {
            Err(Failure::Query(Error::DeserializationError(error))) => {
                let keys = (self.keys)(&mut connection, span, limit)?;
                return __private::undated_keys(keys, error);
            }
            found => found?,
        };
        __private::dated_keys(found)
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

    pub use crate::{Failure, KeyAndLastmod};

    /// The keys of these rows, which are in their order.
    pub fn dated_keys(found: impl IntoIterator<Item = KeyAndLastmod>) -> Result<Vec<DatedKey>, BoxError> {
        let mut keys = DatedKeys::default();
        for (key, lastmod) in found {
            keys.push(key, lastmod)?;
        }
        Ok(keys.finish())
    }

    /// The keys of rows whose lastmods do not load, which Diesel says of all of them at once.
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

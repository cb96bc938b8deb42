//! The differences between databases.

use std::fmt;
use std::pin::Pin;

use futures_core::Stream;
use sitemap_site::KeyValue;
use sitemap_site::source::BoxError;
use sqlx::{Database, Decode, Pool, Type};

use crate::sql::RowQuery;

/// A database that this crate reads from: sqlx's `Sqlite`, `Postgres` or `MySql`, each with the feature of its name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a database that sitemap-sqlx reads from",
    note = "it reads from sqlx's `Sqlite`, `Postgres` and `MySql`, each with sitemap-sqlx's feature of its name: `sqlite`, `postgres`, `mysql`",
    note = "for an `AnyPool`, connect by the pool of the database: `SqlitePool`, `PgPool` or `MySqlPool`"
)]
pub trait Backend: Driver {}

/// A stream of a query's rows.
pub(crate) type Found<'a, DB> =
    Pin<Box<dyn Stream<Item = Result<<DB as Database>::Row, sqlx::Error>> + Send + 'a>>;

/// The functions of a [`Backend`].
///
/// The bounds that sqlx asks for, such as those of `&mut DB::Connection` as an executor, cannot be inherited from a trait, and would stand at
/// each function that is generic over databases. So the functions that need them are here, with a database that is known.
pub trait Driver: Database {
    /// How its SQL is spelt.
    const DIALECT: Dialect;

    /// The columns of a table's primary key, in the key's order.
    fn primary_key(
        pool: &Pool<Self>,
        table: &str,
    ) -> impl Future<Output = Result<Vec<String>, sqlx::Error>> + Send;

    /// The types of key columns, where a value of another type has to be refused before it is compared; `None` while there are no rows.
    fn types(
        pool: &Pool<Self>,
        plan: &RowQuery,
        names: &[String],
    ) -> impl Future<Output = Result<Option<Vec<String>>, sqlx::Error>> + Send;

    /// The rows of a query.
    fn fetch(pool: &Pool<Self>, sql: String, arguments: Self::Arguments) -> Found<'_, Self>;

    /// Adds a value of a key to the arguments of a query; `kind` is the column's type, empty where the database does without.
    fn bind(arguments: &mut Self::Arguments, value: &KeyValue, kind: &str) -> Result<(), BoxError>;

    /// Adds the number of rows that are wanted.
    fn bind_limit(arguments: &mut Self::Arguments, limit: i64) -> Result<(), BoxError>;

    /// A value of a row's key; `None` if it is null.
    fn key_value(row: &Self::Row, column: &str, kind: &str) -> Result<Option<KeyValue>, BoxError>;

    /// A row's value; `None` if it is null.
    fn get<'r, V: Decode<'r, Self> + Type<Self>>(
        row: &'r Self::Row,
        column: &str,
    ) -> Result<Option<V>, sqlx::Error>;

    /// A line of what `EXPLAIN` says.
    fn explained(row: &Self::Row) -> Result<String, sqlx::Error>;
}

/// How a database's SQL is spelt.
#[derive(Clone, Copy)]
pub struct Dialect {
    /// Around names.
    pub(crate) quote: char,
    /// What a parameter is, by its number from 1.
    pub(crate) parameter: fn(usize) -> String,
    /// Whether keys are compared as values of their type, and read as its text.
    pub(crate) casts: bool,
    /// Whether an index answers `(a, b) > (?, ?)`.
    pub(crate) row_values: bool,
    /// What stands before a query whose plan is wanted.
    pub(crate) explain: &'static str,
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dialect")
            .field("quote", &self.quote)
            .finish_non_exhaustive()
    }
}

impl Dialect {
    /// A name between its quotes.
    pub(crate) fn quoted(self, name: &str) -> String {
        let quote = self.quote;
        format!(
            "{quote}{}{quote}",
            name.replace(quote, &format!("{quote}{quote}"))
        )
    }
}

/// The rest of a [`Driver`], which reads the same for every database.
macro_rules! driver {
    () => {
        fn fetch(pool: &Pool<Self>, sql: String, arguments: Self::Arguments) -> Found<'_, Self> {
            sqlx::query_with(AssertSqlSafe(sql), arguments).fetch(pool)
        }

        fn bind_limit(arguments: &mut Self::Arguments, limit: i64) -> Result<(), BoxError> {
            arguments.add(limit)
        }

        fn get<'r, V: Decode<'r, Self> + Type<Self>>(
            row: &'r Self::Row,
            column: &str,
        ) -> Result<Option<V>, sqlx::Error> {
            row.try_get(column)
        }
    };
}
pub(crate) use driver;

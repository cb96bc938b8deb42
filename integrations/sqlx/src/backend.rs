//! The differences between databases.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;

use futures_core::Stream;
use sitemap_site::KeyValue;
use sitemap_site::source::{BoxError, Unavailable};
use sqlx::{Database, Decode, Either, Pool, Type};

use crate::failure::failure;

/// A database that this crate reads from: sqlx's `Sqlite`, `Postgres` or `MySql`, each with the feature of its name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a database that sitemap-sqlx reads from",
    note = "it reads from sqlx's `Sqlite`, `Postgres` and `MySql`, each with sitemap-sqlx's feature of its name: `sqlite`, `postgres`, `mysql`",
    note = "for an `AnyPool`, connect by the pool of the database: `SqlitePool`, `PgPool` or `MySqlPool`"
)]
pub trait Backend: Driver {}

/// A query's rows, each a `Right`, and the result at their end, a `Left`.
pub(crate) type RowStream<'a, DB> = Pin<
    Box<
        dyn Stream<Item = Result<Either<<DB as Database>::QueryResult, <DB as Database>::Row>, sqlx::Error>>
            + Send
            + 'a,
    >,
>;

/// The rows of a query.
pub(crate) struct Found<'a, DB: Database> {
    stream: RowStream<'a, DB>,
    has_ended: bool,
}

impl<'a, DB: Driver> Found<'a, DB> {
    pub(crate) fn new(pool: &'a Pool<DB>, sql: String, arguments: DB::Arguments, is_kept: bool) -> Self {
        Found {
            stream: DB::fetch(pool, sql, arguments, is_kept),
            has_ended: false,
        }
    }

    /// The next row; `None` after the last one.
    ///
    /// The end of the stream is not always the end of the rows: it also ends if the driver's thread panics. After the last row, a database
    /// reports that there are no more.
    pub(crate) async fn next(&mut self) -> Result<Option<DB::Row>, BoxError> {
        loop {
            match poll_fn(|context| self.stream.as_mut().poll_next(context)).await {
                Some(Ok(Either::Right(row))) => return Ok(Some(row)),
                Some(Ok(Either::Left(_))) => self.has_ended = true,
                Some(Err(error)) => return Err(failure(error)),
                None if self.has_ended => return Ok(None),
                None => {
                    return Err(Unavailable::new(
                        "the rows of a query end without its result, as after a panic of sqlx",
                    )
                    .into());
                }
            }
        }
    }

    /// All rows.
    pub(crate) async fn all(mut self) -> Result<Vec<DB::Row>, BoxError> {
        let mut rows = Vec::new();
        while let Some(row) = self.next().await? {
            rows.push(row);
        }
        Ok(rows)
    }
}

/// The functions of a [`Backend`].
///
/// The bounds that sqlx requires, for example on `&mut DB::Connection` as an executor, cannot be inherited from a trait, so each function
/// that is generic over databases would have to repeat them. The functions that need them are therefore here, for known databases.
pub trait Driver: Database {
    /// Its SQL dialect.
    const DIALECT: Dialect;

    /// The query for the names of a table's primary key columns, in the key's order. Its parameters come from
    /// [`table_arguments`](Self::table_arguments).
    const PRIMARY_KEY: &'static str;

    /// The query for the names of a table's columns that are never null according to the catalogue, with the same parameters.
    const NOT_NULL: &'static str;

    /// A table as the parameters of queries to the catalogue.
    fn table_arguments(table: &str) -> Result<Self::Arguments, BoxError>;

    /// The expressions before the columns in the query that describes rows, which give it the types of the key; `is_named` if the key is
    /// set.
    fn head(names: &[String], is_named: bool) -> Vec<String>;

    /// The types of key columns, from the row of the query that describes rows, if a value of another type must be rejected before a
    /// comparison.
    fn types(row: &Self::Row, names: &[String]) -> Result<Vec<String>, BoxError>;

    /// The columns of a row, with their types.
    fn columns(row: &Self::Row) -> Vec<(String, String)>;

    /// The rows of a query. If it `is_kept`, the connection caches the prepared statement with its current columns.
    fn fetch(
        pool: &Pool<Self>,
        sql: String,
        arguments: Self::Arguments,
        is_kept: bool,
    ) -> RowStream<'_, Self>;

    /// The first value of a row, a text.
    fn text(row: &Self::Row) -> Result<String, BoxError>;

    /// Adds a value of a key to the arguments of a query; `kind` is the column's type, empty if the database does not need it.
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

    /// A row's text; `None` if it is null.
    fn text_of(row: &Self::Row, column: &str) -> Result<Option<String>, sqlx::Error>;

    /// A line of the output of `EXPLAIN`.
    fn explained(row: &Self::Row) -> Result<String, sqlx::Error>;
}

/// A database's SQL dialect.
#[derive(Clone, Copy)]
pub struct Dialect {
    /// Around names.
    pub(crate) quote: char,
    /// The type that a date is cast to, to be read as text.
    pub(crate) as_text: &'static str,
    /// The function of the greatest of several values.
    pub(crate) greatest: &'static str,
    /// Words of a plan that sorts rows.
    pub(crate) sorts: &'static str,
    /// The notation of a parameter, by its number from 1.
    pub(crate) parameter: fn(usize) -> String,
    /// `true` if keys are compared as values of their type, and read as its text.
    pub(crate) casts: bool,
    /// `true` if a cached query fails after its columns change, instead of silently reading others.
    pub(crate) notices_changes: bool,
    /// `true` if an index answers `(a, b) > (?, ?)`.
    pub(crate) row_values: bool,
    /// The text before a query that requests its plan.
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

/// The rest of a [`Driver`], which is the same for every database.
macro_rules! driver {
    () => {
        fn fetch(
            pool: &Pool<Self>,
            sql: String,
            arguments: Self::Arguments,
            is_kept: bool,
        ) -> RowStream<'_, Self> {
            let query = sqlx::query_with(AssertSqlSafe(sql), arguments).persistent(is_kept);
            Executor::fetch_many(pool, query)
        }

        fn columns(row: &Self::Row) -> Vec<(String, String)> {
            let columns = row.columns().iter();
            columns
                .map(|column| (column.name().to_owned(), column.type_info().to_string()))
                .collect()
        }

        fn text(row: &Self::Row) -> Result<String, BoxError> {
            Ok(row.try_get(0)?)
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

        fn text_of(row: &Self::Row, column: &str) -> Result<Option<String>, sqlx::Error> {
            row.try_get_unchecked(column)
        }
    };
}
pub(crate) use driver;

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    use std::task::{Context, Poll};

    use sqlx::sqlite::SqliteQueryResult;
    use sqlx::{Sqlite, SqlitePool};

    use super::*;

    /// These items, and then the end.
    struct Items<DB: Database>(Vec<Either<DB::QueryResult, DB::Row>>);

    impl<DB: Database> Unpin for Items<DB> {}

    impl<DB: Database> Stream for Items<DB> {
        type Item = Result<Either<DB::QueryResult, DB::Row>, sqlx::Error>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Poll::Ready(self.0.pop().map(Ok))
        }
    }

    /// sqlx's stream ends without its result if the thread of the connection panics.
    #[tokio::test]
    async fn an_end_is_believed_if_it_is_said_to_be_one() {
        let pool = SqlitePool::connect("sqlite::memory:").await.unwrap();
        for (rows, is_said) in [(0, true), (2, true), (0, false), (2, false)] {
            let mut items = Vec::new();
            if is_said {
                items.push(Either::Left(SqliteQueryResult::default()));
            }
            for _ in 0..rows {
                items.push(Either::Right(
                    sqlx::query("SELECT 1").fetch_one(&pool).await.unwrap(),
                ));
            }
            let found = Found::<Sqlite> {
                stream: Box::pin(Items::<Sqlite>(items)),
                has_ended: false,
            };
            let found = found.all().await.map(|rows| rows.len()).map_err(|error| {
                assert!(error.is::<Unavailable>());
                error.to_string()
            });
            let expected = if is_said {
                Ok(rows)
            } else {
                Err("the rows of a query end without its result, as after a panic of sqlx".to_owned())
            };
            assert_eq!(found, expected);
        }
    }
}

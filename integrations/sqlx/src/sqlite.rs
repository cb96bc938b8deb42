//! SQLite.

use std::pin::pin;
use std::sync::Arc;

use futures_core::Stream;
use sitemap_serde::{SitemapEntry, convert::ToLastmod};
use sitemap_site::source::{BoxError, Newest, Row, Span, Step};
use sitemap_site::{Key, KeyValue, Source};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{AssertSqlSafe, Decode, FromRow, Row as _, Sqlite, Type, TypeInfo, ValueRef};

use crate::Rows;
use crate::failure::failure;
use crate::sql::{Columns, Dialect, LASTMOD, key_name, no_key, null_key, same_key};

impl<T> Rows<T, Sqlite> {
    /// The column with a row's lastmod, read as an `L`, so that the index can say when a part was last changed before it is rendered.
    /// It should be the one that the row's own lastmod is made of.
    #[must_use]
    pub fn lastmod<L>(self, column: &'static str) -> Self
    where
        L: ToLastmod + for<'r> Decode<'r, Sqlite> + Type<Sqlite>,
    {
        self.lastmod_with(column, |value: L| value)
    }

    /// As [`lastmod`](Self::lastmod), with a column whose type says no zone, or nothing of time: `convert` makes a lastmod of it.
    #[must_use]
    pub fn lastmod_with<V, L>(
        mut self,
        column: &'static str,
        convert: impl Fn(V) -> L + Send + Sync + 'static,
    ) -> Self
    where
        V: for<'r> Decode<'r, Sqlite> + Type<Sqlite>,
        L: ToLastmod,
    {
        self.plan.lastmod = Some(column);
        self.lastmod = Some(Arc::new(move |row: &SqliteRow| {
            // What does not load is said where the row is rendered.
            let value: Option<V> = row.try_get(LASTMOD).ok()?;
            convert(value?).to_lastmod().ok()?
        }));
        self
    }

    async fn columns(&self) -> Result<&Columns, BoxError> {
        self.columns
            .get_or_try_init(|| async {
                let names = match (&self.plan.keys, &self.plan.table) {
                    (Some(names), _) => names.clone(),
                    (None, Some(table)) => {
                        let (schema, table) = table
                            .split_once('.')
                            .map_or((None, table.as_str()), |(schema, table)| (Some(schema), table));
                        let names = "SELECT name FROM pragma_table_info($1, $2) WHERE pk > 0 ORDER BY pk";
                        let names = sqlx::query_scalar(names)
                            .bind(table.trim_matches('"'))
                            .bind(schema.map(|schema| schema.trim_matches('"')));
                        names.fetch_all(&self.pool).await.map_err(failure)?
                    }
                    (None, None) => Vec::new(),
                };
                if names.is_empty() {
                    return Err(no_key(&self.plan));
                }
                let nulls = sqlx::query_scalar(AssertSqlSafe(self.plan.nulls(Dialect::Sqlite, &names)));
                if nulls.fetch_one(&self.pool).await.map_err(failure)? {
                    return Err(null_key(&names));
                }
                Ok(Columns {
                    dialect: Dialect::Sqlite,
                    names,
                    types: Vec::new(),
                })
            })
            .await
    }
}

type Query = sqlx::query::Query<'static, Sqlite, SqliteArguments>;

/// A query whose parameters are the ends of a range, and how many rows are wanted.
fn bound(sql: String, columns: &Columns, span: &Span, limit: usize) -> Result<Query, BoxError> {
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for key in columns.bounds(span)? {
        for value in key.values() {
            query = match value {
                KeyValue::Integer(number) => query.bind(*number),
                KeyValue::Text(text) => query.bind(text.clone()),
                KeyValue::Bytes(bytes) => query.bind(bytes.clone()),
                other => return Err(format!("SQLite has no key such as {other}").into()),
            };
        }
    }
    Ok(query.bind(i64::try_from(limit)?))
}

fn key(row: &SqliteRow, columns: &Columns) -> Result<Key, BoxError> {
    let values = (0..columns.names.len()).map(|at| {
        let name = key_name(at);
        let value = row.try_get_raw(name.as_str())?;
        let kind = value.type_info().into_owned();
        Ok(match kind.name() {
            "INTEGER" | "BOOLEAN" => KeyValue::Integer(row.try_get_unchecked(name.as_str())?),
            "TEXT" | "DATE" | "TIME" | "DATETIME" => KeyValue::Text(row.try_get_unchecked(name.as_str())?),
            "BLOB" => KeyValue::Bytes(row.try_get_unchecked(name.as_str())?),
            "NULL" => return Err(null_key(&columns.names)),
            other => {
                return Err(format!(
                    "the key column `{}` is {other}; a key is whole numbers, texts or blobs",
                    columns.names.get(at).map_or("", String::as_str)
                )
                .into());
            }
        })
    });
    Ok(Key::composite(values.collect::<Result<Vec<_>, BoxError>>()?))
}

impl<T> Rows<T, Sqlite> {
    /// The database's plans for the two queries of a range, that of its rows and that of a step of the table of parts, a line each step:
    /// each should be a `SEARCH` by the key.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn explain(&self, span: &Span) -> Result<[Vec<String>; 2], BoxError> {
        let columns = self.columns().await?;
        let explain = async |sql: String| -> Result<Vec<String>, BoxError> {
            let query = bound(format!("EXPLAIN QUERY PLAN {sql}"), columns, span, 1)?;
            let plan = query.fetch_all(&self.pool).await.map_err(failure)?;
            plan.iter().map(|row| Ok(row.try_get("detail")?)).collect()
        };
        Ok([
            explain(self.plan.page(columns, span)).await?,
            explain(self.plan.step(columns, span)).await?,
        ])
    }
}

impl<T> Source for Rows<T, Sqlite>
where
    T: SitemapEntry + for<'r> FromRow<'r, SqliteRow> + Send + 'static,
{
    type Entry = T;

    async fn page(&self, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        let columns = self.columns().await?;
        let query = bound(self.plan.page(columns, span), columns, span, limit)?;
        let rows = query.fetch_all(&self.pool).await.map_err(failure)?;
        let rows = rows.iter().map(|row| {
            let key = key(row, columns)?;
            Ok(match T::from_row(row) {
                Ok(entry) => Row::new(key, entry),
                Err(error) => Row::failed(key, error),
            })
        });
        rows.collect()
    }

    async fn step(&self, span: &Span, limit: usize) -> Result<Option<Step>, BoxError> {
        let columns = self.columns().await?;
        let query = bound(self.plan.step(columns, span), columns, span, limit)?;
        let mut found = pin!(query.fetch(&self.pool));
        let (mut last, mut rows, mut newest) = (None, 0, Newest::Nothing);
        while let Some(row) = std::future::poll_fn(|context| found.as_mut().poll_next(context)).await {
            let row = row.map_err(failure)?;
            let key = key(&row, columns)?;
            if last.as_ref() == Some(&key) {
                return Err(same_key(&key));
            }
            newest.add(self.lastmod.as_ref().and_then(|lastmod| lastmod(&row)));
            last = Some(key);
            rows += 1;
        }
        Ok(last.map(|last| Step { last, rows, newest }))
    }
}

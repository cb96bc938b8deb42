//! PostgreSQL.

use std::pin::pin;
use std::sync::Arc;

use futures_core::Stream;
use sitemap_serde::{SitemapEntry, convert::ToLastmod};
use sitemap_site::source::{BoxError, Newest, Row, Span, Step, WrongKey};
use sitemap_site::{Key, KeyValue, Source};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::{AssertSqlSafe, Decode, FromRow, Postgres, Row as _, Type};

use crate::Rows;
use crate::failure::failure;
use crate::sql::{Columns, Dialect, LASTMOD, key_name, no_key, null_key, same_key};

impl<T> Rows<T, Postgres> {
    /// The column with a row's lastmod, read as an `L`, so that the index can say when a part was last changed before it is rendered.
    /// It should be the one that the row's own lastmod is made of.
    #[must_use]
    pub fn lastmod<L>(self, column: &'static str) -> Self
    where
        L: ToLastmod + for<'r> Decode<'r, Postgres> + Type<Postgres>,
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
        V: for<'r> Decode<'r, Postgres> + Type<Postgres>,
        L: ToLastmod,
    {
        self.plan.lastmod = Some(column);
        self.lastmod = Some(Arc::new(move |row: &PgRow| {
            // What does not load is said where the row is rendered.
            let value: Option<V> = row.try_get(LASTMOD).ok()?;
            convert(value?).to_lastmod().ok()?
        }));
        self
    }

    /// The key's columns; `None` while there are no rows.
    async fn columns(&self) -> Result<Option<&Columns>, BoxError> {
        if let Some(columns) = self.columns.get() {
            return Ok(Some(columns));
        }
        let Some(columns) = self.find_columns().await? else {
            return Ok(None);
        };
        Ok(Some(self.columns.get_or_init(|| async { columns }).await))
    }

    async fn find_columns(&self) -> Result<Option<Columns>, BoxError> {
        let names = match (&self.plan.keys, &self.plan.table) {
            (Some(names), _) => names.clone(),
            (None, Some(table)) => {
                let names = "SELECT a.attname::text FROM pg_index i \
                             JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey) \
                             WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)";
                let names = sqlx::query_scalar(names).bind(table);
                names.fetch_all(&self.pool).await.map_err(failure)?
            }
            (None, None) => Vec::new(),
        };
        if names.is_empty() {
            return Err(no_key(&self.plan));
        }
        let nulls = sqlx::query_scalar(AssertSqlSafe(self.plan.nulls(Dialect::Postgres, &names)));
        if nulls.fetch_one(&self.pool).await.map_err(failure)? {
            return Err(null_key(&names));
        }
        let types = sqlx::query_scalar(AssertSqlSafe(self.plan.types(&names)));
        let types: Option<Vec<String>> = types.fetch_optional(&self.pool).await.map_err(failure)?;
        Ok(types.map(|types| Columns {
            dialect: Dialect::Postgres,
            names,
            types,
        }))
    }
}

type Query = sqlx::query::Query<'static, Postgres, PgArguments>;

/// A query whose parameters are the ends of a range, and how many rows are wanted.
fn bound(sql: String, columns: &Columns, span: &Span, limit: usize) -> Result<Query, BoxError> {
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for key in columns.bounds(span)? {
        for (value, kind) in key.values().iter().zip(&columns.types) {
            // Each value has one spelling in an address.
            query = match value {
                KeyValue::Integer(number) if is_integer(kind) => query.bind(number.to_string()),
                KeyValue::Text(text) if !is_integer(kind) => query.bind(text.clone()),
                _ => return Err(WrongKey.into()),
            };
        }
    }
    Ok(query.bind(i64::try_from(limit)?))
}

fn is_integer(kind: &str) -> bool {
    matches!(kind, "smallint" | "integer" | "bigint" | "oid")
}

fn key(row: &PgRow, columns: &Columns) -> Result<Key, BoxError> {
    let values = columns.types.iter().enumerate().map(|(at, kind)| {
        let text: Option<String> = row.try_get(key_name(at).as_str())?;
        let text = text.ok_or_else(|| null_key(&columns.names))?;
        Ok(if is_integer(kind) {
            KeyValue::Integer(text.parse()?)
        } else {
            KeyValue::Text(text)
        })
    });
    Ok(Key::composite(values.collect::<Result<Vec<_>, BoxError>>()?))
}

impl<T> Rows<T, Postgres> {
    /// The database's plans for the two queries of a range, that of its rows and that of a step of the table of parts, line by line: each
    /// should have an `Index Cond` on the key. Empty while there are no rows.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn explain(&self, span: &Span) -> Result<[Vec<String>; 2], BoxError> {
        let Some(columns) = self.columns().await? else {
            return Ok([Vec::new(), Vec::new()]);
        };
        let explain = async |sql: String| -> Result<Vec<String>, BoxError> {
            let query = bound(format!("EXPLAIN (COSTS OFF) {sql}"), columns, span, 1_000)?;
            let plan = query.fetch_all(&self.pool).await.map_err(failure)?;
            plan.iter().map(|row| Ok(row.try_get(0)?)).collect()
        };
        Ok([
            explain(self.plan.page(columns, span)).await?,
            explain(self.plan.step(columns, span)).await?,
        ])
    }
}

impl<T> Source for Rows<T, Postgres>
where
    T: SitemapEntry + for<'r> FromRow<'r, PgRow> + Send + 'static,
{
    type Entry = T;

    async fn page(&self, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        let Some(columns) = self.columns().await? else {
            return Ok(Vec::new());
        };
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
        let Some(columns) = self.columns().await? else {
            return Ok(None);
        };
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

//! The rows of a table as a source.

use std::pin::Pin;
use std::sync::Arc;

use futures_core::Stream;
use sitemap_serde::{SitemapEntry, convert::ToLastmod};
use sitemap_site::source::{BoxError, DatedKey, DatedKeys, Row, Span};
use sitemap_site::{Key, Source};
use sqlx::{Decode, FromRow, Type};

use crate::Rows;
use crate::backend::{Backend, Found};
use crate::failure::failure;
use crate::sql::{Columns, LASTMOD, composite, key_name, no_key, null_key, wrong_type};

impl<T, DB: Backend> Rows<T, DB> {
    /// Sets the column with a row's lastmod, read as an `L`, for the index, which has the newest lastmod of each part. It should be the column of
    /// the row's own lastmod. If a row of a part has NULL, the index has no lastmod of the part; a value that is not a date is also a warning in
    /// the log.
    #[must_use]
    pub fn lastmod<L>(self, column: &'static str) -> Self
    where
        L: ToLastmod + for<'r> Decode<'r, DB> + Type<DB>,
    {
        self.lastmod_with(column, |value: L| value)
    }

    /// Like [`lastmod`](Self::lastmod), for a column without a zone, or of any other type: `convert` converts its value to a lastmod, as the
    /// functions for columns in [`sitemap_serde::convert`] do:
    ///
    /// ```no_run
    /// use sitemap_serde::convert::sql_date_time;
    /// # use sitemap_serde::SitemapEntry;
    /// # #[derive(sqlx::FromRow, SitemapEntry)]
    /// # #[sitemap(loc = "/{slug}")]
    /// # struct Product { slug: String }
    /// # fn f(pool: sqlx::SqlitePool) {
    /// // Texts such as `2024-05-06 07:08:09`, in UTC.
    /// let products = sitemap_sqlx::table::<Product, _>(pool, "products")
    ///     .lastmod_with("updated_at", |at: String| sql_date_time(&at));
    /// # }
    /// ```
    #[must_use]
    pub fn lastmod_with<V, L>(
        mut self,
        column: &'static str,
        convert: impl Fn(V) -> L + Send + Sync + 'static,
    ) -> Self
    where
        V: for<'r> Decode<'r, DB> + Type<DB>,
        L: ToLastmod,
    {
        self.plan.lastmod = Some(column);
        self.lastmod = Some(Arc::new(move |row: &DB::Row| {
            Ok(match DB::get(row, LASTMOD)? {
                Some(value) => convert(value).to_lastmod()?,
                None => None,
            })
        }));
        self
    }

    /// The key's columns; `None` if there are no rows yet.
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
            (None, Some(table)) => DB::primary_key(&self.pool, table).await.map_err(failure)?,
            (None, None) => Vec::new(),
        };
        if names.is_empty() {
            // A table that is missing has no key either: then the database says so.
            if self.plan.table.is_some() {
                let mut rows = DB::fetch(&self.pool, self.plan.any_row(), DB::Arguments::default());
                next(&mut rows).await?;
            }
            return Err(no_key(&self.plan));
        }
        if names.len() > 1 && !DB::DIALECT.row_values {
            return Err(composite(&names));
        }
        self.plan.check_values(DB::DIALECT)?;
        let nulls = self.plan.nulls(DB::DIALECT, &names);
        let mut nulls = DB::fetch(&self.pool, nulls, self.arguments()?);
        if next(&mut nulls).await?.is_some() {
            return Err(null_key(&names));
        }
        drop(nulls);
        let types = DB::types(&self.pool, &self.plan, &names).await.map_err(failure)?;
        Ok(types.map(|types| Columns {
            dialect: DB::DIALECT,
            names,
            types,
        }))
    }

    /// The values of the filter.
    fn arguments(&self) -> Result<DB::Arguments, BoxError> {
        let mut arguments = DB::Arguments::default();
        for bind in &self.values {
            bind(&mut arguments)?;
        }
        Ok(arguments)
    }

    /// The rows of a query whose parameters are the filter's, the ends of a range and the number of rows.
    fn fetch(
        &self,
        sql: String,
        columns: &Columns,
        span: &Span,
        limit: usize,
    ) -> Result<Found<'_, DB>, BoxError> {
        let mut arguments = self.arguments()?;
        for key in columns.bounds(span)? {
            for (value, kind) in key.values().iter().zip(&columns.types) {
                DB::bind(&mut arguments, value, kind)?;
            }
        }
        DB::bind_limit(&mut arguments, i64::try_from(limit)?)?;
        Ok(DB::fetch(&self.pool, sql, arguments))
    }

    /// Returns the database's plans, line by line, for the two queries of a range: for its rows, and for counting. Each
    /// should find the range by an index on the key. In SQLite that is a `SEARCH`, in PostgreSQL an `Index Cond`, and in MySQL the type
    /// `range`; a line for MySQL has the table, type, key and extra information. Empty if there are no rows yet.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn explain(&self, span: &Span) -> Result<[Vec<String>; 2], BoxError> {
        let Some(columns) = self.columns().await? else {
            return Ok([Vec::new(), Vec::new()]);
        };
        let explain = async |sql: String| -> Result<Vec<String>, BoxError> {
            let sql = format!("{} {sql}", DB::DIALECT.explain);
            let mut found = self.fetch(sql, columns, span, 1_000)?;
            let mut lines = Vec::new();
            while let Some(row) = next(&mut found).await? {
                lines.push(DB::explained(&row)?);
            }
            Ok(lines)
        };
        Ok([
            explain(self.plan.page(columns, span)).await?,
            explain(self.plan.keys(columns, span)).await?,
        ])
    }

    async fn dated_keys(
        &self,
        found: &mut Found<'_, DB>,
        columns: &Columns,
    ) -> Result<Vec<DatedKey>, BoxError> {
        let mut keys = DatedKeys::default();
        while let Some(row) = next(found).await? {
            let lastmod = self.lastmod.as_ref().map_or(Ok(None), |lastmod| lastmod(&row));
            keys.push(key::<DB>(&row, columns)?, lastmod)?;
        }
        Ok(keys.finish())
    }
}

/// The next row of a query.
async fn next<R>(
    found: &mut Pin<Box<dyn Stream<Item = Result<R, sqlx::Error>> + Send + '_>>,
) -> Result<Option<R>, BoxError> {
    std::future::poll_fn(|context| found.as_mut().poll_next(context))
        .await
        .transpose()
        .map_err(failure)
}

fn key<DB: Backend>(row: &DB::Row, columns: &Columns) -> Result<Key, BoxError> {
    let values = columns.types.iter().enumerate().map(|(at, kind)| {
        let value =
            DB::key_value(row, &key_name(at), kind).map_err(|error| wrong_type(columns, at, &error))?;
        value.ok_or_else(|| null_key(&columns.names))
    });
    Ok(Key::composite(values.collect::<Result<Vec<_>, BoxError>>()?))
}

impl<T, DB: Backend> Source for Rows<T, DB>
where
    T: SitemapEntry + for<'r> FromRow<'r, DB::Row> + Send + 'static,
{
    type Entry = T;

    async fn page(&self, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        let Some(columns) = self.columns().await? else {
            return Ok(Vec::new());
        };
        let mut found = self.fetch(self.plan.page(columns, span), columns, span, limit)?;
        let mut rows = Vec::new();
        while let Some(row) = next(&mut found).await? {
            let key = key::<DB>(&row, columns)?;
            rows.push(match T::from_row(&row) {
                Ok(entry) => Row::new(key, entry),
                Err(error) => Row::failed(key, error),
            });
        }
        Ok(rows)
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        let Some(columns) = self.columns().await? else {
            return Ok(Vec::new());
        };
        let mut found = self.fetch(self.plan.keys(columns, span), columns, span, limit)?;
        self.dated_keys(&mut found, columns).await
    }

    async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        let Some(columns) = self.columns().await? else {
            return Ok(None);
        };
        let Some(sql) = self.plan.latest(columns) else {
            return Ok(None);
        };
        let mut found = self.fetch(sql, columns, &Span::ALL, limit)?;
        Ok(Some(self.dated_keys(&mut found, columns).await?))
    }
}

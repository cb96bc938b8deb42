//! The rows of a table as a source.
//!
//! **An end needs a confirmation** (`sitemap-sqlx`'s `Found`). sqlx's stream of rows also ends if the thread of a SQLite connection
//! panics, so the source waits for the result that follows the last row. SeaORM hides that result: there a count, which always has one
//! row, says that no rows are left. Diesel returns whole results.
//!
//! **A row or all rows.** A row that cannot be decoded is skipped; columns that do not fit are an error. If no row of a batch can be
//! decoded, other rows of the table tell which it is, and the batch is read again after them, since a migration may come between two
//! queries. Diesel loads a whole batch or none: its source halves the batch (`bisect`). After a panic, the connection is dropped while
//! the thread unwinds, so r2d2 recognizes it as broken.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sitemap_serde::{SitemapEntry, convert::ToLastmod};
use sitemap_site::source::{BoxError, DatedKey, DatedKeys, Panicked, Row, Span, Unavailable, WrongKey};
use sitemap_site::{Key, Source};
use sqlx::{Decode, FromRow, Pool, SqlSafeStr, Type};
use tokio::sync::OnceCell;

use crate::backend::{Backend, Driver, Found};
use crate::failure::is_outdated;
use crate::sql::{Columns, LASTMOD, ambiguous, composite, no_key, null_key, wrong_type};
use crate::{Bind, Rows};

/// The lifetime of a description of the columns; a failing query ends it early.
const DESCRIBED: Duration = Duration::from_secs(1);

/// Number of rows that are read to see whether any row can be decoded.
const SAMPLE: usize = 100;

impl<T, DB: Backend> Rows<T, DB> {
    /// Sets the column with a row's lastmod, read as an `L`, for the index. The index has the newest lastmod of each part. Use the column
    /// of the row's own lastmod. If a row of a part has NULL, the index has no lastmod for the part; a value that is not a date also causes
    /// a warning in the log.
    #[must_use]
    pub fn lastmod<L>(self, column: &'static str) -> Self
    where
        L: ToLastmod + for<'r> Decode<'r, DB> + Type<DB>,
    {
        self.lastmod_with(column, |value: L| value)
    }

    /// Like [`lastmod`](Self::lastmod), for a column without a zone, or of any other type: `convert` converts its value to a lastmod, like
    /// the functions for columns in [`sitemap_serde::convert`]:
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
    ///     .lastmod_with("updated_at", |at: String| sql_date_time::write(&at));
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
        self.declared.lastmod = false;
        self.plan.lastmod = Some(DB::DIALECT.quoted(column));
        self.plan.selected = None;
        self.lastmod = Some(Arc::new(move |row: &DB::Row| {
            Ok(match DB::get(row, LASTMOD)? {
                Some(value) => convert(value).to_lastmod()?,
                None => None,
            })
        }));
        self
    }

    /// Like [`lastmod_with`](Self::lastmod_with), for an expression of several columns. It is inserted as SQL.
    ///
    /// ```no_run
    /// # use sitemap_serde::SitemapEntry;
    /// # use sqlx::types::chrono::{DateTime, Utc};
    /// # #[derive(sqlx::FromRow, SitemapEntry)]
    /// # #[sitemap(loc = "/{slug}")]
    /// # struct Product { slug: String }
    /// # fn f(pool: sqlx::SqlitePool) {
    /// let products = sitemap_sqlx::table::<Product, _>(pool, "products")
    ///     .lastmod_sql("COALESCE(updated_at, created_at)", |at: DateTime<Utc>| at);
    /// # }
    /// ```
    ///
    /// An index on the same expression finds the newest rows, as in `CREATE INDEX … ON products (COALESCE(updated_at, created_at))`.
    #[must_use]
    pub fn lastmod_sql<V, L>(
        self,
        expression: impl SqlSafeStr,
        convert: impl Fn(V) -> L + Send + Sync + 'static,
    ) -> Self
    where
        V: for<'r> Decode<'r, DB> + Type<DB>,
        L: ToLastmod,
    {
        let mut rows = self.lastmod_with("", convert);
        rows.plan.lastmod = Some(format!("({})", expression.into_sql_str().as_str()));
        rows
    }

    /// The columns, as the database described them lately.
    async fn lately(&self) -> Result<Arc<Columns>, BoxError> {
        // Concurrent callers wait for the same description.
        let mut known = self.columns.lock().await;
        let columns = match &*known {
            Some(columns) if columns.described.elapsed() < DESCRIBED => Arc::clone(columns),
            previous => Arc::new(self.describe(previous.as_deref(), false).await?),
        };
        *known = Some(Arc::clone(&columns));
        if columns.nulls.get() == Some(&true) {
            return Err(null_key(&columns.names));
        }
        Ok(columns)
    }

    /// The columns if they differ from the columns of a query; `None` if they are the same.
    async fn changed(&self, used: &Columns, is_outdated: bool) -> Result<Option<Arc<Columns>>, BoxError> {
        let mut known = self.columns.lock().await;
        let fresh = match &*known {
            Some(other) if other.generation != used.generation => Arc::clone(other),
            previous => Arc::new(self.describe(previous.as_deref(), is_outdated).await?),
        };
        *known = Some(Arc::clone(&fresh));
        Ok((fresh.generation != used.generation).then_some(fresh))
    }

    /// The columns for the single repetition of a failed query.
    ///
    /// # Errors
    /// The query's error, if it has been repeated already, or if the columns are still the same.
    async fn after(
        &self,
        columns: &Columns,
        error: BoxError,
        is_repeated: &mut bool,
    ) -> Result<Arc<Columns>, BoxError> {
        // An invented key says nothing about the columns, and must not cost a query each time.
        let is_of_columns = !error.is::<Unavailable>() && !error.is::<WrongKey>();
        if std::mem::replace(is_repeated, true) || !is_of_columns {
            return Err(error);
        }
        let is_outdated = is_outdated(&error);
        self.changed(columns, is_outdated).await?.ok_or(error)
    }

    /// Asks the database for the columns.
    async fn describe(&self, previous: Option<&Columns>, is_outdated: bool) -> Result<Columns, BoxError> {
        self.declared.check()?;
        self.plan.check_values(DB::DIALECT)?;
        let mut generation = previous.map_or(0, |columns| columns.generation) + u64::from(is_outdated);
        let mut names = match (&self.plan.keys, previous) {
            (Some(names), _) => names.clone(),
            (None, Some(columns)) => columns.names.clone(),
            (None, None) => self.primary_key().await?,
        };
        let mut row = self.described(&names, generation).await;
        if row.as_ref().is_err_and(crate::failure::is_outdated) {
            generation += 1;
            row = self.described(&names, generation).await;
        }
        if row.as_ref().is_err_and(|error| !error.is::<Unavailable>())
            && previous.is_some()
            && self.plan.keys.is_none()
        {
            // A column of the key may have another name now.
            names = self.primary_key().await?;
            row = self.described(&names, generation).await;
        }
        let row = row?;
        if names.is_empty() {
            return Err(no_key(&self.plan));
        }
        if names.len() > 1 && !DB::DIALECT.row_values {
            return Err(composite(&names));
        }
        let types = DB::types(&row, &names)?;
        let head = DB::head(&names, self.plan.keys.is_some()).len();
        let read = DB::columns(&row).split_off(head);
        let mut seen = std::collections::HashSet::new();
        if let Some((name, _)) = read.iter().find(|(name, _)| !seen.insert(name)) {
            return Err(ambiguous(name));
        }
        let same = previous
            .filter(|columns| (&columns.names, &columns.types, &columns.read) == (&names, &types, &read));
        if same.is_none() && previous.is_some_and(|columns| columns.generation == generation) {
            generation += 1;
        }
        let nulls = match same {
            // A null may be gone by now.
            Some(columns) if columns.nulls.get() != Some(&true) => Arc::clone(&columns.nulls),
            _ => self.nulls(&names).await?,
        };
        Ok(Columns {
            dialect: DB::DIALECT,
            names,
            types,
            read,
            generation,
            nulls,
            described: Instant::now(),
        })
    }

    /// The row that describes the columns.
    async fn described(&self, names: &[String], generation: u64) -> Result<DB::Row, BoxError> {
        let head = if names.is_empty() {
            Vec::new()
        } else {
            DB::head(names, self.plan.keys.is_some())
        };
        let sql = self.plan.describe(DB::DIALECT, &head, generation);
        let is_kept = DB::DIALECT.notices_changes;
        let found = Found::<DB>::new(&self.pool, sql, DB::Arguments::default(), is_kept);
        let row = found.all().await?.pop();
        row.ok_or_else(|| "the database describes no columns".into())
    }

    /// The names of the primary key's columns; empty if there is none.
    async fn primary_key(&self) -> Result<Vec<String>, BoxError> {
        self.catalogue(DB::PRIMARY_KEY).await
    }

    /// The catalogue's facts about the table.
    async fn catalogue(&self, sql: &str) -> Result<Vec<String>, BoxError> {
        let Some(table) = &self.plan.table else {
            return Ok(Vec::new());
        };
        let arguments = DB::table_arguments(table)?;
        let found = Found::<DB>::new(&self.pool, sql.to_owned(), arguments, true)
            .all()
            .await?;
        found.iter().map(DB::text).collect()
    }

    /// Finds out if the key is null in any row: known if the catalogue forbids it; otherwise a task checks, since this may read the whole
    /// table.
    async fn nulls(&self, names: &[String]) -> Result<Arc<OnceCell<bool>>, BoxError> {
        let not_null = match self.catalogue(DB::NOT_NULL).await {
            Err(error) if error.is::<Unavailable>() => return Err(error),
            // The text after `FROM` may be more than a name.
            not_null => not_null.unwrap_or_default(),
        };
        if names.iter().all(|name| not_null.contains(name)) {
            return Ok(Arc::new(OnceCell::new_with(Some(false))));
        }
        let nulls = Arc::new(OnceCell::new());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (nulls, names) = (Arc::clone(&nulls), names.to_vec());
            let (pool, plan, values) = (self.pool.clone(), self.plan.clone(), self.values.clone());
            runtime.spawn(async move {
                // After an error, the next caller checks again.
                let _ = nulls
                    .get_or_try_init(|| has_nulls(&pool, plan.nulls(DB::DIALECT, &names), &values))
                    .await;
            });
        }
        Ok(nulls)
    }

    /// Rejects the end of the table if a key is null, since such a row is in no range.
    async fn end(&self, columns: &Columns, span: &Span, found: usize, limit: usize) -> Result<(), BoxError> {
        if span.to.is_some() || found >= limit {
            return Ok(());
        }
        let sql = || self.plan.nulls(DB::DIALECT, &columns.names);
        let nulls = columns
            .nulls
            .get_or_try_init(|| has_nulls(&self.pool, sql(), &self.values));
        if *nulls.await? {
            return Err(null_key(&columns.names));
        }
        Ok(())
    }

    /// The rows of a query whose parameters are the filter's, the ends of a range and the number of rows.
    fn fetch(
        &self,
        sql: String,
        columns: &Columns,
        span: &Span,
        limit: usize,
    ) -> Result<Found<'_, DB>, BoxError> {
        let mut arguments = self.within(columns, span)?;
        DB::bind_limit(&mut arguments, i64::try_from(limit).unwrap_or(i64::MAX))?;
        Ok(Found::new(&self.pool, sql, arguments, true))
    }

    /// The filter's parameters and the ends of a range.
    fn within(&self, columns: &Columns, span: &Span) -> Result<DB::Arguments, BoxError> {
        let mut arguments = arguments::<DB>(&self.values)?;
        for key in columns.bounds(span)? {
            for (value, kind) in key.values().iter().zip(&columns.types) {
                DB::bind(&mut arguments, value, kind)?;
            }
        }
        Ok(arguments)
    }

    /// Returns the database's plans, line by line, for the two queries of a range: for its rows, and for counting. Each
    /// should find the range by an index on the key. In SQLite that is a `SEARCH`, in PostgreSQL an `Index Cond`, and in MySQL the type
    /// `range`; a line for MySQL has the table, type, key and extra information.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn explain(&self, span: &Span) -> Result<[Vec<String>; 2], BoxError> {
        let columns = self.lately().await?;
        let explain = async |sql: String| -> Result<Vec<String>, BoxError> {
            let sql = format!("{} {sql}", DB::DIALECT.explain);
            let found = self.fetch(sql, &columns, span, 1_000)?.all().await?;
            Ok(found.iter().map(DB::explained).collect::<Result<_, _>>()?)
        };
        Ok([
            explain(self.plan.page(&columns, span)).await?,
            explain(self.plan.keys(&columns, span)).await?,
        ])
    }

    /// Warns once if the query of the newest rows sorts all of them. Sorting few rows is harmless, and databases prefer it to an index.
    async fn warn_of_sorting(&self, columns: &Columns, sql: &str) -> Result<(), BoxError> {
        if !self.declared.lastmod {
            return Ok(());
        }
        let look = async || -> Result<(), BoxError> {
            let sql = format!("{} {sql}", DB::DIALECT.explain);
            let found = self.fetch(sql, columns, &Span::ALL, 1)?.all().await?;
            let lines = found.iter().map(DB::explained).collect::<Result<Vec<_>, _>>()?;
            if lines.iter().any(|line| line.contains(DB::DIALECT.sorts)) {
                tracing::warn!(
                    "the newest rows of {} are found by sorting all of them, since no index begins with the lastmod of `{}`, {}: create one, or \
                     leave the index of sitemaps without lastmods with `without_lastmod`",
                    self.plan.from,
                    self.declared.of,
                    self.declared.columns.lastmod.join(", ")
                );
            }
            Ok(())
        };
        self.sorts.get_or_try_init(look).await.copied()
    }

    async fn dated_keys(
        &self,
        mut found: Found<'_, DB>,
        columns: &Columns,
    ) -> Result<Vec<DatedKey>, BoxError> {
        let mut keys = DatedKeys::default();
        while let Some(row) = found.next().await? {
            let lastmod = Panicked::catch(|| self.lastmod.as_ref().map_or(Ok(None), |lastmod| lastmod(&row)));
            let lastmod = lastmod.unwrap_or_else(|panic| Err(panic.into()));
            keys.push(key::<DB>(&row, columns)?, lastmod)?;
        }
        Ok(keys.finish())
    }
}

/// Reads the lastmod that a type declares, as text.
pub(crate) fn declared_lastmod<DB: Backend>(declared: sitemap_serde::convert::Columns) -> crate::Lastmod<DB> {
    Arc::new(move |row: &DB::Row| {
        let text = DB::text_of(row, LASTMOD)?;
        Ok(text.map_or(Ok(None), |text| declared.read_lastmod(&text))?)
    })
}

impl crate::Declared {
    /// Rejects a lastmod that only the type can read.
    fn check(&self) -> Result<(), BoxError> {
        if !(self.lastmod && self.columns.is_lastmod_converted) {
            return Ok(());
        }
        let (of, columns) = (self.of, self.columns.lastmod.join(", "));
        Err(format!(
            "a function of `{of}` converts its lastmod, which a query cannot call: name the column ({columns}) with `lastmod_with`, or leave the index \
             without lastmods with `without_lastmod`"
        )
        .into())
    }
}

/// The values of a filter.
fn arguments<DB: Driver>(values: &[Bind<DB>]) -> Result<DB::Arguments, BoxError> {
    let mut arguments = DB::Arguments::default();
    for bind in values {
        bind(&mut arguments)?;
    }
    Ok(arguments)
}

/// Returns `true` if a query has a row.
async fn has_nulls<DB: Driver>(pool: &Pool<DB>, sql: String, values: &[Bind<DB>]) -> Result<bool, BoxError> {
    let found = Found::new(pool, sql, arguments::<DB>(values)?, true)
        .all()
        .await?;
    Ok(!found.is_empty())
}

fn key<DB: Backend>(row: &DB::Row, columns: &Columns) -> Result<Key, BoxError> {
    // The columns of the key come last.
    let first = DB::width(row).saturating_sub(columns.names.len());
    let values = columns.types.iter().enumerate().map(|(at, kind)| {
        let value = DB::key_value(row, first + at, kind).map_err(|error| wrong_type(columns, at, &error))?;
        value.ok_or_else(|| null_key(&columns.names))
    });
    Ok(Key::composite(values.collect::<Result<Vec<_>, BoxError>>()?))
}

impl<T, DB: Backend> Rows<T, DB>
where
    T: for<'r> FromRow<'r, DB::Row>,
{
    async fn rows(&self, columns: &Columns, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        let mut found = self.fetch(self.plan.page(columns, span), columns, span, limit)?;
        let mut rows = Vec::new();
        while let Some(row) = found.next().await? {
            rows.push(Row::decoded(key::<DB>(&row, columns)?, || T::from_row(&row)));
        }
        Ok(rows)
    }

    /// Returns `true` if any of the first rows can be decoded, or any of the rows after a batch with this last key. Otherwise the columns
    /// do not fit the type.
    async fn fit(&self, columns: &Columns, last: Option<Key>) -> Result<bool, BoxError> {
        let next = last.map(|last| Span::ALL.above(last));
        for span in [Some(Span::ALL), next].into_iter().flatten() {
            let sample = self.rows(columns, &span, SAMPLE).await?;
            if sample.iter().any(|row| row.entry().is_ok()) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<T, DB: Backend> Source for Rows<T, DB>
where
    T: SitemapEntry + for<'r> FromRow<'r, DB::Row> + Send + 'static,
{
    type Entry = T;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        let mut columns = self.lately().await?;
        let mut is_repeated = false;
        let rows = loop {
            match self.rows(&columns, span, limit).await {
                Err(error) => columns = self.after(&columns, error, &mut is_repeated).await?,
                Ok(rows) if is_repeated || rows.iter().all(|row| row.entry().is_ok()) => break rows,
                // Either these rows are bad, or the columns do not fit.
                Ok(rows) => match self.changed(&columns, false).await? {
                    None => break rows,
                    Some(fresh) => columns = fresh,
                },
            }
            is_repeated = true;
        };
        self.end(&columns, span, rows.len(), limit).await?;
        if rows.is_empty() || rows.iter().any(|row| row.entry().is_ok()) {
            return Ok(rows);
        }
        let last = rows.last().map(|row| row.key().clone());
        if self.fit(&columns, last).await? {
            // The columns may have changed between the two queries.
            return self.rows(&columns, span, limit).await;
        }
        let first = rows.into_iter().find_map(|row| row.into_parts().1.err());
        first.map_or(Ok(Vec::new()), Err)
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        let mut columns = self.lately().await?;
        let mut is_repeated = false;
        loop {
            let found = self.fetch(self.plan.keys(&columns, span), &columns, span, limit)?;
            match self.dated_keys(found, &columns).await {
                Err(error) => columns = self.after(&columns, error, &mut is_repeated).await?,
                Ok(keys) => {
                    self.end(&columns, span, keys.len(), limit).await?;
                    return Ok(keys);
                }
            }
        }
    }

    async fn count(&self, span: &Span) -> Result<Option<u64>, BoxError> {
        let mut columns = self.lately().await?;
        let mut is_repeated = false;
        loop {
            let (sql, arguments) = (self.plan.count(&columns, span), self.within(&columns, span)?);
            let counted = async { Found::<DB>::new(&self.pool, sql, arguments, true).all().await };
            match counted.await {
                Err(error) => columns = self.after(&columns, error, &mut is_repeated).await?,
                Ok(rows) => {
                    let number = rows.first().map(DB::number).transpose()?;
                    return Ok(number.and_then(|number| u64::try_from(number).ok()));
                }
            }
        }
    }

    fn key_columns(&self) -> Vec<(String, String)> {
        let columns = self.columns.try_lock().ok().and_then(|columns| columns.clone());
        let columns = columns
            .iter()
            .flat_map(|columns| columns.names.iter().zip(&columns.types));
        columns
            .filter(|(_, kind)| !kind.is_empty())
            .map(|(name, kind)| (name.clone(), kind.trim_start_matches("pg_catalog.").to_owned()))
            .collect()
    }

    async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        if self.plan.lastmod.is_none() {
            return Ok(None);
        }
        let mut columns = self.lately().await?;
        let mut is_repeated = false;
        loop {
            let Some(sql) = self.plan.latest(&columns) else {
                return Ok(None);
            };
            let found = self.fetch(sql.clone(), &columns, &Span::ALL, limit)?;
            match self.dated_keys(found, &columns).await {
                Err(error) => columns = self.after(&columns, error, &mut is_repeated).await?,
                Ok(keys) => {
                    if keys.len() >= limit {
                        self.warn_of_sorting(&columns, &sql).await?;
                    }
                    return Ok(Some(keys));
                }
            }
        }
    }
}

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    use super::*;

    #[derive(sqlx::FromRow, SitemapEntry)]
    #[sitemap(loc = "/{slug}")]
    struct Page {
        slug: String,
    }

    /// The catalogue's facts about nulls in the key of a table, before any row is read.
    async fn known<DB: Backend>(pool: &Pool<DB>, table: &'static str, key: &'static str) -> Option<bool> {
        let rows = crate::table::<Page, DB>(pool.clone(), table).key(key.split(','));
        // The task that looks for nulls is off.
        let columns = rows.describe(None, false).await.unwrap();
        columns.nulls.get().copied()
    }

    /// A key that is never null is not looked for nulls.
    #[tokio::test]
    async fn what_the_catalogue_says_of_nulls() {
        let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1);
        let pool = pool.connect("sqlite::memory:").await.unwrap();
        let tables = "CREATE TABLE numbers (id INTEGER PRIMARY KEY, slug);
            CREATE TABLE lower (id integer primary key, slug);
            CREATE TABLE descending (id INTEGER PRIMARY KEY DESC, slug);
            CREATE TABLE ints (id INT PRIMARY KEY, slug);
            CREATE TABLE texts (id TEXT PRIMARY KEY, slug);
            CREATE TABLE present (id TEXT PRIMARY KEY NOT NULL, slug);
            CREATE TABLE two (a INTEGER NOT NULL, b TEXT NOT NULL, c TEXT, slug, PRIMARY KEY (a, b));
            CREATE TABLE loose (a INTEGER, b TEXT, slug, PRIMARY KEY (a, b));
            CREATE TABLE compact (a INTEGER, b TEXT, slug, PRIMARY KEY (a, b)) WITHOUT ROWID;
            CREATE VIEW seen AS SELECT * FROM numbers;
            INSERT INTO texts VALUES (NULL, 'a');";
        sqlx::raw_sql(tables).execute(&pool).await.unwrap();
        for (table, key, expected) in [
            ("numbers", "id", Some(false)),
            ("main.numbers", "id", Some(false)),
            ("numbers AS n", "id", None),
            ("lower", "id", Some(false)),
            ("descending", "id", None),
            ("ints", "id", None),
            ("texts", "id", None),
            ("present", "id", Some(false)),
            ("two", "a,b", Some(false)),
            ("two", "a,c", None),
            ("loose", "a,b", None),
            ("compact", "a,b", Some(false)),
            ("seen", "id", None),
        ] {
            assert_eq!(known(&pool, table, key).await, expected, "{table} ({key})");
        }
        // Elsewhere a task has looked soon.
        let texts = crate::table::<Page, _>(pool, "texts").key(["id"]);
        let columns = texts.describe(None, false).await.unwrap();
        tokio::time::timeout(Duration::from_secs(10), async {
            while columns.nulls.get() != Some(&true) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
        .unwrap();
    }

    #[cfg(all(feature = "postgres", unix))]
    #[tokio::test]
    async fn what_postgresql_says_of_nulls() {
        let Some(postgres) = sitemap_serving_tests::Postgres::start("what_postgresql_says_of_nulls") else {
            return;
        };
        let pool = sqlx::PgPool::connect(&postgres.url()).await.unwrap();
        let tables = "CREATE TABLE \"My rows\" (id int PRIMARY KEY, slug text, other int UNIQUE);
            CREATE TABLE two (a int, b text, slug text, PRIMARY KEY (a, b));
            CREATE VIEW seen AS SELECT * FROM two;
            CREATE MATERIALIZED VIEW stored AS SELECT * FROM two;";
        sqlx::raw_sql(tables).execute(&pool).await.unwrap();
        for (table, key, expected) in [
            ("\"My rows\"", "id", Some(false)),
            ("public.\"My rows\"", "id", Some(false)),
            ("\"My rows\"", "other", None),
            ("\"My rows\" AS r", "id", None),
            ("two", "a,b", Some(false)),
            ("seen", "a,b", None),
            ("stored", "a,b", None),
        ] {
            assert_eq!(known(&pool, table, key).await, expected, "{table} ({key})");
        }
    }

    #[cfg(all(feature = "mysql", unix))]
    #[tokio::test]
    async fn what_mariadb_says_of_nulls() {
        let Some(mysql) = sitemap_serving_tests::MySql::start("what_mariadb_says_of_nulls") else {
            return;
        };
        let pool = sqlx::MySqlPool::connect(&mysql.url()).await.unwrap();
        let tables = "CREATE TABLE numbers (id int PRIMARY KEY, slug text, other int UNIQUE);
            CREATE VIEW seen AS SELECT * FROM numbers;
            CREATE VIEW outer_joined AS SELECT n.id, m.slug FROM numbers m LEFT JOIN numbers n ON n.id = m.other;";
        sqlx::raw_sql(tables).execute(&pool).await.unwrap();
        for (table, key, expected) in [
            ("numbers", "id", Some(false)),
            ("mysql.`numbers`", "id", Some(false)),
            ("numbers", "other", None),
            ("seen", "id", Some(false)),
            ("outer_joined", "id", None),
        ] {
            assert_eq!(known(&pool, table, key).await, expected, "{table} ({key})");
        }
    }
}

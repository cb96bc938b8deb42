//! Entities of [SeaORM](https://docs.rs/sea-orm) 2 as sections of a served sitemap.
//!
//! ```sh
//! cargo add sitemap-seaorm sitemap-serde
//! cargo add sea-orm@2 --features runtime-tokio,sqlx-sqlite # or sqlx-postgres, sqlx-mysql
//! cargo add sitemap-site --features serve
//! cargo add tokio --features macros,rt-multi-thread
//! ```
//!
//! ```no_run
//! mod product {
//!     use sea_orm::entity::prelude::*;
//!     use sitemap_serde::SitemapEntry;
//!
//!     #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
//!     #[sea_orm(table_name = "products")]
//!     #[sitemap(loc = "/products/{slug}")]
//!     pub struct Model {
//!         #[sea_orm(primary_key)]
//!         pub id: i32,
//!         pub slug: String,
//!         #[sitemap(lastmod)]
//!         pub updated_at: Option<DateTimeUtc>,
//!         #[sitemap(exclude_if)]
//!         pub draft: bool,
//!     }
//! #
//! #   #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
//! #   pub enum Relation {}
//! #   impl ActiveModelBehavior for ActiveModel {}
//! }
//!
//! use sea_orm::{ColumnTrait, Database};
//! use sitemap_site::Site;
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! let db = Database::connect("sqlite:shop.sqlite").await?;
//! let products = sitemap_seaorm::entity::<product::Entity>(db)
//!     .filter(product::Column::Draft.eq(false))
//!     .lastmod(product::Column::UpdatedAt);
//! let site = Site::builder("https://example.com").section("products", products).build()?;
//! # Ok(())
//! # }
//! ```
//!
//! SeaORM's `DateTime` has no zone: such a field has `#[sitemap(lastmod, utc)]`.
//!
//! Rows are read by the entity's primary key, or by the columns that [`key`](Rows::key) names, in pages of `WHERE key > ? ORDER BY key
//! LIMIT ?`. Several columns are compared as row values, `(a, b) > (?, ?)`, for which databases use an index on both columns, unlike for the
//! `OR` of `cursor_by`. Each page is a separate query. A row whose columns do not fit the model is left out and logged with its key.
//!
//! Keys are unique and not null, and consist of integers, texts, UUIDs or bytes. In SQLite and PostgreSQL they have one or more columns; in MySQL
//! and MariaDB only one, since these use no index for `(a, b) > (?, ?)`.
//!
//! # Indexes
//!
//! The key needs an index on its columns in the same order; a primary key has one. Once a day, the key and the lastmod of all rows are
//! counted: with an index on both (`CREATE INDEX … ON products (id, updated_at) WHERE NOT draft`) the database need not read the rows.
//! [`explain`](Rows::explain) returns the database's query plans.

mod failure;
mod key;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use sea_orm::prelude::{DateTimeUtc, DateTimeWithTimeZone};
use sea_orm::sea_query::{ColumnType, Expr, ExprTrait, IntoCondition, Order, SelectStatement};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseConnection, DatabaseConnectionType, DbBackend, DbErr,
    EntityTrait, FromQueryResult, IdenStatic, Iterable, PrimaryKeyToColumn, QueryFilter, QueryResult,
    QuerySelect, QueryTrait, Select, TryGetable,
};
use sitemap_serde::{SitemapEntry, W3cDateTime, convert::ToLastmod};
use sitemap_site::Source;
use sitemap_site::source::{BoxError, DatedKey, DatedKeys, Row, Span};

use failure::failure;

/// The rows of an entity as entries of a section, each read as an `M`. Made by [`entity`].
pub struct Rows<E: EntityTrait, M = <E as EntityTrait>::Model> {
    db: DatabaseConnection,
    key: Vec<E::Column>,
    filter: Condition,
    lastmod: Option<(E::Column, Lastmod)>,
    row: PhantomData<fn() -> M>,
}

/// How a lastmod is read from a row.
type Lastmod = Arc<dyn Fn(&QueryResult) -> Result<Option<W3cDateTime>, BoxError> + Send + Sync>;

/// The name of the lastmod of a result.
const LASTMOD: &str = "sitemap_lastmod";

/// The rows of an entity, by its primary key.
pub fn entity<E: EntityTrait>(db: DatabaseConnection) -> Rows<E> {
    Rows {
        db,
        key: E::PrimaryKey::iter()
            .map(PrimaryKeyToColumn::into_column)
            .collect(),
        filter: Condition::all(),
        lastmod: None,
        row: PhantomData,
    }
}

impl<E: EntityTrait, M> Rows<E, M> {
    /// Sets the key: columns that are unique together and not null, in the order of an index. The default is the primary key.
    #[must_use]
    pub fn key(mut self, columns: impl IntoIterator<Item = E::Column>) -> Self {
        self.key = columns.into_iter().collect();
        self
    }

    /// Adds a condition for the rows to list; several conditions are combined by AND.
    ///
    /// Rows that the type itself leaves out (`exclude_if`) are counted in the table of parts nevertheless: filter them here too.
    #[must_use]
    pub fn filter(mut self, condition: impl IntoCondition) -> Self {
        self.filter = self.filter.add(condition.into_condition());
        self
    }

    /// Sets the column with a row's lastmod, for the index, which has the newest lastmod of each part, or none if a row of the part has NULL. It
    /// should be the column of the row's own lastmod, and contain a date, or a date and time with a zone; without a zone UTC is assumed.
    #[must_use]
    pub fn lastmod(self, column: E::Column) -> Self {
        match column.def().get_column_type() {
            ColumnType::Date => self.lastmod_with(column, |date: sea_orm::prelude::Date| date),
            ColumnType::DateTime => {
                self.lastmod_with(column, |time: sea_orm::prelude::DateTime| time.and_utc())
            }
            ColumnType::TimestampWithTimeZone => self.lastmod_with(column, |time: DateTimeWithTimeZone| time),
            _ => self.lastmod_with(column, |time: DateTimeUtc| time),
        }
    }

    /// Like [`lastmod`](Self::lastmod), for a column of any type: `convert` converts its value to a lastmod.
    #[must_use]
    pub fn lastmod_with<V: TryGetable, L: ToLastmod>(
        mut self,
        column: E::Column,
        convert: impl Fn(V) -> L + Send + Sync + 'static,
    ) -> Self {
        let lastmod = move |row: &QueryResult| {
            Ok(match row.try_get_by::<Option<V>, _>(LASTMOD)? {
                Some(value) => convert(value).to_lastmod()?,
                None => None,
            })
        };
        self.lastmod = Some((column, Arc::new(lastmod)));
        self
    }

    /// Reads rows as another type: a struct that derives `FromQueryResult`, with fields of the entity's columns.
    #[must_use]
    pub fn rows_as<Other: FromQueryResult>(self) -> Rows<E, Other> {
        Rows {
            db: self.db,
            key: self.key,
            filter: self.filter,
            lastmod: self.lastmod,
            row: PhantomData,
        }
    }

    /// The query for the rows of a range, in the order of the key.
    fn within(
        &self,
        mut query: SelectStatement,
        span: &Span,
        limit: usize,
    ) -> Result<SelectStatement, BoxError> {
        if self.key.is_empty() {
            return Err(
                "the entity has no primary key: name columns that are unique and not null with `key`".into(),
            );
        }
        if self.key.len() > 1 && self.is_mysql() {
            let names: Vec<_> = self.key.iter().map(IdenStatic::as_str).collect();
            let names = names.join(", ");
            return Err(format!("the key has several columns ({names}), and MySQL uses no index for ranges of several columns: name one column that is unique and not null with `key`").into());
        }
        // A single column is put in parentheses too. sqlx caches prepared statements by text, regardless of parameter types, and a filter may
        // produce the text `id <= $1` with an integer of another size.
        let columns = || Expr::tuple(self.key.iter().map(|column| Expr::col((E::default(), *column))));
        if let Some(after) = &span.after {
            query.and_where(columns().gt(Expr::tuple(key::values(&self.key, after)?)));
        }
        if let Some(to) = &span.to {
            query.and_where(columns().lte(Expr::tuple(key::values(&self.key, to)?)));
        }
        for (at, column) in self.key.iter().enumerate() {
            query.expr_as(Expr::col((E::default(), *column)), key::name(at));
            query.order_by((E::default(), *column), Order::Asc);
        }
        query.limit(u64::try_from(limit)?);
        Ok(query)
    }

    fn is_mysql(&self) -> bool {
        // A disconnected connection has no backend; its error is reported when it is used.
        !matches!(self.db.inner, DatabaseConnectionType::Disconnected)
            && self.db.get_database_backend() == DbBackend::MySql
    }

    fn select(&self, select: Select<E>) -> SelectStatement {
        if self.filter.is_empty() {
            return select.into_query();
        }
        select.filter(self.filter.clone()).into_query()
    }

    fn page_query(&self, span: &Span, limit: usize) -> Result<SelectStatement, BoxError> {
        let query = self.select(E::find());
        self.within(query, span, limit)
    }

    fn keys_query(&self, span: &Span, limit: usize) -> Result<SelectStatement, BoxError> {
        let mut query = self.select(E::find().select_only());
        if let Some((column, _)) = &self.lastmod {
            query.expr_as(Expr::col((E::default(), *column)), LASTMOD);
        }
        self.within(query, span, limit)
    }

    /// Returns the database's plans, line by line, for the two queries of a range: for its rows, and for counting. Each
    /// should find the range by an index on the key. In SQLite that is a `SEARCH`, in PostgreSQL an `Index Cond`, and in MySQL the type
    /// `range`; a line for MySQL has the table, type, key and extra information.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn explain(&self, span: &Span) -> Result<[Vec<String>; 2], BoxError> {
        self.db.ping().await.map_err(failure)?;
        let backend = self.db.get_database_backend();
        let explain = async |query: SelectStatement| -> Result<Vec<String>, BoxError> {
            let word = match backend {
                DbBackend::Sqlite => "EXPLAIN QUERY PLAN",
                DbBackend::Postgres => "EXPLAIN (COSTS OFF)",
                _ => "EXPLAIN",
            };
            let mut statement = backend.build(&query);
            statement.sql = format!("{word} {}", statement.sql);
            let plan = self.db.query_all_raw(statement).await.map_err(failure)?;
            let line = |row: &QueryResult| -> Result<String, DbErr> {
                let text = |column: &str| {
                    row.try_get_by::<Option<String>, _>(column)
                        .map(Option::unwrap_or_default)
                };
                match backend {
                    DbBackend::Sqlite => text("detail"),
                    DbBackend::Postgres => text("QUERY PLAN"),
                    _ => Ok([text("table")?, text("type")?, text("key")?, text("Extra")?].join(" ")),
                }
            };
            Ok(plan.iter().map(line).collect::<Result<_, _>>()?)
        };
        Ok([
            explain(self.page_query(span, 1_000)?).await?,
            explain(self.keys_query(span, 1_000)?).await?,
        ])
    }
}

impl<E, M> Source for Rows<E, M>
where
    E: EntityTrait,
    M: FromQueryResult + SitemapEntry + Send + 'static,
{
    type Entry = M;

    async fn page(&self, span: &Span, limit: usize) -> Result<Vec<Row<M>>, BoxError> {
        let query = self.page_query(span, limit)?;
        let rows = self.db.query_all(&query).await.map_err(failure)?;
        let rows = rows.iter().map(|row| {
            let key = key::of(&self.key, row)?;
            Ok(match M::from_query_result(row, "") {
                Ok(entry) => Row::new(key, entry),
                Err(error) => Row::failed(key, error),
            })
        });
        rows.collect()
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        let query = self.keys_query(span, limit)?;
        self.dated_keys(&query).await
    }

    async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        let Some((column, _)) = &self.lastmod else {
            return Ok(None);
        };
        let mut query = self.select(E::find().select_only().filter(column.is_not_null()));
        query.expr_as(Expr::col((E::default(), *column)), LASTMOD);
        for (at, key) in self.key.iter().enumerate() {
            query.expr_as(Expr::col((E::default(), *key)), key::name(at));
        }
        query.order_by((E::default(), *column), Order::Desc);
        query.limit(u64::try_from(limit)?);
        Ok(Some(self.dated_keys(&query).await?))
    }
}

impl<E: EntityTrait, M> Rows<E, M> {
    async fn dated_keys(&self, query: &SelectStatement) -> Result<Vec<DatedKey>, BoxError> {
        let found = self.db.query_all(query).await.map_err(failure)?;
        let mut keys = DatedKeys::default();
        for row in &found {
            let lastmod = self
                .lastmod
                .as_ref()
                .map_or(Ok(None), |(_, lastmod)| lastmod(row));
            keys.push(key::of(&self.key, row)?, lastmod)?;
        }
        Ok(keys.finish())
    }
}

impl<E: EntityTrait, M> fmt::Debug for Rows<E, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key: Vec<_> = self.key.iter().map(IdenStatic::as_str).collect();
        f.debug_struct("Rows")
            .field("entity", &E::default().as_str())
            .field("key", &key)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

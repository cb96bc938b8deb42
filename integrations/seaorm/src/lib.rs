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
//! use sea_orm::Database;
//! use sitemap_site::SiteBuilder;
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! let db = Database::connect("sqlite:shop.sqlite").await?;
//! let products = sitemap_seaorm::entity::<product::Entity>(db);
//! let site = SiteBuilder::new("https://example.com").section("products", products).build()?;
//! # Ok(())
//! # }
//! ```
//!
//! The attributes name the column with the lastmod, and exclude drafts: the queries use both. SeaORM's `DateTime` has no zone: such a field
//! has `#[sitemap(lastmod, zone = "UTC")]`. If a function converts the lastmod, name its column with [`lastmod_with`](Rows::lastmod_with).
//!
//! Rows are read by the entity's primary key, or by the columns that [`key`](Rows::key) names, in pages of
//! `WHERE key > ? ORDER BY key LIMIT ?`. Several columns are compared as row values, `(a, b) > (?, ?)`; unlike the `OR` of `cursor_by`,
//! these use an index on both columns. Each page is a separate query. A row that cannot be decoded is skipped and logged with its key, even
//! if the decoding panics. If neither a whole batch, nor the first 100 rows of the table, nor the 100 rows after the batch can be decoded,
//! that is an error. In a program that is built with `panic = "abort"` a panic ends the process.
//!
//! If a query returns fewer rows than requested, a count checks that there are no more, since SeaORM does not distinguish the last row from
//! a sqlx connection that has ended. A query that PostgreSQL rejects because the types of its columns have changed is repeated with a new
//! plan.
//!
//! Keys are unique and not null, and consist of integers, texts, UUIDs or bytes. In SQLite and PostgreSQL they have one or more columns; in MySQL
//! and MariaDB only one, since these use no index for `(a, b) > (?, ?)`.
//!
//! # Indexes
//!
//! The key needs an index on its columns in the same order; a primary key has one. Once a day, the key and the lastmod of all rows are
//! counted: with an index on both (`CREATE INDEX … ON products (id, updated_at) WHERE NOT draft`) the database need not read the rows.
//! Between the counts, queries find the rows with the newest lastmods: these need an index that begins with the lastmod. If it is missing,
//! each such query sorts the whole table, and the log contains one warning; [`without_lastmod`](Rows::without_lastmod) disables these
//! queries. [`explain`](Rows::explain) returns the database's query plans.

mod failure;
mod key;

use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sea_orm::prelude::{DateTimeUtc, DateTimeWithTimeZone};
use sea_orm::sea_query::{ColumnType, Expr, ExprTrait, IntoCondition, Order, SelectStatement};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseConnection, DatabaseConnectionType, DbBackend, DbErr,
    EntityTrait, FromQueryResult, IdenStatic, Iterable, PrimaryKeyToColumn, QueryFilter, QueryResult,
    QuerySelect, QueryTrait, Select, TryGetable,
};
use sitemap_serde::convert::{Columns, ToLastmod};
use sitemap_serde::{SitemapEntry, W3cDateTime};
use sitemap_site::source::{BoxError, DatedKey, DatedKeys, Panicked, Row, Span, Unavailable};
use sitemap_site::{Key, Source};

use failure::{failure, is_outdated};

/// The rows of an entity as entries of a section, each read as an `M`. [`entity`] and [`entity_as`] make it.
pub struct Rows<E: EntityTrait, M = <E as EntityTrait>::Model> {
    db: DatabaseConnection,
    key: Vec<E::Column>,
    filter: Condition,
    lastmod: Option<(Expr, Lastmod)>,
    declared: Declared,
    /// Counts the changes of the table's columns that queries met.
    generation: Arc<AtomicU64>,
    row: PhantomData<fn() -> M>,
}

/// The type's declarations about its columns, and the source's own settings, which take precedence.
#[derive(Clone, Debug, Default)]
struct Declared {
    /// `true` if the source has a lastmod of its own, or is set to have none.
    is_lastmod_set: bool,
    /// The error if a declared condition is not a column of the entity.
    wrong: Option<String>,
    /// The error if the declared lastmod is not a column of the entity, or cannot be queried.
    wrong_lastmod: Option<String>,
    /// The conditions of the type's bools.
    filter: Vec<Expr>,
    /// `true` once the query plan for the newest rows was examined.
    looked: Arc<AtomicBool>,
}

/// Reads a lastmod from a row.
type Lastmod = Arc<dyn Fn(&QueryResult) -> Result<Option<W3cDateTime>, BoxError> + Send + Sync>;

/// Number of rows that are read to see whether any row fits the model.
const SAMPLE: usize = 100;

/// The name of the lastmod of a result.
const LASTMOD: &str = "sitemap_lastmod";

/// The rows of an entity, by its primary key.
///
/// The model's attributes decide which column has the lastmod, `#[sitemap(lastmod)]`, and which bools list a row: `exclude_if` and
/// `include_if` without a function. Use [`Rows::lastmod`] and [`Rows::filter`] for the rest.
pub fn entity<E>(db: DatabaseConnection) -> Rows<E>
where
    E: EntityTrait<Model: SitemapEntry>,
{
    entity_as(db)
}

/// Like [`entity`], with rows read as another type: a struct that derives `FromQueryResult`, whose fields are columns of the entity.
///
/// The entity needs no attributes for this, so that it can be a generated one, which `sea-orm-cli` or Loco overwrites:
///
/// ```no_run
/// # mod posts {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "posts")]
/// #     pub struct Model {
/// #         #[sea_orm(primary_key)]
/// #         pub id: i32,
/// #         pub slug: String,
/// #         pub updated_at: DateTimeWithTimeZone,
/// #     }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
/// #     pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use sea_orm::FromQueryResult;
/// use sea_orm::prelude::DateTimeWithTimeZone;
/// use sitemap_serde::SitemapEntry;
///
/// #[derive(FromQueryResult, SitemapEntry)]
/// #[sitemap(loc = "/posts/{slug}")]
/// struct Post {
///     slug: String,
///     #[sitemap(lastmod)]
///     updated_at: DateTimeWithTimeZone,
/// }
///
/// # fn f(db: sea_orm::DatabaseConnection) {
/// let posts = sitemap_seaorm::entity_as::<posts::Entity, Post>(db);
/// # }
/// ```
pub fn entity_as<E: EntityTrait, M: FromQueryResult + SitemapEntry>(db: DatabaseConnection) -> Rows<E, M> {
    Rows {
        db,
        key: E::PrimaryKey::iter()
            .map(PrimaryKeyToColumn::into_column)
            .collect(),
        filter: Condition::all(),
        lastmod: None,
        declared: Declared::default(),
        generation: Arc::default(),
        row: PhantomData,
    }
    .declare()
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
    /// Conditions for bools with `exclude_if` or `include_if` are added automatically. Rows that the type excludes by a function still
    /// count when the table is divided into parts: filter them here too.
    #[must_use]
    pub fn filter(mut self, condition: impl IntoCondition) -> Self {
        self.filter = self.filter.add(condition.into_condition());
        self
    }

    /// Leaves the index without lastmods. By default, queries find the newest rows by the lastmod that the type names; if its column has no
    /// index, each sorts the whole table.
    #[must_use]
    pub fn without_lastmod(mut self) -> Self {
        self.lastmod = None;
        self.without_declared_lastmod()
    }

    /// Sets the column with a row's lastmod, for the index. The index has the newest lastmod of each part, or none if a row of the part has
    /// NULL. Use the column of the row's own lastmod. It must contain a date, or a date and time with a zone; a time without a zone is in
    /// UTC.
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
        self,
        column: E::Column,
        convert: impl Fn(V) -> L + Send + Sync + 'static,
    ) -> Self {
        self.lastmod_expr(Expr::col((E::default(), column)), convert)
    }

    /// Like [`lastmod_with`](Self::lastmod_with), for an expression of several columns, such as the first of two that is not NULL:
    ///
    /// ```no_run
    /// # mod product {
    /// #     use sea_orm::entity::prelude::*;
    /// #     use sitemap_serde::SitemapEntry;
    /// #     #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    /// #     #[sea_orm(table_name = "products")]
    /// #     #[sitemap(loc = "/{slug}")]
    /// #     pub struct Model {
    /// #         #[sea_orm(primary_key)]
    /// #         pub id: i32,
    /// #         pub slug: String,
    /// #         pub created_at: DateTimeUtc,
    /// #         pub updated_at: Option<DateTimeUtc>,
    /// #     }
    /// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    /// #     pub enum Relation {}
    /// #     impl ActiveModelBehavior for ActiveModel {}
    /// # }
    /// # fn f(db: sea_orm::DatabaseConnection) {
    /// use product::Column::{CreatedAt, UpdatedAt};
    /// use sea_orm::prelude::DateTimeUtc;
    /// use sea_orm::sea_query::{Expr, Func};
    ///
    /// let changed = Func::coalesce([Expr::col(UpdatedAt), Expr::col(CreatedAt)]);
    /// let products = sitemap_seaorm::entity::<product::Entity>(db)
    ///     .lastmod_expr(changed, |at: DateTimeUtc| at);
    /// # }
    /// ```
    ///
    /// An index on the same expression finds the newest rows.
    #[must_use]
    pub fn lastmod_expr<V: TryGetable, L: ToLastmod>(
        mut self,
        expression: impl Into<Expr>,
        convert: impl Fn(V) -> L + Send + Sync + 'static,
    ) -> Self {
        let lastmod = move |row: &QueryResult| {
            Ok(match row.try_get_by::<Option<V>, _>(LASTMOD)? {
                Some(value) => convert(value).to_lastmod()?,
                None => None,
            })
        };
        self.lastmod = Some((expression.into(), Arc::new(lastmod)));
        self.without_declared_lastmod()
    }

    /// The source decides about the lastmod, so the type's declaration does not matter.
    fn without_declared_lastmod(mut self) -> Self {
        self.declared.is_lastmod_set = true;
        self.declared.wrong_lastmod = None;
        self
    }

    /// Rejects declarations of the type that the entity lacks.
    fn check(&self) -> Result<(), BoxError> {
        let wrong = self
            .declared
            .wrong
            .as_ref()
            .or(self.declared.wrong_lastmod.as_ref());
        wrong.map_or(Ok(()), |wrong| Err(wrong.as_str().into()))
    }

    /// The query for the rows of a range, in the order of the key.
    fn within(
        &self,
        mut query: SelectStatement,
        span: &Span,
        limit: usize,
    ) -> Result<SelectStatement, BoxError> {
        self.check()?;
        if self.key.is_empty() {
            return Err(
                "the entity has no primary key: name columns that are unique and not null with `key`".into(),
            );
        }
        if self.key.len() > 1 && self.is_of(DbBackend::MySql) {
            let names: Vec<_> = self.key.iter().map(IdenStatic::as_str).collect();
            let names = names.join(", ");
            return Err(format!("the key has several columns ({names}), and MySQL uses no index for ranges of several columns: name one column that is unique and not null with `key`").into());
        }
        self.bound(&mut query, span)?;
        for (at, column) in self.key.iter().enumerate() {
            query.expr_as(Expr::col((E::default(), *column)), key::name::<E::Column>(at));
            query.order_by((E::default(), *column), Order::Asc);
        }
        query.limit(u64::try_from(limit)?);
        Ok(query)
    }

    /// Adds the conditions of a range.
    fn bound(&self, query: &mut SelectStatement, span: &Span) -> Result<(), BoxError> {
        // A single column gets parentheses, too. sqlx caches prepared statements by text, regardless of parameter types, and a filter may
        // produce the text `id <= $1` with an integer of another size.
        let columns = || Expr::tuple(self.key.iter().map(|column| Expr::col((E::default(), *column))));
        if let Some(after) = &span.after {
            query.and_where(columns().gt(Expr::tuple(key::values(
                &self.key,
                after,
                self.is_of(DbBackend::Postgres),
            )?)));
        }
        if let Some(to) = &span.to {
            query.and_where(columns().lte(Expr::tuple(key::values(
                &self.key,
                to,
                self.is_of(DbBackend::Postgres),
            )?)));
        }
        Ok(())
    }

    fn is_of(&self, backend: DbBackend) -> bool {
        // A disconnected connection has no backend; its error is reported when it is used.
        !matches!(self.db.inner, DatabaseConnectionType::Disconnected)
            && self.db.get_database_backend() == backend
    }

    fn select(&self, select: Select<E>) -> SelectStatement {
        let declared = self.declared.filter.iter().cloned();
        let filter = declared.fold(self.filter.clone(), Condition::add);
        if filter.is_empty() {
            return select.into_query();
        }
        select.filter(filter).into_query()
    }

    fn page_query(&self, span: &Span, limit: usize) -> Result<SelectStatement, BoxError> {
        let query = self.select(E::find());
        self.within(query, span, limit)
    }

    fn keys_query(&self, span: &Span, limit: usize) -> Result<SelectStatement, BoxError> {
        let mut query = self.select(E::find().select_only());
        if let Some((lastmod, _)) = &self.lastmod {
            query.expr_as(lastmod.clone(), LASTMOD);
        }
        self.within(query, span, limit)
    }

    /// The rows of a query.
    ///
    /// A connection keeps the plans of queries by their texts. PostgreSQL refuses a plan whose result has other types since a migration; then the text
    /// becomes another one, for all connections.
    async fn all(&self, query: &SelectStatement) -> Result<Vec<QueryResult>, BoxError> {
        let generation = self.generation.load(Ordering::Relaxed);
        match self.all_of(query, generation).await {
            Err(error) if is_outdated(&error) => {
                self.generation.fetch_max(generation + 1, Ordering::Relaxed);
                self.all_of(query, generation + 1).await.map_err(failure)
            }
            found => found.map_err(failure),
        }
    }

    async fn all_of(&self, query: &SelectStatement, generation: u64) -> Result<Vec<QueryResult>, DbErr> {
        if matches!(self.db.inner, DatabaseConnectionType::Disconnected) {
            return self.db.ping().await.map(|()| Vec::new());
        }
        let mut statement = self.db.get_database_backend().build(query);
        if generation > 0 {
            statement.sql = format!("{} /* {generation} */", statement.sql);
        }
        self.db.query_all_raw(statement).await
    }

    /// The number of rows of a query.
    ///
    /// SeaORM takes the end of sqlx's rows for the last row, but they end too if a thread of sqlx's panics. A count has always one row.
    async fn count(&self, mut rows: SelectStatement) -> Result<i64, BoxError> {
        rows.expr_as(Expr::val(1), "sitemap_one");
        let mut count = SelectStatement::new();
        count.expr_as(Expr::cust("COUNT(*)"), "sitemap_count");
        count.from_subquery(rows, "sitemap_rows");
        let found = self.all(&count).await?;
        let Some(row) = found.first() else {
            return Err(ended());
        };
        Ok(row.try_get_by::<i64, _>("sitemap_count")?)
    }

    /// The rows of a range, each read by `read`, which returns its key too. If there seem to be fewer than requested, a query checks if
    /// there are more.
    async fn in_range<R>(
        &self,
        span: &Span,
        limit: usize,
        query: impl Fn(&Self, &Span, usize) -> Result<SelectStatement, BoxError> + Send,
        read: impl Fn(&Self, &QueryResult, Key) -> R + Send,
    ) -> Result<Vec<R>, BoxError>
    where
        R: Send,
    {
        let mut rest = span.clone();
        let mut rows = Vec::new();
        let mut is_second = false;
        loop {
            let found = self.all(&query(self, &rest, limit - rows.len())?).await?;
            for row in &found {
                let key = key::of(&self.key, row)?;
                rest.after = Some(key.clone());
                rows.push(read(self, row, key));
            }
            if rows.len() >= limit {
                return Ok(rows);
            }
            let mut more = self.select(E::find().select_only());
            self.bound(&mut more, &rest)?;
            more.limit(1);
            if self.count(more).await? == 0 {
                return Ok(rows);
            }
            // A row may come between the query and the count.
            if found.is_empty() && mem::replace(&mut is_second, true) {
                return Err(ended());
            }
        }
    }

    /// Returns the database's plans, line by line, for the two queries of a range: for its rows, and for counting. Each
    /// should find the range by an index on the key. In SQLite that is a `SEARCH`, in PostgreSQL an `Index Cond`, and in MySQL the type
    /// `range`; a line for MySQL has the table, type, key and extra information.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn explain(&self, span: &Span) -> Result<[Vec<String>; 2], BoxError> {
        self.db.ping().await.map_err(failure)?;
        Ok([
            self.plan(self.page_query(span, 1_000)?).await?,
            self.plan(self.keys_query(span, 1_000)?).await?,
        ])
    }

    /// The database's plan for a query.
    async fn plan(&self, query: SelectStatement) -> Result<Vec<String>, BoxError> {
        let backend = self.db.get_database_backend();
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
    }
}

impl<E, M> Source for Rows<E, M>
where
    E: EntityTrait,
    M: FromQueryResult + SitemapEntry + Send + 'static,
{
    type Entry = M;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<M>>, BoxError> {
        let rows = self.rows(span, limit).await?;
        if rows.is_empty() || rows.iter().any(|row| row.entry().is_ok()) {
            return Ok(rows);
        }
        // None of them fits the model. If neither the first rows nor the next ones can be decoded, the columns do not fit.
        let next = rows.last().map(|row| Span::ALL.above(row.key().clone()));
        for sampled in [Some(Span::ALL), next].into_iter().flatten() {
            let sample = self.rows(&sampled, SAMPLE).await?;
            if sample.iter().any(|row| row.entry().is_ok()) {
                // The columns may have changed between the two queries.
                return self.rows(span, limit).await;
            }
        }
        let first = rows.into_iter().find_map(|row| row.into_parts().1.err());
        first.map_or(Ok(Vec::new()), Err)
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        let dated = |rows: &Self, row: &QueryResult, key| (key, rows.lastmod_of(row));
        let found = self.in_range(span, limit, Self::keys_query, dated).await?;
        dated_keys(found)
    }

    async fn count(&self, span: &Span) -> Result<Option<u64>, BoxError> {
        let mut query = self.select(E::find().select_only());
        self.bound(&mut query, span)?;
        Ok(u64::try_from(self.count(query).await?).ok())
    }

    fn key_columns(&self) -> Vec<(String, String)> {
        let columns = self.key.iter().map(|column| {
            let kind = format!("{:?}", column.def().get_column_type());
            (column.as_str().to_owned(), kind)
        });
        columns.collect()
    }

    async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        let Some((lastmod, _)) = &self.lastmod else {
            return Ok(None);
        };
        let dated = || {
            let mut query = self.select(E::find().select_only());
            query.and_where(lastmod.clone().is_not_null());
            query.limit(limit as u64);
            query
        };
        let mut query = dated();
        query.expr_as(lastmod.clone(), LASTMOD);
        for (at, key) in self.key.iter().enumerate() {
            query.expr_as(Expr::col((E::default(), *key)), key::name::<E::Column>(at));
        }
        query.order_by_expr(lastmod.clone(), Order::Desc);
        // A row may come between the query and the count.
        for _ in 0..2 {
            let rows = self.all(&query).await?;
            if rows.len() >= limit {
                self.warn_of_sorting(&query).await?;
            }
            if rows.len() >= limit || self.count(dated()).await? <= i64::try_from(rows.len())? {
                let found = rows
                    .iter()
                    .map(|row| Ok((key::of(&self.key, row)?, self.lastmod_of(row))));
                return dated_keys(found.collect::<Result<Vec<_>, BoxError>>()?).map(Some);
            }
        }
        Err(ended())
    }
}

impl<E: EntityTrait, M: SitemapEntry> Rows<E, M> {
    /// Takes the lastmod and the conditions that the type declares.
    fn declare(mut self) -> Self {
        let columns = M::columns();
        let of = std::any::type_name::<M>();
        let column = |name: &str| {
            name.parse::<E::Column>().map_err(|_| {
                format!(
                    "`{of}` names the column `{name}`, which `{}` does not have",
                    E::default().as_str()
                )
            })
        };
        for (name, is_listed) in columns.flags {
            match column(name) {
                Ok(column) => {
                    let filter = Expr::col((E::default(), column)).eq(*is_listed);
                    self.declared.filter.push(filter);
                }
                Err(wrong) => {
                    self.declared.wrong = Some(format!(
                        "{wrong}, as a condition of its rows: rename the field's column"
                    ));
                }
            }
        }
        let advice = "name the lastmod with `lastmod_with` or `lastmod_expr`, or leave the index without lastmods with `without_lastmod`";
        match *columns.lastmod {
            [] => {}
            [name] if !columns.is_lastmod_converted => match column(name) {
                Ok(column) => {
                    self = self.declared_lastmod(column, columns);
                    self.declared.is_lastmod_set = false;
                }
                Err(wrong) => {
                    self.declared.wrong_lastmod = Some(format!("{wrong}, as its lastmod: {advice}"));
                }
            },
            ref names => {
                let (names, what) = (
                    names.join(", "),
                    if columns.is_lastmod_converted {
                        "a function converts it"
                    } else {
                        "it is the newest of several columns"
                    },
                );
                self.declared.wrong_lastmod = Some(format!(
                    "the lastmod of `{of}` ({names}) cannot be queried, since {what}: {advice}"
                ));
            }
        }
        self
    }

    fn declared_lastmod(self, column: E::Column, declared: Columns) -> Self {
        match column.def().get_column_type() {
            ColumnType::DateTime | ColumnType::Timestamp if declared.zone != 0 => {
                self.lastmod_with(column, move |time: sea_orm::prelude::DateTime| {
                    let utc = W3cDateTime::try_from(time.and_utc())?.to_string();
                    declared.read_lastmod(utc.trim_end_matches('Z'))
                })
            }
            ColumnType::Char(_) | ColumnType::String(_) | ColumnType::Text => {
                self.lastmod_with(column, move |text: String| declared.read_lastmod(&text))
            }
            _ => self.lastmod(column),
        }
    }
}

impl<E: EntityTrait, M> Rows<E, M> {
    /// Warns once if the query of the newest rows sorts all of them. Sorting few rows is harmless, and databases prefer it to an index.
    async fn warn_of_sorting(&self, query: &SelectStatement) -> Result<(), BoxError> {
        if self.declared.is_lastmod_set || self.declared.looked.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let plan = self.plan(query.clone()).await?;
        if plan.iter().any(|line| {
            ["TEMP B-TREE", "Sort", "filesort"]
                .iter()
                .any(|word| line.contains(word))
        }) {
            tracing::warn!(
                "the newest rows of {} are found by sorting all of them, since no index begins with the column of the lastmod: create one, or \
                 leave the index of sitemaps without lastmods with `without_lastmod`",
                E::default().as_str()
            );
        }
        Ok(())
    }

    fn lastmod_of(&self, row: &QueryResult) -> Result<Option<W3cDateTime>, BoxError> {
        let lastmod = Panicked::catch(|| {
            self.lastmod
                .as_ref()
                .map_or(Ok(None), |(_, lastmod)| lastmod(row))
        });
        lastmod.unwrap_or_else(|panic| Err(panic.into()))
    }
}

impl<E: EntityTrait, M: FromQueryResult + Send> Rows<E, M> {
    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<M>>, BoxError> {
        let read = |_: &Self, row: &QueryResult, key| Row::decoded(key, || M::from_query_result(row, ""));
        self.in_range(span, limit, Self::page_query, read).await
    }
}

fn dated_keys(found: Vec<(Key, Result<Option<W3cDateTime>, BoxError>)>) -> Result<Vec<DatedKey>, BoxError> {
    let mut keys = DatedKeys::default();
    for (key, lastmod) in found {
        keys.push(key, lastmod)?;
    }
    Ok(keys.finish())
}

/// The error for rows that ended too early.
fn ended() -> BoxError {
    Unavailable::new("the rows of a query end without its result, as after a panic of sqlx").into()
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

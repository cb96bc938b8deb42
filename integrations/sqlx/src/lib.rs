//! Tables and queries of [sqlx](https://docs.rs/sqlx) as sections of a served sitemap.
//!
//! ```sh
//! cargo add sitemap-sqlx # for others than SQLite: --no-default-features --features postgres, or mysql
//! cargo add sqlx@0.9 --features runtime-tokio,sqlite,chrono
//! cargo add sitemap-serde --features chrono04
//! cargo add sitemap-site --features serve
//! cargo add axum sitemap-axum
//! cargo add tokio --features macros,net,rt-multi-thread
//! ```
//!
//! ```no_run
//! use sitemap_serde::SitemapEntry;
//! use sitemap_site::SiteBuilder;
//! use sqlx::SqlitePool;
//! use sqlx::types::chrono::{DateTime, Utc};
//!
//! #[derive(sqlx::FromRow, SitemapEntry)]
//! #[sitemap(loc = "/products/{slug}")]
//! struct Product {
//!     slug: String,
//!     #[sitemap(lastmod)]
//!     updated_at: Option<DateTime<Utc>>,
//!     #[sitemap(exclude_if)]
//!     draft: bool,
//! }
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! let pool = SqlitePool::connect("sqlite:shop.sqlite").await?;
//! let products = sitemap_sqlx::table::<Product, _>(pool, "products");
//! let site = SiteBuilder::new("https://example.com").section("products", products).build()?;
//! # Ok(())
//! # }
//! ```
//!
//! The attributes name the column with the lastmod, and exclude drafts: the queries use both. Columns are named after fields,
//! `#[sqlx(rename = …)]` or `rename_all`. A `TIMESTAMP` without a zone is a `NaiveDateTime`, whose field has
//! `#[sitemap(lastmod, zone = "UTC")]`. If a function converts the lastmod, name its column with [`lastmod_with`](Rows::lastmod_with).
//!
//! Rows are read by the table's primary key, or by the columns that [`key`](Rows::key) names, in pages of
//! `WHERE key > ? ORDER BY key LIMIT ?`, never with an OFFSET. Several columns are compared as row values, `(a, b) > (?, ?)`, which can use
//! an index on both columns. Each page is a separate query. A row that cannot be decoded is skipped and logged with its key, even if the
//! decoding panics. In a program that is built with `panic = "abort"` a panic ends the process.
//!
//! Keys are unique and not null. If the catalogue allows a column to be null, a background query checks that it never is. It runs once, and
//! again after a migration of the table.
//!
//! # Images of another table
//!
//! A row's images are often rows of another table. The database makes a JSON array of them, which `#[sqlx(json)]` decodes (sqlx's feature
//! `json`), so one query reads all. Videos, tags and alternates work the same way.
//!
//! ```
//! use sitemap_serde::SitemapEntry;
//! use sitemap_site::SiteBuilder;
//!
//! #[derive(sqlx::FromRow, SitemapEntry)]
//! #[sitemap(loc = "/products/{slug}")]
//! struct Product {
//!     slug: String,
//!     #[sqlx(json)]
//!     #[sitemap(image)]
//!     pictures: Vec<String>,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let options = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1);
//! # let pool = options.connect("sqlite::memory:").await?;
//! # sqlx::raw_sql(
//! #     "CREATE TABLE products (id INTEGER PRIMARY KEY, slug TEXT NOT NULL);
//! #      CREATE TABLE pictures (product INTEGER NOT NULL, path TEXT NOT NULL);
//! #      INSERT INTO products VALUES (1, 'lamp'), (2, 'chair');
//! #      INSERT INTO pictures VALUES (1, '/on.jpg'), (1, '/off.jpg');",
//! # )
//! # .execute(&pool)
//! # .await?;
//! // PostgreSQL: `(SELECT coalesce(json_agg(path), '[]') FROM …)`.
//! let products = sitemap_sqlx::query::<Product, _>(
//!     pool,
//!     "SELECT id, slug, (SELECT json_group_array(path) FROM pictures WHERE product = products.id) AS pictures FROM products",
//! )
//! .key(["id"]);
//! let site = SiteBuilder::new("https://example.com").section("products", products).build()?;
//! # let report = site.check().await?;
//! # assert!(report.is_clean(), "{report}");
//! # let request = http::Request::get("/sitemap-products.xml").body(())?;
//! # let xml = sitemap_serving_tests::body(site.respond(&request).await).await;
//! # assert_eq!(xml.matches("<image:loc>").count(), 2, "{xml}");
//! # assert_eq!(xml.matches("<url>").count(), 2, "{xml}");
//! # Ok(())
//! # }
//! ```
//!
//! # Migrations
//!
//! The database describes the columns, and each query names them. The description is at most a second old. If a query fails or a row cannot
//! be decoded, the database describes the columns again, and the query is repeated if they have changed. If neither a whole batch, nor the
//! first 100 rows of the table, nor the 100 rows after the batch can be decoded, that is an error, since the columns do not fit the type.
//!
//! All columns are read. If the table has long texts that the type does not need, name its columns with [`columns`](Rows::columns).
//!
//! | database | keys |
//! |---|---|
//! | SQLite | integers, texts and blobs, one or more columns |
//! | PostgreSQL | any type that converts to and from text (integers, texts, uuid, numeric, timestamptz), one or more columns |
//! | MySQL, MariaDB | integers up to 9,223,372,036,854,775,807, decimals, texts, bytes, `DATE`, `DATETIME`, `TIMESTAMP`, `UUID` and `INET6`, one column: they use no index for `(a, b) > (?, ?)`; not `ENUM`, which is compared as text and ordered by its definition |
//!
//! # Indexes
//!
//! The key needs an index on its columns in the same order; a primary key has one. Once a day, the key and the lastmod of all rows are
//! counted: with an index on both (`CREATE INDEX … ON products (id, updated_at) WHERE NOT draft`) the database need not read the rows.
//! Between the counts, queries find the rows with the newest lastmods: these need an index that begins with the lastmod. If it is missing,
//! each such query sorts the whole table, and the log contains one warning; [`without_lastmod`](Rows::without_lastmod) disables these
//! queries.
//!
//! # Features
//!
//! `sqlite` (default), `postgres`, `mysql`. Choose runtime, TLS and types by the features of your own dependency on sqlx.

// On docs.rs, which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod backend;
mod failure;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
mod rows;
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use sitemap_serde::{SitemapEntry, W3cDateTime};
use sitemap_site::source::BoxError;
use sqlx::{Arguments, Database, Encode, Pool, SqlSafeStr, Type};
use tokio::sync::{Mutex, OnceCell};

pub use backend::Backend;
use sql::{Columns, RowQuery};

/// The rows of a table, or of a query, as entries of a section. [`table`] and [`query`] make it.
pub struct Rows<T, DB: Database> {
    pool: Pool<DB>,
    plan: RowQuery,
    /// The columns, as the database last described them.
    columns: Mutex<Option<Arc<Columns>>>,
    lastmod: Option<Lastmod<DB>>,
    /// The type's declarations about its columns.
    declared: Declared,
    /// Set once the query plan for the newest rows was examined.
    sorts: OnceCell<()>,
    /// The values of the filter's placeholders.
    values: Vec<Bind<DB>>,
    row: PhantomData<fn() -> T>,
}

/// The source's settings from the type of its rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared {
    columns: sitemap_serde::convert::Columns,
    /// `true` if the type's lastmod is used; `false` if the source has another, or none.
    lastmod: bool,
    /// The name of the type, for messages.
    of: &'static str,
}

/// Reads a lastmod from a row.
type Lastmod<DB> = Arc<dyn Fn(&<DB as Database>::Row) -> Result<Option<W3cDateTime>, BoxError> + Send + Sync>;

/// Adds a value to the arguments of a query.
type Bind<DB> = Arc<dyn Fn(&mut <DB as Database>::Arguments) -> Result<(), BoxError> + Send + Sync>;

/// The rows of a table or view, each read as a `T`, by the table's primary key.
///
/// `table` is inserted after `FROM` unchanged, such as `products` or `public.products`.
///
/// The type's attributes decide which column has the lastmod, `#[sitemap(lastmod)]` or `lastmod = newest(…)`, and which bools list a row:
/// `exclude_if` and `include_if` without a function. Use [`Rows::lastmod`] and [`Rows::filter`] for the rest.
pub fn table<T: SitemapEntry, DB: Backend>(pool: Pool<DB>, table: &'static str) -> Rows<T, DB> {
    Rows::new(pool, RowQuery::table(table))
}

/// The rows of a query without `ORDER BY` and `LIMIT`, each read as a `T`, by the columns that [`Rows::key`] names.
///
/// The query becomes a subquery. Databases push the range of keys into it, if it does not group, sort or limit.
///
/// ```no_run
/// # use sitemap_serde::SitemapEntry;
/// # #[derive(sqlx::FromRow, SitemapEntry)]
/// # #[sitemap(loc = "/{slug}")]
/// # struct Product { slug: String }
/// # fn f(pool: sqlx::SqlitePool) {
/// let products = sitemap_sqlx::query::<Product, _>(
///     pool,
///     "SELECT p.id, s.slug FROM products p JOIN slugs s ON s.product_id = p.id",
/// )
/// .key(["id"]);
/// # }
/// ```
pub fn query<T: SitemapEntry, DB: Backend>(pool: Pool<DB>, query: impl SqlSafeStr) -> Rows<T, DB> {
    Rows::new(pool, RowQuery::query(query.into_sql_str().as_str()))
}

impl<T: SitemapEntry, DB: Backend> Rows<T, DB> {
    fn new(pool: Pool<DB>, mut plan: RowQuery) -> Self {
        let columns = T::columns();
        plan.declare(DB::DIALECT, &columns);
        let lastmod = (!columns.lastmod.is_empty()).then(|| rows::declared_lastmod::<DB>(columns));
        Rows {
            pool,
            plan,
            columns: Mutex::new(None),
            declared: Declared {
                columns,
                lastmod: lastmod.is_some(),
                of: std::any::type_name::<T>(),
            },
            sorts: OnceCell::new(),
            lastmod,
            values: Vec::new(),
            row: PhantomData,
        }
    }
}

impl<T, DB: Database> Rows<T, DB> {
    /// Sets the key: columns that are unique together and not null, in the order of an index. The default is the table's primary key.
    #[must_use]
    pub fn key(mut self, columns: impl IntoIterator<Item = &'static str>) -> Self {
        self.plan.key(columns);
        self
    }

    /// Sets the columns to read; all by default. Name the type's columns if the table has others with long texts: otherwise these are read
    /// from the database for each row, too. Columns of the key and of the lastmod need not be named.
    ///
    /// ```no_run
    /// # use sitemap_serde::SitemapEntry;
    /// # #[derive(sqlx::FromRow, SitemapEntry)]
    /// # #[sitemap(loc = "/{slug}")]
    /// # struct Article { slug: String }
    /// # fn f(pool: sqlx::SqlitePool) {
    /// let articles = sitemap_sqlx::table::<Article, _>(pool, "articles").columns(["slug"]);
    /// # }
    /// ```
    #[must_use]
    pub fn columns(mut self, columns: impl IntoIterator<Item = &'static str>) -> Self {
        self.plan.read(columns);
        self
    }

    /// Adds a condition for the rows to list, such as `deleted_at IS NULL`; several conditions are combined by AND. It is inserted as SQL.
    ///
    /// Values that are known only at run time are bound in the order of their placeholders, which are `$1`, `$2`, … in SQLite and
    /// PostgreSQL, and `?` in MySQL. A second condition's placeholders continue the numbering of the first:
    ///
    /// ```no_run
    /// # use sitemap_serde::SitemapEntry;
    /// # #[derive(sqlx::FromRow, SitemapEntry)]
    /// # #[sitemap(loc = "/{slug}")]
    /// # struct Product { slug: String }
    /// # fn f(pool: sqlx::SqlitePool, shop: String) {
    /// let products = sitemap_sqlx::table::<Product, _>(pool, "products")
    ///     .filter("shop = $1 AND price > $2")
    ///     .bind(shop)
    ///     .bind(0);
    /// # }
    /// ```
    ///
    /// Conditions for bools with `exclude_if` or `include_if` are added automatically. Rows that the type excludes by a function still
    /// count when the table is divided into parts: filter them here too.
    #[must_use]
    pub fn filter(mut self, condition: impl SqlSafeStr) -> Self {
        self.plan.filter(condition.into_sql_str().as_str());
        self
    }

    /// Leaves the index without lastmods. By default, queries find the newest rows by the lastmod that the type names; if its column has no
    /// index, each reads the whole table.
    #[must_use]
    pub fn without_lastmod(mut self) -> Self {
        self.plan.lastmod = None;
        self.lastmod = None;
        self.declared.lastmod = false;
        self
    }

    /// Binds the value of the next placeholder of the [`filter`](Self::filter). A wrong number of values is an error of the first query.
    #[must_use]
    pub fn bind<V>(mut self, value: V) -> Self
    where
        V: for<'q> Encode<'q, DB> + Type<DB> + Clone + Send + Sync + 'static,
    {
        self.plan.add_value();
        self.values.push(Arc::new(move |arguments: &mut DB::Arguments| {
            arguments.add(value.clone())
        }));
        self
    }
}

impl<T, DB: Database> fmt::Debug for Rows<T, DB> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows")
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

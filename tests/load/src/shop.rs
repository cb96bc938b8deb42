//! The shop: a product page, the sitemap, and a page of statistics.

use std::fmt::{Debug, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::routing::get;
use sitemap_serde::SitemapEntry;
use sitemap_site::{Site, SiteBuilder};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::types::chrono::{DateTime, Utc};
use sqlx::{PgPool, SqlitePool};
use tokio::runtime::Handle;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// A product, as the sitemap lists it.
#[derive(Debug, sqlx::FromRow, SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
pub struct Product {
    /// Its page.
    pub slug: String,
    /// The time of its last change.
    #[sitemap(lastmod)]
    pub updated_at: DateTime<Utc>,
}

/// The database of the products.
#[derive(Clone, Debug)]
pub enum Database {
    /// In a file.
    Sqlite(SqlitePool),
    /// On a server.
    Postgres(PgPool),
}

/// Opens a database by its URL (`sqlite:FILE` or `postgres://…`), with this maximum number of connections.
///
/// # Errors
/// Errors of sqlx.
pub async fn open(url: &str, connections: u32) -> Result<Database, sqlx::Error> {
    if let Some(file) = url.strip_prefix("sqlite:") {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .busy_timeout(Duration::from_millis(100));
        let pool = SqlitePoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(Duration::from_secs(5));
        return Ok(Database::Sqlite(pool.connect_with(options).await?));
    }
    let pool = sqlx::postgres::PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(5));
    Ok(Database::Postgres(pool.connect(url).await?))
}

/// Creates the products 1 to `rows` in the database. Their slugs have `width` characters, and every hundredth is a draft.
pub fn fill(url: &str, rows: u64, width: usize) -> String {
    let columns = "(id BIGINT PRIMARY KEY, slug TEXT NOT NULL, updated_at TIMESTAMPTZ NOT NULL, draft BOOLEAN NOT NULL)";
    if url.starts_with("sqlite:") {
        let columns = columns
            .replace("BIGINT", "INTEGER")
            .replace("TIMESTAMPTZ", "TEXT");
        return format!(
            "PRAGMA journal_mode = WAL; CREATE TABLE products {columns}; \
             WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {rows}) \
             INSERT INTO products SELECT n, printf('%0{width}d', n), strftime('%Y-%m-%dT%H:%M:%SZ', 1577836800 + n * 15, 'unixepoch'), n % 100 = 0 FROM numbers; \
             CREATE INDEX products_sitemap ON products (id, updated_at) WHERE NOT draft;"
        );
    }
    format!(
        "CREATE TABLE products {columns}; \
         INSERT INTO products SELECT n, lpad(n::text, {width}, '0'), to_timestamp(1577836800 + n * 15), n % 100 = 0 FROM generate_series(1, {rows}) AS n; \
         CREATE INDEX products_sitemap ON products (id) INCLUDE (updated_at) WHERE NOT draft; \
         VACUUM ANALYZE products;"
    )
}

impl Database {
    /// The site of the products, at this base.
    pub fn site(&self, base: &str) -> SiteBuilder {
        const FILTER: &str = "NOT draft";
        let mut site = SiteBuilder::new(base);
        match self {
            Database::Sqlite(pool) => site.section(
                "products",
                sitemap_sqlx::table::<Product, _>(pool.clone(), "products")
                    .filter(FILTER)
                    .lastmod::<DateTime<Utc>>("updated_at"),
            ),
            Database::Postgres(pool) => site.section(
                "products",
                sitemap_sqlx::table::<Product, _>(pool.clone(), "products")
                    .filter(FILTER)
                    .lastmod::<DateTime<Utc>>("updated_at"),
            ),
        };
        site
    }

    /// The page of a product: one query.
    async fn product(&self, id: i64) -> Result<Option<String>, sqlx::Error> {
        const QUERY: &str = "SELECT slug FROM products WHERE id = $1";
        match self {
            Database::Sqlite(pool) => sqlx::query_scalar(QUERY).bind(id).fetch_optional(pool).await,
            Database::Postgres(pool) => sqlx::query_scalar(QUERY).bind(id).fetch_optional(pool).await,
        }
    }

    /// Open connections, and the idle ones among them.
    fn connections(&self) -> (u32, usize) {
        match self {
            Database::Sqlite(pool) => (pool.size(), pool.num_idle()),
            Database::Postgres(pool) => (pool.size(), pool.num_idle()),
        }
    }
}

/// The shop's routes: `/products/{id}`, the sitemap, and `/stats`, which has one number per line.
pub fn app(database: &Database, site: &Site) -> Router {
    let queries = Queries::count();
    let product = {
        let database = database.clone();
        async move |Path(id): Path<i64>| match database.product(id).await {
            Ok(Some(slug)) => (StatusCode::OK, slug),
            Ok(None) => (StatusCode::NOT_FOUND, String::new()),
            Err(error) => (StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
        }
    };
    let stats = {
        let (database, site) = (database.clone(), site.clone());
        async move || {
            let (stats, (connections, idle)) = (site.stats(), database.connections());
            let mut text = String::new();
            for (name, number) in [
                ("tasks", Handle::current().metrics().num_alive_tasks() as u64),
                ("connections", u64::from(connections)),
                ("idle", idle as u64),
                ("queries", queries.load(Ordering::SeqCst)),
                ("requests", stats.requests),
                ("renderings", stats.renderings),
                ("failures", stats.failures),
                ("under_way", stats.under_way),
                ("cached_bytes", stats.cached_bytes),
            ] {
                // Writing to a `String` cannot fail.
                let _ = writeln!(text, "{name} {number}");
            }
            text
        }
    };
    Router::new()
        .route("/products/{id}", get(product))
        .route("/stats", get(stats))
        .merge(sitemap_axum::routes(site))
}

/// Counts events that are queries, except the statements by which sqlx sets up a connection.
struct Summary<'a>(&'a AtomicU64);

impl Visit for Summary<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "summary" && format!("{value:?}").trim_start_matches('"').starts_with("SELECT") {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Counts the queries that sqlx logs.
struct Queries(Arc<AtomicU64>);

impl Queries {
    fn count() -> Arc<AtomicU64> {
        let count = Arc::new(AtomicU64::new(0));
        // If there already is a subscriber, nothing is counted.
        let _ = tracing::subscriber::set_global_default(Queries(Arc::clone(&count)));
        count
    }
}

impl Subscriber for Queries {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Summary(&self.0));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

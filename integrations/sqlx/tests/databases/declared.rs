//! The columns that a type declares, in each database: the lastmod's and the filter's. A lastmod without an index is warned of.

use std::sync::{Arc, Mutex};

use sitemap_serde::{SitemapEntry, W3cDateTime};
use sitemap_serving_tests::walk;
use sitemap_site::source::DatedKey;
use sitemap_site::{Key, Source};
use sqlx::types::chrono::{DateTime, Utc};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::set_default;
use tracing::{Event, Metadata, Subscriber};

#[derive(Debug, sqlx::FromRow, SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated_at: DateTime<Utc>,
    #[sitemap(exclude_if)]
    draft: bool,
}

/// Keeps the messages of warnings.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl Visit for Warnings {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0.lock().unwrap().push(format!("{value:?}"));
        }
    }
}

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("sitemap_sqlx")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The number of rows in the table. Every tenth row and the last row are drafts.
const ROWS: i64 = 2_000;

/// The rows that are listed, the newest of them, and the warnings of two looks.
async fn looked(source: &impl Source) -> (Vec<Key>, Vec<DatedKey>, Vec<String>) {
    let warnings = Warnings::default();
    let guard = set_default(warnings.clone());
    let keys = walk(source, 500).await;
    source.latest(1).await.unwrap();
    let latest = source.latest(1).await.unwrap();
    drop(guard);
    let warnings = warnings.0.lock().unwrap().clone();
    (keys, latest.unwrap_or_default(), warnings)
}

/// Checks the table `unindexed`, and the table `indexed` with the same rows.
async fn check<S: Source>(unindexed: S, unindexed_without: S, indexed: S, name: &str, newest: &str) {
    let listed: Vec<Key> = (1..=ROWS).filter(|id| id % 10 != 0).map(Key::from).collect();
    let newest: W3cDateTime = newest.parse().unwrap();
    let warning = format!(
        "the newest rows of {} are found by sorting all of them, since no index begins with the lastmod of `{}`, updated_at: create one, or \
         leave the index of sitemaps without lastmods with `without_lastmod`",
        name,
        std::any::type_name::<Product>()
    );
    for (source, lastmod, warnings) in [
        (unindexed, Some(newest), vec![warning]),
        (unindexed_without, None, vec![]),
        (indexed, Some(newest), vec![]),
    ] {
        let (keys, latest, warned) = looked(&source).await;
        assert_eq!(keys, listed);
        let expected = lastmod.map(|lastmod| DatedKey::new(Key::from(ROWS - 1), Some(lastmod)));
        let expected: Vec<_> = expected.into_iter().collect();
        assert_eq!(latest, expected);
        assert_eq!(warned, warnings);
    }
}

#[tokio::test]
async fn in_sqlite() {
    let pool = sqlx::sqlite::SqlitePoolOptions::new()
        .max_connections(1)
        .connect("sqlite::memory:")
        .await
        .unwrap();
    let script = "CREATE TABLE unindexed (id INTEGER PRIMARY KEY, slug TEXT, updated_at TEXT, draft BOOLEAN);
        WITH RECURSIVE rows(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM rows WHERE id < 2000)
        INSERT INTO unindexed SELECT id, 'a' || id, strftime('%Y-%m-%d %H:%M:%S', '2026-01-01', id || ' minutes'), id % 10 = 0 FROM rows;
        CREATE TABLE indexed AS SELECT * FROM unindexed;
        CREATE UNIQUE INDEX by_id ON indexed (id);
        CREATE INDEX by_lastmod ON indexed (updated_at);";
    sqlx::raw_sql(script).execute(&pool).await.unwrap();
    let table = |name| sitemap_sqlx::table::<Product, _>(pool.clone(), name).key(["id"]);
    check(
        table("unindexed"),
        table("unindexed").without_lastmod(),
        table("indexed"),
        "unindexed",
        "2026-01-02T09:19:00Z",
    )
    .await;
}

#[cfg(all(feature = "postgres", unix))]
#[tokio::test]
async fn in_postgresql() {
    let Some(postgres) = sitemap_serving_tests::Postgres::start("declared") else {
        return;
    };
    let pool = sqlx::PgPool::connect(&postgres.url()).await.unwrap();
    let script = "CREATE TABLE unindexed (id BIGINT PRIMARY KEY, slug TEXT, updated_at TIMESTAMPTZ, draft BOOLEAN);
        INSERT INTO unindexed SELECT id, 'a' || id, '2026-01-01 00:00:00+00'::timestamptz + id * interval '1 minute', id % 10 = 0
        FROM generate_series(1, 2000) AS id;
        CREATE TABLE indexed AS SELECT * FROM unindexed;
        ALTER TABLE indexed ADD PRIMARY KEY (id);
        CREATE INDEX ON indexed (updated_at);
        ANALYZE;";
    sqlx::raw_sql(script).execute(&pool).await.unwrap();
    let table = |name| sitemap_sqlx::table::<Product, _>(pool.clone(), name).key(["id"]);
    check(
        table("unindexed"),
        table("unindexed").without_lastmod(),
        table("indexed"),
        "unindexed",
        "2026-01-02T09:19:00+00:00",
    )
    .await;
}

#[cfg(all(feature = "mysql", unix))]
#[tokio::test]
async fn in_mariadb() {
    let Some(mysql) = sitemap_serving_tests::MySql::start("declared") else {
        return;
    };
    let server = sqlx::MySqlPool::connect(&mysql.url()).await.unwrap();
    let script = "CREATE DATABASE declared;
        CREATE TABLE declared.unindexed (id BIGINT PRIMARY KEY, slug VARCHAR(20), updated_at DATETIME, draft BOOLEAN);
        INSERT INTO declared.unindexed
        SELECT seq, CONCAT('a', seq), '2026-01-01' + INTERVAL seq MINUTE, seq % 10 = 0 FROM mysql.seq_1_to_2000;
        CREATE TABLE declared.indexed LIKE declared.unindexed;
        INSERT INTO declared.indexed SELECT * FROM declared.unindexed;
        CREATE INDEX by_lastmod ON declared.indexed (updated_at);
        ANALYZE TABLE declared.unindexed, declared.indexed;";
    sqlx::raw_sql(script).execute(&server).await.unwrap();
    server.close().await;
    let pool = sqlx::MySqlPool::connect(&mysql.url().replace("/mysql?", "/declared?"))
        .await
        .unwrap();
    let table = |name| sitemap_sqlx::table::<Product, _>(pool.clone(), name).key(["id"]);
    check(
        table("unindexed"),
        table("unindexed").without_lastmod(),
        table("indexed"),
        "unindexed",
        "2026-01-02T09:19:00Z",
    )
    .await;
}

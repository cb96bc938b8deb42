//! Tables that are migrated while they are read.

use std::time::Duration;

use sitemap_serving_tests::{Dialect, Migrations, survives};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::types::chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, ConnectOptions};

use crate::Page;

fn slug(page: &Page) -> &str {
    &page.slug
}

/// The sources of the migrated table and view.
macro_rules! survives_by_each_source {
    ($dialect:expr, $pools:expr, $execute:expr) => {
        let mut seed = 0;
        for connections in [1, 8] {
            for is_busy in [false, true] {
                for kind in ["table", "view", "query"] {
                    let mut migrations = Migrations::new($dialect, seed);
                    println!("seed {seed}: {kind}, {connections} connections, busy: {is_busy}");
                    seed += 1;
                    for statement in migrations.setup() {
                        $execute(&statement).await;
                    }
                    let pool = $pools(connections).await;
                    let source = match kind {
                        "table" => sitemap_sqlx::table::<Page, _>(pool, "pages"),
                        "view" => sitemap_sqlx::table(pool, "listed").key(["id"]),
                        _ => sitemap_sqlx::query(pool, "SELECT * FROM pages").key(["id"]),
                    };
                    let source = source.lastmod::<DateTime<Utc>>("at");
                    survives(source, slug, migrations, is_busy, $execute).await;
                }
            }
        }
    };
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteConnectOptions::new()
        .filename(folder.path().join("a.sqlite"))
        .create_if_missing(true)
        .journal_mode(sqlx::sqlite::SqliteJournalMode::Wal)
        .busy_timeout(Duration::from_secs(20));
    let other = options.connect().await.unwrap();
    let other = tokio::sync::Mutex::new(other);
    let execute = async |sql: &str| {
        let mut other = other.lock().await;
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&mut *other)
            .await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    };
    let pool = async |connections| {
        let pool = SqlitePoolOptions::new().max_connections(connections);
        pool.connect_with(options.clone()).await.unwrap()
    };
    survives_by_each_source!(Dialect::Sqlite, pool, execute);
}

#[cfg(all(feature = "postgres", unix))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres() {
    let Some(postgres) = sitemap_serving_tests::Postgres::start("postgres") else {
        return;
    };
    let one = sqlx::PgPool::connect(&postgres.url()).await.unwrap();
    let execute = async |sql: &str| {
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&one).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    };
    let pool = async |connections| {
        let pool = sqlx::postgres::PgPoolOptions::new().max_connections(connections);
        pool.connect(&postgres.url()).await.unwrap()
    };
    survives_by_each_source!(Dialect::Postgres, pool, execute);
}

#[cfg(all(feature = "mysql", unix))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mysql() {
    let Some(mysql) = sitemap_serving_tests::MySql::start("mysql") else {
        return;
    };
    let one = sqlx::MySqlPool::connect(&mysql.url()).await.unwrap();
    let execute = async |sql: &str| {
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&one).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    };
    execute("CREATE DATABASE shop CHARACTER SET utf8mb4").await;
    let url = mysql.url().replace("/mysql?", "/shop?");
    let one = sqlx::MySqlPool::connect(&url).await.unwrap();
    let execute = async |sql: &str| {
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&one).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    };
    let pool = async |connections| {
        let pool = sqlx::mysql::MySqlPoolOptions::new().max_connections(connections);
        pool.connect(&url).await.unwrap()
    };
    survives_by_each_source!(Dialect::MySql, pool, execute);
}

//! Keys of every type: each row is listed once, or the source is refused.

use sitemap_serving_tests::{Kind, listed_once};
use sqlx::sqlite::SqlitePoolOptions;
use sqlx::{AssertSqlSafe, Database, Pool};

use crate::Page;

/// The tables that are refused, with the reasons.
async fn refused<DB: sitemap_sqlx::Backend>(
    pool: &Pool<DB>,
    kinds: Vec<Kind>,
    run: impl AsyncFn(String),
) -> Vec<(&'static str, String)>
where
    Page: for<'r> sqlx::FromRow<'r, <DB as Database>::Row>,
{
    let mut refused = Vec::new();
    for kind in kinds {
        run(kind.sql).await;
        if kind.key.is_empty() {
            continue;
        }
        let source =
            || sitemap_sqlx::table::<Page, DB>(pool.clone(), kind.name).key(kind.key.iter().copied());
        if let Err(reason) = listed_once(source, kind.name).await {
            let reason = reason.split_once(": ").map_or("", |(_, reason)| reason);
            refused.push((kind.name, reason.to_owned()));
        }
    }
    refused
}

fn assert_refused(refused: &[(&str, String)], expected: &[(&str, &str)]) {
    let names: Vec<_> = refused.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        expected.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        "{refused:#?}"
    );
    for ((_, reason), (name, part)) in refused.iter().zip(expected) {
        assert!(reason.contains(part), "{name}: {reason}");
    }
}

#[tokio::test]
async fn keys_of_sqlite() {
    let pool = SqlitePoolOptions::new().max_connections(1);
    let pool = pool.connect("sqlite::memory:").await.unwrap();
    let kinds = sitemap_serving_tests::sqlite_kinds();
    assert_refused(
        &refused(&pool, kinds, async |sql| {
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&pool).await.unwrap();
        })
        .await,
        &[
            ("reals", "its type is REAL"),
            ("nulls", "the key (id) is null in a row"),
        ],
    );
}

#[cfg(all(feature = "postgres", unix))]
#[tokio::test]
async fn keys_of_postgresql() {
    let Some(postgres) = sitemap_serving_tests::Postgres::start("keys_of_postgresql") else {
        return;
    };
    let owner = sqlx::PgPool::connect(&postgres.url()).await.unwrap();
    let kinds = sitemap_serving_tests::postgres_kinds();
    // A superuser sees all rows.
    let reader = "CREATE ROLE reader LOGIN; ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader;
        ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO reader";
    sqlx::raw_sql(reader).execute(&owner).await.unwrap();
    let pool = sqlx::PgPool::connect(&postgres.url().replace("test@", "reader@"))
        .await
        .unwrap();
    assert_refused(
        &refused(&pool, kinds, async |sql| {
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&owner).await.unwrap();
        })
        .await,
        &[
            (
                "hidden_citexts",
                "the key column `id` (hidden.citext) is not compared as it is ordered",
            ),
            ("nulls", "the key (id) is null in a row"),
        ],
    );
}

#[cfg(all(feature = "mysql", unix))]
#[tokio::test]
async fn keys_of_mariadb() {
    let Some(mysql) = sitemap_serving_tests::MySql::start("keys_of_mariadb") else {
        return;
    };
    let server = sqlx::MySqlPool::connect(&mysql.url()).await.unwrap();
    sqlx::raw_sql("CREATE DATABASE shop CHARACTER SET utf8mb4")
        .execute(&server)
        .await
        .unwrap();
    let pool = sqlx::MySqlPool::connect(&mysql.url().replace("/mysql?", "/shop?"))
        .await
        .unwrap();
    let kinds = sitemap_serving_tests::mariadb_kinds();
    assert_refused(
        &refused(&pool, kinds, async |sql| {
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&pool).await.unwrap();
        })
        .await,
        &[
            ("beyonds", "is greater than 9223372036854775807"),
            ("doubles", "its type is DOUBLE"),
            ("bits", "its type is BIT"),
            (
                "enums",
                "its type is ENUM, whose values are compared as texts and ordered by their definition",
            ),
            ("nulls", "the key (id) is null in a row"),
        ],
    );
}

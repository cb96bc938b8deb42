//! PostgreSQL from the system; the tests are skipped with a message if it is missing.

use sitemap_serving_tests::{Postgres, newest, walked};
use sitemap_site::source::{Newest, Span, Unavailable, WrongKey};
use sitemap_site::{Key, SiteBuilder, Source};
use sqlx::PgPool;
use sqlx::types::chrono::{DateTime, Utc};

use crate::{Page, status, until_served};

#[tokio::test]
async fn tables_of_every_kind() {
    let Some(mut postgres) = Postgres::start("tables_of_every_kind") else {
        return;
    };
    let pool = PgPool::connect(&postgres.url()).await.unwrap();
    let script = include_str!("../../../postgres.sql");
    sqlx::raw_sql(script).execute(&pool).await.unwrap();
    let table = |name| sitemap_sqlx::table::<Page, _>(pool.clone(), name);

    assert_eq!(walked(&table("smalls"), 2).await, ["-2", "0", "5"]);
    assert_eq!(
        walked(&table("bigs"), 2).await,
        ["-9223372036854775808", "7", "9223372036854775807"]
    );
    assert_eq!(
        walked(&table("uuids"), 2).await,
        [
            "00000000-0000-0000-0000-000000000001",
            "7f000000-0000-4000-8000-000000000000",
            "ff000000-0000-4000-8000-000000000000"
        ]
    );
    assert_eq!(walked(&table("public.texts"), 2).await, ["7", "B", "a", "é"]);
    // The server's zone is Tokyo's; sqlx makes every session's UTC.
    assert_eq!(
        walked(&table("times"), 2).await,
        [
            "2026-05-01 00:00:00+00",
            "2026-05-01 00:00:00.000001+00",
            "2026-06-01 00:00:00+00"
        ]
    );
    assert_eq!(walked(&table("numbers"), 2).await, ["-0.5", "9.99", "10"]);
    assert_eq!(
        walked(&table("two"), 2).await,
        ["de,2", "de,10", "en,0", "en,1", "fr,1"]
    );
    assert_eq!(walked(&table("none"), 2).await, [""; 0]);

    let nulls = "SELECT id, slug FROM smalls UNION ALL SELECT NULL, 'x'";
    let nulls = sitemap_sqlx::query::<Page, _>(pool.clone(), nulls).key(["id"]);
    assert_eq!(
        nulls.rows(&Span::ALL, 9).await.unwrap_err().to_string(),
        "the key (id) is null in a row, and such a row does not belong to any range of keys: leave these rows out with `filter`, or name other \
         columns with `key`"
    );

    // Invented keys: a text for a number, not a UUID, one column of two.
    for (name, key) in [
        ("smalls", Key::from("x")),
        ("bigs", Key::from("7")),
        ("uuids", Key::from("x")),
        ("two", Key::from(7)),
        ("texts", Key::from(7)),
        // PostgreSQL has no text with a NUL.
        ("texts", Key::from("a\0b")),
    ] {
        let error = table(name).rows(&Span::new(key, None), 1).await.unwrap_err();
        assert!(error.is::<WrongKey>(), "{name}: {error}");
    }

    let two = table("two").lastmod::<DateTime<Utc>>("at");
    let newest = newest(&two, &Span::ALL, 9).await;
    assert_eq!(newest, Newest::Is("2026-05-01T23:00:00Z".parse().unwrap()));

    // An index answers every query of the large table.
    sqlx::raw_sql("ANALYZE large").execute(&pool).await.unwrap();
    let large = table("large").lastmod::<DateTime<Utc>>("at").filter("NOT draft");
    let span = Span::new(Key::from(("b", 500)), Key::from(("b", 9_000)));
    let condition =
        "Index Cond: ((ROW(kind, id) > ROW('b'::text, 500)) AND (ROW(kind, id) <= ROW('b'::text, 9000)))";
    for plan in large.explain(&span).await.unwrap() {
        assert!(plan.iter().any(|line| line.trim() == condition), "{plan:#?}");
        assert!(
            !plan
                .iter()
                .any(|line| line.contains("Sort") || line.contains("Seq Scan")),
            "{plan:#?}"
        );
    }

    // It goes away and comes back.
    let site = SiteBuilder::new("https://example.com")
        .section("pages", table("two"))
        .memory_bytes(0)
        .build()
        .unwrap();
    assert_eq!(status(&site).await, 200);
    postgres.stop();
    assert_eq!(status(&site).await, 503);
    let error = table("two").rows(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
    postgres.restart();
    until_served(&site).await;
    pool.close().await;
}

/// Values out of range for the date crate, which panics on them.
#[tokio::test]
async fn a_row_without_a_date_in_time() {
    #[derive(sqlx::FromRow, sitemap_serde::SitemapEntry)]
    #[sitemap(loc = "/{slug}")]
    struct Dated {
        slug: String,
        #[sitemap(lastmod)]
        at: DateTime<Utc>,
    }

    let Some(postgres) = Postgres::start("a_row_without_a_date_in_time") else {
        return;
    };
    let pool = PgPool::connect(&postgres.url()).await.unwrap();
    let table = "CREATE TABLE t (id int PRIMARY KEY, slug text, at timestamptz);
        INSERT INTO t VALUES (1, 'a', '2026-05-01 00:00Z'), (2, 'b', 'infinity'), (3, 'c', '-infinity'), (4, 'd', '294000-01-01 00:00Z'),
            (5, 'e', '2026-05-05 00:00Z');
        CREATE TABLE others (id int PRIMARY KEY, slug text, at timestamptz);
        INSERT INTO others VALUES (1, 'a', 'infinity')";
    sqlx::raw_sql(table).execute(&pool).await.unwrap();
    let source = sitemap_sqlx::table::<Dated, _>(pool.clone(), "t").lastmod::<DateTime<Utc>>("at");
    let page = source.rows(&Span::ALL, 9).await.unwrap();
    let slugs: Vec<_> = page
        .iter()
        .map(|row| row.entry().ok().map(|page| &*page.slug))
        .collect();
    assert_eq!(slugs, [Some("a"), None, None, None, Some("e")]);
    let keys = source.keys(&Span::ALL, 9).await.unwrap();
    let known: Vec<_> = keys.iter().filter_map(|row| row.lastmod.lastmod()).collect();
    assert_eq!(
        known,
        ["2026-05-01T00:00:00Z", "2026-05-05T00:00:00Z"].map(|time| time.parse().unwrap())
    );
    assert_eq!(source.latest(9).await.unwrap().unwrap().len(), 5);

    // Each section has its own rows.
    let site = SiteBuilder::new("https://example.com")
        .section("pages", source)
        .section("others", sitemap_sqlx::table::<Dated, _>(pool, "others"))
        .build()
        .unwrap();
    assert_eq!(status(&site).await, 200);
}

/// Whole classes of errors are transient.
#[tokio::test]
async fn errors_that_pass() {
    let Some(postgres) = Postgres::start("errors_that_pass") else {
        return;
    };
    let pool = PgPool::connect(&postgres.url()).await.unwrap();
    sqlx::raw_sql(sitemap_serving_tests::FAILING)
        .execute(&pool)
        .await
        .unwrap();
    for (code, passes) in sitemap_serving_tests::codes() {
        let rows = format!("SELECT id, slug FROM failing WHERE fail('{code}', 'x')");
        let source = sitemap_sqlx::query::<Page, _>(pool.clone(), sqlx::AssertSqlSafe(rows)).key(["id"]);
        let error = source.rows(&Span::ALL, 1).await.unwrap_err();
        assert_eq!(error.is::<Unavailable>(), passes, "{code}: {error}");
    }
    // A real lock that is not acquired.
    let timeout = "ALTER ROLE test SET lock_timeout = '50ms'";
    sqlx::raw_sql(timeout).execute(&pool).await.unwrap();
    let mut holding = pool.acquire().await.unwrap();
    sqlx::raw_sql("BEGIN; LOCK TABLE failing")
        .execute(&mut *holding)
        .await
        .unwrap();
    let pool = PgPool::connect(&postgres.url()).await.unwrap();
    let source = sitemap_sqlx::table::<Page, _>(pool, "failing");
    let error = source.rows(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
}

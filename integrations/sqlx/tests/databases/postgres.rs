//! PostgreSQL from the system; skipped aloud without it.

use sitemap_serving_tests::{Postgres, newest, walked};
use sitemap_site::source::{Newest, Span, Unavailable, WrongKey};
use sitemap_site::{Key, Site, Source};
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
        nulls.page(&Span::ALL, 1).await.unwrap_err().to_string(),
        "the key (id) is null in a row, and such a row does not belong to any range of keys: leave these rows out with `filter`, or name other \
         columns with `key`"
    );

    // What somebody made up: a text for a number, no UUID, one column of two.
    for (name, key) in [
        ("smalls", Key::from("x")),
        ("bigs", Key::from("7")),
        ("uuids", Key::from("x")),
        ("two", Key::from(7)),
        ("texts", Key::from(7)),
        // PostgreSQL has no text with a NUL.
        ("texts", Key::from("a\0b")),
    ] {
        let error = table(name).page(&Span::new(key, None), 1).await.unwrap_err();
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
    let site = Site::builder("https://example.com")
        .section("pages", table("two"))
        .memory_bytes(0)
        .build()
        .unwrap();
    assert_eq!(status(&site).await, 200);
    postgres.stop();
    assert_eq!(status(&site).await, 503);
    let error = table("two").page(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
    postgres.restart();
    until_served(&site).await;
    pool.close().await;
}

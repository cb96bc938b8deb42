//! Tables of every kind in PostgreSQL, from the system; skipped aloud without it.
#![cfg(feature = "postgres")]

use http::Request;
use sitemap_serde::SitemapEntry;
use sitemap_serving_tests::Postgres;
use sitemap_site::source::{Newest, Span, Unavailable, WrongKey};
use sitemap_site::{Key, Site, Source};
use sqlx::PgPool;
use sqlx::types::chrono::{DateTime, Utc};

#[derive(Debug, sqlx::FromRow, SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Page {
    slug: String,
}

/// All keys of a source, read in pages of two.
async fn keys(source: &impl Source<Entry = Page>) -> Vec<String> {
    let mut keys = Vec::new();
    let mut span = Span::ALL;
    loop {
        let page = source.page(&span, 2).await.unwrap();
        let Some(last) = page.last().map(|row| row.key().clone()) else {
            return keys;
        };
        assert_eq!(
            source.step(&span, 2).await.unwrap().map(|step| step.last),
            Some(last.clone())
        );
        keys.extend(page.iter().map(|row| row.key().to_string()));
        span = span.above(last);
        assert!(keys.len() < 100, "{keys:?}");
    }
}

#[tokio::test]
async fn tables_of_every_kind() {
    let Some(mut postgres) = Postgres::start("tables_of_every_kind") else {
        return;
    };
    let pool = PgPool::connect(&postgres.url()).await.unwrap();
    let script = include_str!("postgres.sql");
    sqlx::raw_sql(script).execute(&pool).await.unwrap();
    let table = |name| sitemap_sqlx::table::<Page, _>(pool.clone(), name);

    assert_eq!(keys(&table("smalls")).await, ["-2", "0", "5"]);
    assert_eq!(
        keys(&table("bigs")).await,
        ["-9223372036854775808", "7", "9223372036854775807"]
    );
    assert_eq!(
        keys(&table("uuids")).await,
        [
            "00000000-0000-0000-0000-000000000001",
            "7f000000-0000-4000-8000-000000000000",
            "ff000000-0000-4000-8000-000000000000"
        ]
    );
    assert_eq!(keys(&table("public.texts")).await, ["7", "B", "a", "é"]);
    // The server's zone is Tokyo's; sqlx makes every session's UTC.
    assert_eq!(
        keys(&table("times")).await,
        [
            "2026-05-01 00:00:00+00",
            "2026-05-01 00:00:00.000001+00",
            "2026-06-01 00:00:00+00"
        ]
    );
    assert_eq!(keys(&table("numbers")).await, ["-0.5", "9.99", "10"]);
    assert_eq!(
        keys(&table("two")).await,
        ["de,2", "de,10", "en,0", "en,1", "fr,1"]
    );
    assert_eq!(keys(&table("none")).await, [""; 0]);

    // What somebody made up: a text for a number, no UUID, one column of two.
    for (name, key) in [
        ("smalls", Key::from("x")),
        ("bigs", Key::from("7")),
        ("uuids", Key::from("x")),
        ("two", Key::from(7)),
        ("texts", Key::from(7)),
    ] {
        let error = table(name).page(&Span::new(key, None), 1).await.unwrap_err();
        assert!(error.is::<WrongKey>(), "{name}: {error}");
    }

    let newest = table("two")
        .lastmod::<DateTime<Utc>>("at")
        .step(&Span::ALL, 9)
        .await
        .unwrap()
        .unwrap()
        .newest;
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
    let site = Site::new("https://example.com")
        .section("two", table("two"))
        .cache_bytes(0)
        .build()
        .unwrap();
    let request = Request::get("/sitemap-two.xml").body(()).unwrap();
    assert_eq!(site.respond(&request).await.status(), 200);
    postgres.stop();
    assert_eq!(site.respond(&request).await.status(), 503);
    let error = table("two").page(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
    postgres.restart();
    let mut tries = 0;
    while site.respond(&request).await.status() != 200 {
        tries += 1;
        assert!(tries < 500);
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    pool.close().await;
}

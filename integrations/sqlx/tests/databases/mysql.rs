//! MariaDB from the system; the tests are skipped with a message if it is missing.

use sitemap_serving_tests::{MySql, newest, walked};
use sitemap_site::source::{Newest, Span, Unavailable, WrongKey};
use sitemap_site::{Key, SiteBuilder, Source};
use sqlx::MySqlPool;
use sqlx::mysql::MySqlPoolOptions;
use sqlx::types::chrono::{DateTime, Utc};

use crate::{Page, status, until_served};

#[tokio::test]
async fn tables_of_every_kind() {
    let Some(mut mysql) = MySql::start("tables_of_every_kind") else {
        return;
    };
    let script = include_str!("mysql.sql");
    let server = MySqlPool::connect(&mysql.url()).await.unwrap();
    sqlx::raw_sql(script).execute(&server).await.unwrap();
    server.close().await;
    let pool = MySqlPool::connect(&mysql.url().replace("/mysql?", "/shop?"))
        .await
        .unwrap();
    let table = |name| sitemap_sqlx::table::<Page, _>(pool.clone(), name);

    for (name, keys) in [
        ("tinies", vec!["-2", "0", "5"]),
        ("bigs", vec!["-9223372036854775808", "7", "9223372036854775807"]),
        ("shop.unsigneds", vec!["0", "7", "4294967295"]),
        (
            "snowflakes",
            vec!["7", "1234567890123456788", "1234567890123456789"],
        ),
        // In the order of the column's collation.
        ("texts", vec!["7", "a", "B", "é"]),
        ("latins", vec!["a", "é"]),
        ("none", vec![]),
    ] {
        for limit in [1, 2, 9] {
            assert_eq!(walked(&table(name), limit).await, keys, "{name}");
        }
    }
    // The name of this table has a space and a backtick.
    let blobs = sitemap_sqlx::query::<Page, _>(pool.clone(), "SELECT * FROM `my ``rows`").key(["i d"]);
    assert_eq!(walked(&blobs, 1).await, ["0000", "ff00"]);

    for (name, message) in [
        (
            "two",
            "the key has several columns (lang, id), and MySQL uses no index for ranges of several columns: name one column that is \
             unique and not null with `key`",
        ),
        (
            "beyond",
            "the key column `id` cannot be read: its value 18446744073709551615 is greater than 9223372036854775807",
        ),
    ] {
        let error = table(name).rows(&Span::ALL, 1).await.unwrap_err();
        assert_eq!(error.to_string(), message);
    }

    let nulls = "SELECT id, slug FROM tinies UNION ALL SELECT NULL, 'x'";
    let nulls = sitemap_sqlx::query::<Page, _>(pool.clone(), nulls).key(["id"]);
    assert_eq!(
        nulls.rows(&Span::ALL, 1).await.unwrap_err().to_string(),
        "the key (id) is null in a row, and such a row does not belong to any range of keys: leave these rows out with `filter`, or name other \
         columns with `key`"
    );

    // Invented keys. MySQL would take a text for the number 0.
    for (name, key) in [
        ("tinies", Key::from("x")),
        ("bigs", Key::from("7")),
        ("texts", Key::from(7)),
        ("latins", Key::from("日")),
        ("tinies", Key::from((1, 2))),
    ] {
        let error = table(name).rows(&Span::new(key, None), 1).await.unwrap_err();
        assert!(error.is::<WrongKey>(), "{name}: {error}");
    }

    // The server's zone is Tokyo's; sqlx makes every session's UTC.
    let large = || table("large").lastmod::<DateTime<Utc>>("at").filter("NOT draft");
    let keys = large().keys(&Span::ALL, 10).await.unwrap();
    assert_eq!((keys.len(), &keys[9].key), (10, &Key::from(30)));
    let newest = newest(&large(), &Span::ALL, 10).await;
    assert_eq!(newest, Newest::Is("2026-01-01T00:00:10Z".parse().unwrap()));

    // An index answers every query of the large table.
    sqlx::raw_sql("ANALYZE TABLE large").execute(&pool).await.unwrap();
    let span = Span::new(Key::from(30_000), Key::from(40_000));
    let range = vec!["large range PRIMARY Using where".to_owned()];
    assert_eq!(large().explain(&span).await.unwrap(), [range.clone(), range]);

    // A query that takes longer than the server lets it.
    let limited = MySqlPoolOptions::new().after_connect(|connection, _| {
        Box::pin(async move {
            let limit = sqlx::raw_sql("SET SESSION max_statement_time = 0.05");
            limit.execute(connection).await.map(drop)
        })
    });
    let limited = limited.connect(&mysql.url()).await.unwrap();
    let slow = sitemap_sqlx::table::<Page, _>(limited, "shop.tinies").filter("SLEEP(1) = 0");
    let error = slow.rows(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");

    // It goes away and comes back.
    let site = SiteBuilder::new("https://example.com")
        .section("pages", table("texts"))
        .memory_bytes(0)
        .build()
        .unwrap();
    assert_eq!(status(&site).await, 200);
    mysql.stop();
    assert_eq!(status(&site).await, 503);
    let error = table("texts").rows(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
    mysql.restart();
    until_served(&site).await;
    pool.close().await;
}

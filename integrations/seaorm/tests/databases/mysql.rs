//! MariaDB from the system; the tests are skipped with a message if it is missing.

use sea_orm::{ConnectionTrait, Database};
use sitemap_seaorm::entity;
use sitemap_serving_tests::{MySql, walked};
use sitemap_site::source::{Source, Span, Unavailable};
use sitemap_site::{Key, SiteBuilder};

use crate::tables::{self, big, text, two};
use crate::{status, until_served};

#[tokio::test]
async fn tables_of_every_kind() {
    let Some(mut mysql) = MySql::start("tables_of_every_kind") else {
        return;
    };
    let server = Database::connect(mysql.url()).await.unwrap();
    server
        .execute_unprepared("CREATE DATABASE shop CHARACTER SET utf8mb4")
        .await
        .unwrap();
    server.close().await.unwrap();
    let db = Database::connect(mysql.url().replace("/mysql?", "/shop?"))
        .await
        .unwrap();
    db.execute_unprepared(include_str!("tables.sql")).await.unwrap();
    tables::check(&db).await;
    let texts = || entity::<text::Entity>(db.clone());
    assert_eq!(walked(&texts(), 2).await, ["7", "a", "b", "é"]);
    let error = entity::<two::Entity>(db.clone())
        .rows(&Span::ALL, 1)
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the key has several columns (lang, id), and MySQL uses no index for ranges of several columns: name one column that is \
         unique and not null with `key`"
    );

    // An index answers every query of a large table.
    db.execute_unprepared("INSERT INTO bigs SELECT seq + 100, seq FROM seq_1_to_20000; ANALYZE TABLE bigs")
        .await
        .unwrap();
    let span = Span::new(Key::from(5_000), Key::from(6_000));
    let [page, keys] = entity::<big::Entity>(db.clone()).explain(&span).await.unwrap();
    assert_eq!(page, ["bigs range PRIMARY Using where"]);
    assert_eq!(keys, ["bigs range PRIMARY Using where; Using index"]);

    // It goes away and comes back.
    let site = SiteBuilder::new("https://example.com")
        .section("pages", texts())
        .memory_bytes(0)
        .build()
        .unwrap();
    assert_eq!(status(&site).await, 200);
    mysql.stop();
    assert_eq!(status(&site).await, 503);
    let error = texts().rows(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
    mysql.restart();
    until_served(&site).await;
}

//! PostgreSQL from the system; the tests are skipped with a message if it is missing.

use sea_orm::{ColumnTrait, ConnectionTrait, Database};
use sitemap_seaorm::entity;
use sitemap_serving_tests::{Postgres, walked};
use sitemap_site::source::{Source, Span, Unavailable, WrongKey};
use sitemap_site::{Key, SiteBuilder};

use crate::tables::{self, text, two};
use crate::{status, until_served};

mod large {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "large")]
    #[sitemap(loc = "/{slug}")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub kind: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        pub slug: String,
        pub at: DateTimeUtc,
        pub draft: bool,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

#[tokio::test]
async fn tables_of_every_kind() {
    let Some(mut postgres) = Postgres::start("tables_of_every_kind") else {
        return;
    };
    let db = Database::connect(postgres.url()).await.unwrap();
    db.execute_unprepared(include_str!("../../../postgres.sql"))
        .await
        .unwrap();
    tables::check(&db).await;
    tables::check_two(&db).await;
    assert_eq!(
        walked(&entity::<text::Entity>(db.clone()), 2).await,
        ["7", "B", "a", "é"]
    );

    // PostgreSQL has no text with a NUL.
    let made_up = Span::new(Key::from("a\0b"), None);
    let error = entity::<text::Entity>(db.clone())
        .rows(&made_up, 1)
        .await
        .unwrap_err();
    assert!(error.is::<WrongKey>(), "{error}");

    // An index answers every query of the large table.
    db.execute_unprepared("ANALYZE large").await.unwrap();
    let large = entity::<large::Entity>(db.clone())
        .lastmod(large::Column::At)
        .filter(large::Column::Draft.eq(false));
    let span = Span::new(Key::from(("b", 500)), Key::from(("b", 9_000)));
    let condition =
        "Index Cond: ((ROW(kind, id) > ROW('b'::text, 500)) AND (ROW(kind, id) <= ROW('b'::text, 9000)))";
    for plan in large.explain(&span).await.unwrap() {
        assert!(plan.iter().any(|line| line.trim() == condition), "{plan:#?}");
        let scans = |line: &String| line.contains("Sort") || line.contains("Seq Scan");
        assert!(!plan.iter().any(scans), "{plan:#?}");
    }

    // It goes away and comes back.
    let two = || entity::<two::Entity>(db.clone());
    let site = SiteBuilder::new("https://example.com")
        .section("pages", two())
        .memory_bytes(0)
        .build()
        .unwrap();
    assert_eq!(status(&site).await, 200);
    postgres.stop();
    assert_eq!(status(&site).await, 503);
    let error = two().rows(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
    postgres.restart();
    until_served(&site).await;
}

//! SQLite, in memory.

use sea_orm::{ColumnTrait, ConnectOptions, ConnectionTrait, Database, FromQueryResult};
use sitemap_seaorm::{entity, entity_as};
use sitemap_serde::SitemapEntry;
use sitemap_serving_tests::{walk, walked};
use sitemap_site::Key;
use sitemap_site::source::Span;

use sitemap_site::Source;
use sitemap_site::source::Newest;

use crate::tables::{self, text, two};

mod declared {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "declared")]
    #[sitemap(loc = "/{slug}")]
    pub(super) struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub slug: String,
        #[sea_orm(column_name = "changedAt")]
        #[sitemap(lastmod, zone = "+09:00")]
        pub updated_at: Option<DateTime>,
        #[sitemap(exclude_if)]
        pub draft: bool,
        #[sea_orm(column_name = "in stock")]
        #[sitemap(include_if)]
        pub stock: bool,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

const DECLARED: &str = "CREATE TABLE declared (id INTEGER PRIMARY KEY, slug TEXT, changedAt TEXT, draft INTEGER, \"in stock\" INTEGER); \
    INSERT INTO declared VALUES (1, 'a', '2024-05-06 07:08:09', 0, 1), (2, 'b', '2025-01-01 00:00:00', 1, 1), (3, 'c', NULL, 0, 1), \
    (4, 'd', '2024-06-01 00:00:00.5', 0, 1), (5, 'e', '2026-01-01 00:00:00', 0, 0)";

/// The declarations in the attributes apply to the queries, by the columns' names, and `filter` adds to
/// them.
#[tokio::test]
async fn what_the_model_declares() {
    let mut options = ConnectOptions::new("sqlite::memory:");
    options.max_connections(1);
    let db = Database::connect(options).await.unwrap();
    db.execute_unprepared(DECLARED).await.unwrap();
    let all = || entity::<declared::Entity>(db.clone());
    assert_eq!(walk(&all(), 2).await, [1, 3, 4].map(Key::from));
    let found = all().latest(2).await.unwrap().unwrap();
    let found: Vec<_> = found.into_iter().map(|row| (row.key, row.lastmod)).collect();
    assert_eq!(
        found,
        [
            (
                Key::from(4),
                Newest::Is("2024-06-01T00:00:00.5+09:00".parse().unwrap())
            ),
            (
                Key::from(1),
                Newest::Is("2024-05-06T07:08:09+09:00".parse().unwrap())
            ),
        ]
    );
    let filtered = all()
        .filter(declared::Column::Slug.ne("a"))
        .filter(declared::Column::Id.gt(3));
    assert_eq!(walk(&filtered, 2).await, [4].map(Key::from));
    let undated = all().without_lastmod();
    assert!(undated.latest(2).await.unwrap().is_none());

    // Another row type has its own declarations; columns that the entity lacks are reported at once.
    let dates = entity_as::<declared::Entity, Dates>(db.clone());
    assert_eq!(walk(&dates, 9).await, [1, 2, 3, 4, 5].map(Key::from));
    let error = |error: Box<dyn std::error::Error + Send + Sync>| error.to_string();
    let missing = entity_as::<declared::Entity, Missing>(db.clone())
        .keys(&Span::ALL, 9)
        .await;
    assert_eq!(
        missing.map_err(error).unwrap_err(),
        "`databases::sqlite::Missing` names the column `changed`, which `declared` does not have, as its lastmod: name the lastmod with \
         `lastmod_with` or `lastmod_expr`, or leave the index without lastmods with `without_lastmod`"
    );
    let converted = entity_as::<declared::Entity, Converted>(db.clone())
        .keys(&Span::ALL, 9)
        .await;
    assert_eq!(
        converted.map_err(error).unwrap_err(),
        "the lastmod of `databases::sqlite::Converted` (id) cannot be queried, since a function converts it: name the lastmod with \
         `lastmod_with` or `lastmod_expr`, or leave the index without lastmods with `without_lastmod`"
    );
    // The advice of these messages helps.
    let missing = || entity_as::<declared::Entity, Missing>(db.clone());
    let ids = [1, 2, 3, 4, 5].map(Key::from);
    assert_eq!(walk(&missing().without_lastmod(), 9).await, ids);
    assert_eq!(
        walk(&missing().lastmod(declared::Column::UpdatedAt), 9).await,
        ids
    );
    let converted = entity_as::<declared::Entity, Converted>(db);
    assert_eq!(walk(&converted.without_lastmod(), 9).await, ids);
}

#[derive(FromQueryResult, SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Dates {
    slug: String,
}

#[derive(FromQueryResult, SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Missing {
    slug: String,
    #[sitemap(lastmod)]
    changed: Option<String>,
}

#[derive(FromQueryResult, SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Converted {
    slug: String,
    #[sitemap(lastmod, with = sitemap_serde::convert::unix_seconds)]
    id: i32,
}

#[tokio::test]
async fn tables_of_every_kind() {
    let mut options = ConnectOptions::new("sqlite::memory:");
    options.max_connections(1);
    let db = Database::connect(options).await.unwrap();
    db.execute_unprepared(include_str!("tables.sql")).await.unwrap();
    tables::check(&db).await;
    tables::check_two(&db).await;
    assert_eq!(
        walked(&entity::<text::Entity>(db.clone()), 2).await,
        ["7", "a", "b", "é"]
    );

    let two = entity::<two::Entity>(db.clone()).lastmod(two::Column::At);
    let span = Span::new(Key::from(("de", 5)), Key::from(("en", 7)));
    let search = vec![
        "SEARCH two USING INDEX sqlite_autoindex_two_1 ((lang,id)>(?,?) AND (lang,id)<(?,?))".to_owned(),
    ];
    assert_eq!(
        two.explain(&span).await.unwrap(),
        [search.clone(), search.clone()]
    );
    // With an index of all that is counted, the rows are not looked at.
    db.execute_unprepared("CREATE INDEX covering ON two (lang, id, at)")
        .await
        .unwrap();
    let covered = vec![search[0].replace("INDEX sqlite_autoindex_two_1", "COVERING INDEX covering")];
    assert_eq!(two.explain(&span).await.unwrap()[1], covered);
}

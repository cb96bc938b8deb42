//! Keys of every type: each row is listed once, or the source is refused.

use sea_orm::{ConnectionTrait, Database, DatabaseConnection};
use sitemap_seaorm::entity;
use sitemap_serving_tests::{Class, Kind, listed_once};

/// Entities of the view `pages`.
macro_rules! entities {
    ($($module:ident [$($column:literal)?] $type:ty;)*) => {$(
        mod $module {
            use sea_orm::entity::prelude::*;
            use sitemap_serde::SitemapEntry;

            #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
            #[sea_orm(table_name = "pages")]
            #[sitemap(loc = "/{slug}")]
            pub(super) struct Model {
                #[sea_orm(primary_key, auto_increment = false $(, column_type = $column)?)]
                pub id: $type,
                pub slug: String,
            }

            #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
            pub(super) enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}
        }
    )*};
}
entities! {
    integer [] i64;
    text [] String;
    padded ["Char(Some(26))"] String;
    uuid [] Uuid;
    bytes [] Vec<u8>;
}

mod several {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "pages")]
    #[sitemap(loc = "/{slug}")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub lang: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        pub slug: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The tables that are refused, with the reasons.
async fn refused(url: &str, kinds: Vec<Kind>) -> Vec<(&'static str, String)> {
    let db = Database::connect(url).await.unwrap();
    let mut refused = Vec::new();
    for kind in kinds {
        db.execute_unprepared(&kind.sql).await.unwrap();
        let key = kind.key.join(", ");
        if key.is_empty() || kind.class == Class::Other {
            continue;
        }
        let view = format!("CREATE VIEW pages AS SELECT {key}, slug FROM {}", kind.name);
        db.execute_unprepared(&view).await.unwrap();
        // As another program connects: without plans of queries of other types.
        let other = Database::connect(url).await.unwrap();
        let of = |db: &DatabaseConnection| db.clone();
        let listed = match kind.class {
            Class::Integer => listed_once(|| entity::<integer::Entity>(of(&other)), kind.name).await,
            Class::Text => listed_once(|| entity::<text::Entity>(of(&other)), kind.name).await,
            Class::Padded => listed_once(|| entity::<padded::Entity>(of(&other)), kind.name).await,
            Class::Uuid => listed_once(|| entity::<uuid::Entity>(of(&other)), kind.name).await,
            Class::Bytes => listed_once(|| entity::<bytes::Entity>(of(&other)), kind.name).await,
            _ => listed_once(|| entity::<several::Entity>(of(&other)), kind.name).await,
        };
        other.close().await.unwrap();
        db.execute_unprepared("DROP VIEW pages").await.unwrap();
        if let Err(reason) = listed {
            refused.push((kind.name, reason));
        }
    }
    refused
}

fn assert_refused(refused: &[(&str, String)], expected: &[(&str, &str)]) {
    let names: Vec<_> = refused.iter().map(|(name, _)| *name).collect();
    let expected_names: Vec<_> = expected.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, expected_names, "{refused:#?}");
    for ((_, reason), (name, part)) in refused.iter().zip(expected) {
        assert!(reason.contains(part), "{name}: {reason}");
    }
}

const ORDER: &str = "the key column `id` (String(None)) is not compared as it is ordered";

#[tokio::test]
async fn keys_of_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}?mode=rwc", folder.path().join("kinds.sqlite").display());
    let kinds = sitemap_serving_tests::sqlite_kinds();
    assert_refused(
        &refused(&url, kinds).await,
        &[("nulls", "the key column `id` is null in a row")],
    );
}

#[cfg(unix)]
#[tokio::test]
async fn keys_of_postgresql() {
    let Some(postgres) = sitemap_serving_tests::Postgres::start("keys_of_postgresql") else {
        return;
    };
    let kinds = sitemap_serving_tests::postgres_kinds();
    // The policy of rows does not apply to the user who makes the tables.
    let kinds = kinds.into_iter().filter(|kind| kind.name != "secured").collect();
    assert_refused(
        &refused(&postgres.url(), kinds).await,
        &[
            ("citexts", ORDER),
            (
                "hidden_citexts",
                "is not compatible with SQL type `hidden.citext`",
            ),
            ("nulls", "as if their keys were null"),
            ("padded_twos", "is not compatible with SQL type"),
        ],
    );
}

#[cfg(unix)]
#[tokio::test]
async fn keys_of_mariadb() {
    let Some(mysql) = sitemap_serving_tests::MySql::start("keys_of_mariadb") else {
        return;
    };
    let server = Database::connect(mysql.url()).await.unwrap();
    server
        .execute_unprepared("CREATE DATABASE shop CHARACTER SET utf8mb4")
        .await
        .unwrap();
    let kinds = sitemap_serving_tests::mariadb_kinds();
    assert_refused(
        &refused(&mysql.url().replace("/mysql?", "/shop?"), kinds).await,
        &[
            ("enums", ORDER),
            ("nulls", "the key column `id` is null in a row"),
        ],
    );
}

//! Tables that are migrated while they are read.

use sea_orm::sea_query::{Expr, Func};
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection};
use sitemap_seaorm::entity;
use sitemap_serving_tests::{Dialect, Migrations, survives};

mod pages {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "pages")]
    #[sitemap(loc = "/{slug}")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub slug: String,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

mod listed {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "listed")]
    #[sitemap(loc = "/{slug}")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub slug: String,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Migrates under each kind of source, pool and load.
async fn check(dialect: Dialect, url: &str) {
    let connect = async |connections| -> DatabaseConnection {
        let mut options = ConnectOptions::new(url);
        options.max_connections(connections);
        Database::connect(options).await.unwrap()
    };
    let other = connect(1).await;
    let execute = async |sql: &str| {
        let done = other.execute_unprepared(sql).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    };
    let mut seed = 0;
    for connections in [1, 8] {
        for is_busy in [false, true] {
            for is_table in [true, false] {
                println!("seed {seed}: table: {is_table}, {connections} connections, busy: {is_busy}");
                // The entity's types stay.
                let mut migrations = Migrations::new(dialect, seed).with_wide_ids();
                seed += 1;
                for statement in migrations.setup() {
                    execute(&statement).await;
                }
                let db = connect(connections).await;
                if is_table {
                    let source = entity::<pages::Entity>(db).lastmod(pages::Column::At);
                    survives(source, |page| &page.slug, migrations, is_busy, execute).await;
                } else {
                    let at = Func::coalesce([Expr::col(listed::Column::At), Expr::col(listed::Column::At)]);
                    let source =
                        entity::<listed::Entity>(db).lastmod_expr(at, |at: sea_orm::prelude::DateTimeUtc| at);
                    survives(source, |page| &page.slug, migrations, is_busy, execute).await;
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.sqlite");
    let url = format!("sqlite:{}?mode=rwc", file.display());
    let db = Database::connect(&url).await.unwrap();
    db.execute_unprepared("PRAGMA journal_mode = WAL").await.unwrap();
    check(Dialect::Sqlite, &url).await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres() {
    if let Some(postgres) = sitemap_serving_tests::Postgres::start("postgres") {
        check(Dialect::Postgres, &postgres.url()).await;
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mysql() {
    let Some(mysql) = sitemap_serving_tests::MySql::start("mysql") else {
        return;
    };
    let db = Database::connect(mysql.url()).await.unwrap();
    db.execute_unprepared("CREATE DATABASE shop CHARACTER SET utf8mb4")
        .await
        .unwrap();
    check(Dialect::MySql, &mysql.url().replace("/mysql?", "/shop?")).await;
}

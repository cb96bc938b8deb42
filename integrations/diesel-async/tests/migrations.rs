//! Tables that are migrated while they are read, by connections of a pool.
#![cfg(unix)]

use diesel::sqlite::SqliteConnection;
use diesel_async::pooled_connection::AsyncDieselConnectionManager;
use diesel_async::pooled_connection::deadpool::Pool;
use diesel_async::sync_connection_wrapper::SyncConnectionWrapper;
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use sitemap_serving_tests::{Dialect, Migrations, Postgres, survives};
use sitemap_site::source::BoxError;

/// The tables and their rows in a database.
macro_rules! pages {
    ($schema:ident, $backend:path, $time:ty) => {
        mod $schema {
            use diesel::prelude::*;
            use sitemap_serde::SitemapEntry;

            diesel::table! { pages (id) { id -> BigInt, slug -> Text, at -> $time, } }
            diesel::table! { listed (id) { id -> BigInt, slug -> Text, at -> $time, } }

            #[derive(Queryable, Selectable, SitemapEntry)]
            #[diesel(table_name = pages, check_for_backend($backend))]
            #[sitemap(loc = "/{slug}")]
            pub(crate) struct Page {
                pub(crate) slug: String,
            }

            #[derive(Queryable, Selectable, SitemapEntry)]
            #[diesel(table_name = listed, check_for_backend($backend))]
            #[sitemap(loc = "/{slug}")]
            pub(crate) struct Listed {
                pub(crate) slug: String,
            }
        }
    };
}
pages!(sqlite, diesel::sqlite::Sqlite, Nullable<Timestamp>);
pages!(postgres, diesel::pg::Pg, Timestamptz);

type Sqlite = SyncConnectionWrapper<SqliteConnection>;

macro_rules! check {
    ($schema:ident, $connection:ty, $dialect:expr, $url:expr, $prepare:expr, $convert:expr) => {
        let url = $url;
        let connect = |connections| {
            let manager = AsyncDieselConnectionManager::<$connection>::new(&url);
            let pool = Pool::builder(manager).max_size(connections).build().unwrap();
            move || {
                let pool = pool.clone();
                async move {
                    let mut connection = pool.get().await?;
                    connection.batch_execute($prepare).await?;
                    Ok::<_, BoxError>(connection)
                }
            }
        };
        let one = tokio::sync::Mutex::new(<$connection>::establish(&url).await.unwrap());
        let execute = async |sql: &str| {
            let mut one = one.lock().await;
            one.batch_execute($prepare).await.unwrap();
            let done = one.batch_execute(sql).await;
            done.unwrap_or_else(|error| panic!("{sql}: {error}"));
        };
        let mut seed = 0;
        for connections in [1, 8] {
            for is_busy in [false, true] {
                for is_table in [true, false] {
                    println!("seed {seed}: table: {is_table}, {connections} connections, busy: {is_busy}");
                    // The types of the table's columns stay.
                    let mut migrations = Migrations::new($dialect, seed).with_wide_ids();
                    seed += 1;
                    for statement in migrations.setup() {
                        execute(&statement).await;
                    }
                    if is_table {
                        let source = sitemap_diesel_async::rows! {
                            table = $schema::pages::table,
                            key = ($schema::pages::id),
                            row = $schema::Page,
                            connect = connect(connections),
                            lastmod = $schema::pages::at => $convert,
                        };
                        survives(source, |page| &page.slug, migrations, is_busy, execute).await;
                    } else {
                        let source = sitemap_diesel_async::rows! {
                            table = $schema::listed::table,
                            key = ($schema::listed::id),
                            row = $schema::Listed,
                            connect = connect(connections),
                            lastmod = $schema::listed::at => $convert,
                        };
                        survives(source, |page| &page.slug, migrations, is_busy, execute).await;
                    }
                }
            }
        }
    };
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = folder.path().join("a.sqlite").display().to_string();
    let mut connection = Sqlite::establish(&url).await.unwrap();
    connection
        .batch_execute("PRAGMA journal_mode = WAL")
        .await
        .unwrap();
    check!(
        sqlite,
        Sqlite,
        Dialect::Sqlite,
        url,
        "PRAGMA busy_timeout = 20000",
        |at: Option<chrono::NaiveDateTime>| at.map(|at| at.and_utc())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_postgresql() {
    let Some(server) = Postgres::start("in_postgresql") else {
        return;
    };
    check!(
        postgres,
        AsyncPgConnection,
        Dialect::Postgres,
        server.url(),
        "SELECT 1",
        |at: chrono::DateTime<chrono::Utc>| at
    );
}

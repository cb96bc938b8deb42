//! Tables that are migrated while they are read, by connections of a pool.
#![cfg(unix)]

use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::mysql::MysqlConnection;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::r2d2::{ConnectionManager, Pool};
use diesel::sqlite::SqliteConnection;
use sitemap_serving_tests::{Dialect, Migrations, MySql, Postgres, survives};
use sitemap_site::source::blocking;

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
pages!(mysql, diesel::mysql::Mysql, Nullable<Timestamp>);

macro_rules! check {
    ($schema:ident, $connection:ty, $dialect:expr, $url:expr, $prepare:expr, $convert:expr) => {
        let url = $url;
        let connect = |connections| {
            let manager = ConnectionManager::<$connection>::new(&url);
            let pool = Pool::builder()
                .max_size(connections)
                .connection_timeout(Duration::from_secs(20));
            let pool = pool.build(manager).unwrap();
            move || {
                let mut connection = pool.get()?;
                connection.batch_execute($prepare)?;
                Ok::<_, sitemap_site::source::BoxError>(connection)
            }
        };
        let one = std::sync::Mutex::new(<$connection>::establish(&url).unwrap());
        let execute = async |sql: &str| {
            let mut one = one.lock().unwrap();
            one.batch_execute($prepare).unwrap();
            one.batch_execute(sql)
                .unwrap_or_else(|error| panic!("{sql}: {error}"));
        };
        let mut seed = 0;
        for connections in [1, 8] {
            for is_busy in [false, true] {
                for is_table in [true, false] {
                    println!("seed {seed}: table: {is_table}, {connections} connections, busy: {is_busy}");
                    // The types of the table's columns do not change.
                    let mut migrations = Migrations::new($dialect, seed).with_wide_ids();
                    seed += 1;
                    for statement in migrations.setup() {
                        execute(&statement).await;
                    }
                    if is_table {
                        let source = blocking(sitemap_diesel::rows! {
                            table = $schema::pages::table,
                            key = ($schema::pages::id),
                            row = $schema::Page,
                            connect = connect(connections),
                            lastmod = $schema::pages::at => $convert,
                        });
                        survives(source, |page| &page.slug, migrations, is_busy, execute).await;
                    } else {
                        let source = blocking(sitemap_diesel::rows! {
                            table = $schema::listed::table,
                            key = ($schema::listed::id),
                            row = $schema::Listed,
                            connect = connect(connections),
                            lastmod = $schema::listed::at => $convert,
                        });
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
    let mut connection = SqliteConnection::establish(&url).unwrap();
    connection.batch_execute("PRAGMA journal_mode = WAL").unwrap();
    check!(
        sqlite,
        SqliteConnection,
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
        PgConnection,
        Dialect::Postgres,
        server.url(),
        "SELECT 1",
        |at: chrono::DateTime<chrono::Utc>| at
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_mariadb() {
    let Some(server) = MySql::start("in_mariadb") else {
        return;
    };
    // Diesel names the socket in another way.
    let url = server.url().replace("?socket=", "?unix_socket=");
    let mut connection = MysqlConnection::establish(&url).unwrap();
    connection
        .batch_execute("CREATE DATABASE shop CHARACTER SET utf8mb4")
        .unwrap();
    check!(
        mysql,
        MysqlConnection,
        Dialect::MySql,
        url.replace("/mysql?", "/shop?"),
        "SELECT 1",
        |at: Option<chrono::NaiveDateTime>| at.map(|at| at.and_utc())
    );
}

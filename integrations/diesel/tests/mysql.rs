//! MariaDB from the system, by its C library; the tests are skipped with a message if it is missing.
#![cfg(unix)]

use std::sync::{Arc, Mutex};

use chrono::NaiveDateTime;
use diesel::connection::{InstrumentationEvent, SimpleConnection};
use diesel::mysql::{Mysql, MysqlConnection};
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use http::Request;
use sitemap_serde::SitemapEntry;
use sitemap_serving_tests::{MySql, newest, walked};
use sitemap_site::source::{Newest, Source, Span, Unavailable, WrongKey, blocking};
use sitemap_site::{Key, Site, SiteBuilder};

mod schema {
    diesel::table! { tinies (id) { id -> TinyInt, slug -> Text, } }
    diesel::table! { bigs (id) { id -> BigInt, slug -> Text, } }
    diesel::table! { unsigneds (id) { id -> Unsigned<Integer>, slug -> Text, } }
    diesel::table! { snowflakes (id) { id -> Unsigned<BigInt>, slug -> Text, } }
    diesel::table! { beyond (id) { id -> Unsigned<BigInt>, slug -> Text, } }
    diesel::table! { texts (slug) { slug -> Text, } }
    diesel::table! { latins (slug) { slug -> Text, } }
    diesel::table! {
        #[sql_name = "my `rows"]
        blobs (id) {
            #[sql_name = "i d"]
            id -> Binary,
            slug -> Text,
        }
    }
    diesel::table! { two (lang, id) { lang -> Text, id -> Integer, slug -> Text, } }
    diesel::table! { none (id) { id -> Integer, slug -> Text, } }
    diesel::table! { large (id) { id -> Integer, slug -> Text, at -> Nullable<Timestamp>, draft -> Bool, } }
}
use schema::{beyond, bigs, blobs, large, latins, none, snowflakes, texts, tinies, two, unsigneds};

/// The page of a table.
macro_rules! page {
    ($($table:ident $page:ident),*) => {$(
        #[derive(Debug, Queryable, Selectable, SitemapEntry)]
        #[diesel(table_name = schema::$table, check_for_backend(Mysql))]
        #[sitemap(loc = "/{slug}")]
        struct $page {
            slug: String,
        }
    )*};
}
page!(
    tinies Tiny, bigs Big, unsigneds Unsigned, snowflakes Snowflake, beyond Beyond, texts Slug, latins Latin, blobs Blob,
    none None_, large Large, two Two
);

/// The database with the tables, and the queries to it.
#[derive(Clone)]
struct Database {
    url: Arc<str>,
    queries: Arc<Mutex<Vec<String>>>,
}

impl Database {
    fn connect(&self) -> impl Fn() -> ConnectionResult<MysqlConnection> + use<> {
        let database = self.clone();
        move || {
            let mut connection = MysqlConnection::establish(&database.url)?;
            let queries = Arc::clone(&database.queries);
            connection.set_instrumentation(move |event: InstrumentationEvent<'_>| {
                if let InstrumentationEvent::StartQuery { query, .. } = event {
                    queries.lock().unwrap().push(query.to_string());
                }
            });
            Ok(connection)
        }
    }

    fn run<T>(&self, work: impl FnOnce(&mut MysqlConnection) -> T) -> T {
        work(&mut self.connect()().unwrap())
    }

    fn execute(&self, sql: &str) {
        self.run(|connection| connection.batch_execute(sql).unwrap());
    }
}

/// A source of a table.
macro_rules! source {
    ($database:expr, $table:path, $key:path, $row:ty $(, $($rest:tt)*)?) => {
        blocking(sitemap_diesel::rows! {
            table = $table,
            key = ($key),
            row = $row,
            connect = $database.connect(),
            $($($rest)*)?
        })
    };
}

async fn status(site: &Site) -> u16 {
    let request = Request::get("/sitemap-pages.xml").body(());
    site.respond(&request.unwrap()).await.status().as_u16()
}

#[tokio::test]
async fn tables_of_every_kind() {
    let Some(mut mysql) = MySql::start("tables_of_every_kind") else {
        return;
    };
    let of = |database: &str| Database {
        url: mysql
            .url()
            .replace("/mysql?socket=", &format!("/{database}?unix_socket="))
            .into(),
        queries: Arc::default(),
    };
    of("mysql").execute(include_str!("../../sqlx/tests/databases/mysql.sql"));
    let database = of("shop");

    for limit in [1, 2, 9] {
        let keys = walked(&source!(database, tinies::table, tinies::id, Tiny), limit).await;
        assert_eq!(keys, ["-2", "0", "5"]);
        let keys = walked(&source!(database, bigs::table, bigs::id, Big), limit).await;
        assert_eq!(keys, ["-9223372036854775808", "7", "9223372036854775807"]);
        let keys = walked(
            &source!(database, unsigneds::table, unsigneds::id, Unsigned),
            limit,
        )
        .await;
        assert_eq!(keys, ["0", "7", "4294967295"]);
        let keys = walked(
            &source!(database, snowflakes::table, snowflakes::id, Snowflake),
            limit,
        )
        .await;
        assert_eq!(keys, ["7", "1234567890123456788", "1234567890123456789"]);
        let keys = walked(&source!(database, beyond::table, beyond::id, Beyond), limit).await;
        assert_eq!(keys, ["18446744073709551615"]);
        // In the order of the column's collation.
        let keys = walked(&source!(database, texts::table, texts::slug, Slug), limit).await;
        assert_eq!(keys, ["7", "a", "B", "é"]);
        let keys = walked(&source!(database, latins::table, latins::slug, Latin), limit).await;
        assert_eq!(keys, ["a", "é"]);
        let keys = walked(&source!(database, blobs::table, blobs::id, Blob), limit).await;
        assert_eq!(keys, ["0000", "ff00"]);
        let keys = walked(&source!(database, none::table, none::id, None_), limit).await;
        assert_eq!(keys, [""; 0]);
    }
    // By no index, and right all the same.
    database.execute("INSERT INTO two VALUES ('de', 2, 'b'), ('de', 10, 'c'), ('en', 0, 'd')");
    let two = blocking(sitemap_diesel::rows! {
        table = two::table,
        key = (two::lang, two::id),
        row = Two,
        connect = database.connect(),
    });
    assert_eq!(walked(&two, 2).await, ["de,2", "de,10", "en,0", "en,1"]);
    made_up_keys(&database).await;
    plans_and_lastmods(&database).await;

    // A row that does not load costs itself.
    database.execute("UPDATE bigs SET slug = NULL WHERE id = 7");
    let page = source!(database, bigs::table, bigs::id, Big)
        .rows(&Span::ALL, 9)
        .await
        .unwrap();
    let slugs: Vec<_> = page
        .iter()
        .map(|row| row.entry().map(|page| page.slug.as_str()).ok())
        .collect();
    assert_eq!(slugs, [Some("b"), None, Some("a")]);

    // It goes away and comes back.
    let texts = || source!(database, texts::table, texts::slug, Slug);
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
    let mut tries = 0;
    while status(&site).await != 200 {
        tries += 1;
        assert!(tries < 500);
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// MySQL would take a text for the number 0.
async fn made_up_keys(database: &Database) {
    let tinies = source!(database, tinies::table, tinies::id, Tiny);
    for key in [Key::from("x"), Key::from(128), Key::from((1, 2))] {
        let error = tinies.rows(&Span::new(key, None), 1).await.unwrap_err();
        assert!(error.is::<WrongKey>(), "{error}");
    }
    let beyond = source!(database, beyond::table, beyond::id, Beyond);
    for key in [
        Key::from(-1),
        Key::from("7"),
        Key::from("18446744073709551616"),
        Key::from("+9999999999999999999"),
    ] {
        let error = beyond.rows(&Span::new(key, None), 1).await.unwrap_err();
        assert!(error.is::<WrongKey>(), "{error}");
    }
    let texts = source!(database, texts::table, texts::slug, Slug);
    assert!(
        texts
            .rows(&Span::new(Key::from(7), None), 1)
            .await
            .unwrap_err()
            .is::<WrongKey>()
    );
    // A key with a character that the column's encoding does not have finds no row, and is not a failure.
    let latins = source!(database, latins::table, latins::slug, Latin);
    match latins.rows(&Span::new(Key::from("日"), None), 9).await {
        Ok(rows) => assert!(rows.len() <= 2),
        Err(error) => assert!(error.is::<WrongKey>(), "{error}"),
    }
}

#[derive(QueryableByName)]
struct Plan {
    #[diesel(sql_type = Text, column_name = "type")]
    kind: String,
    #[diesel(sql_type = Nullable<Text>)]
    key: Option<String>,
    #[diesel(sql_type = Nullable<Text>, column_name = "Extra")]
    extra: Option<String>,
}

/// An index answers every query of the large table.
async fn plans_and_lastmods(database: &Database) {
    database.execute("ANALYZE TABLE large");
    let large = source!(
        database,
        large::table,
        large::id,
        Large,
        filter = large::draft.eq(false),
        lastmod = large::at => |at: Option<NaiveDateTime>| at.map(|at| at.and_utc()),
    );
    let span = Span::new(Key::from(30_000), Key::from(40_000));
    database.queries.lock().unwrap().clear();
    assert_eq!(large.rows(&span, 1_000).await.unwrap().len(), 1_000);
    assert_eq!(large.keys(&span, 1_000).await.unwrap().len(), 1_000);
    let queries = std::mem::take(&mut *database.queries.lock().unwrap());
    let queries: Vec<_> = queries
        .iter()
        .filter(|query| query.starts_with("SELECT `large`"))
        .collect();
    assert_eq!(queries.len(), 2, "{queries:?}");
    for query in queries {
        let (sql, binds) = query.split_once(" -- binds: ").unwrap();
        assert_eq!(binds, "[false, 30000, 40000, 1000]", "{query}");
        let mut sql = sql.to_owned();
        for bind in ["false", "30000", "40000", "1000"] {
            sql = sql.replacen('?', bind, 1);
        }
        let explain = diesel::sql_query(format!("EXPLAIN {sql}"));
        let plan: Vec<Plan> = database.run(|connection| explain.load(connection).unwrap());
        let [plan] = plan.as_slice() else {
            panic!("one table")
        };
        assert_eq!(
            (plan.kind.as_str(), plan.key.as_deref()),
            ("range", Some("PRIMARY")),
            "{sql}"
        );
        assert!(
            !plan.extra.as_deref().unwrap_or_default().contains("filesort"),
            "{sql}"
        );
    }
    // Diesel makes every session's zone UTC.
    let newest = newest(&large, &Span::ALL, 10).await;
    assert_eq!(newest, Newest::Is("2026-01-01T00:00:10Z".parse().unwrap()));
}

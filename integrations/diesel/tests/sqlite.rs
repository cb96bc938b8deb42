//! Tables of every kind in SQLite, page by page, without a server.

use std::cell::RefCell;
use std::sync::{Arc, Mutex};

use diesel::connection::{InstrumentationEvent, SimpleConnection};
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text, Timestamp};
use diesel::sqlite::{Sqlite, SqliteConnection};
use sitemap_serde::SitemapEntry;
use sitemap_site::Key;
use sitemap_site::source::{BlockingSource, Newest, Span, WrongKey};
use tempfile::TempDir;

mod schema {
    diesel::table! {
        pages (lang, id) {
            lang -> Text,
            id -> Integer,
            slug -> Text,
            at -> Nullable<Timestamp>,
        }
    }
}
use schema::pages;

#[derive(Debug, Queryable, Selectable, SitemapEntry)]
#[diesel(table_name = pages, check_for_backend(Sqlite))]
#[sitemap(loc = "/{lang}/{slug}")]
struct Page {
    lang: String,
    slug: String,
}

/// A database in a file, and the queries that are made of it.
struct Database {
    _folder: TempDir,
    file: String,
    queries: Arc<Mutex<Vec<String>>>,
}

impl Database {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pages.sqlite").display().to_string();
        SqliteConnection::establish(&file)
            .unwrap()
            .batch_execute(
                "CREATE TABLE pages (lang TEXT NOT NULL, id INTEGER NOT NULL, slug TEXT, at TIMESTAMP, PRIMARY KEY (lang, id)); \
                 INSERT INTO pages VALUES ('en', 1, 'a', '2026-05-01 00:00:00'), ('de', 2, 'b', '2026-05-03 00:00:00'), \
                 ('de', 10, 'c', '2026-05-02 00:00:00'), ('en', 0, 'd', NULL), ('fr', 1, 'e', '2026-05-01 00:00:00')",
            )
            .unwrap();
        Database {
            _folder: folder,
            file,
            queries: Arc::default(),
        }
    }

    fn connect(&self) -> impl Fn() -> ConnectionResult<SqliteConnection> + use<> {
        let (file, queries) = (self.file.clone(), Arc::clone(&self.queries));
        move || {
            let mut connection = SqliteConnection::establish(&file)?;
            let queries = Arc::clone(&queries);
            connection.set_instrumentation(move |event: InstrumentationEvent<'_>| {
                if let InstrumentationEvent::StartQuery { query, .. } = event {
                    queries.lock().unwrap().push(query.to_string());
                }
            });
            Ok(connection)
        }
    }

    fn rows(&self) -> impl BlockingSource<Entry = Page> + use<> {
        sitemap_diesel::rows! {
            lastmod = pages::at => |at: Option<chrono::NaiveDateTime>| at.map(|at| at.and_utc()),
            connect = self.connect(),
            row = Page,
            key = (pages::lang, pages::id),
            table = pages::table
        }
    }

    fn execute(&self, sql: &str) {
        SqliteConnection::establish(&self.file)
            .unwrap()
            .batch_execute(sql)
            .unwrap();
    }
}

fn keys(source: &impl BlockingSource, limit: usize) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut span = Span::ALL;
    loop {
        let page = source.rows(&span, limit).unwrap();
        let Some(last) = page.last().map(|row| row.key().clone()) else {
            return keys;
        };
        assert_eq!(
            source
                .keys(&span, limit)
                .unwrap()
                .unwrap()
                .last()
                .map(|row| row.key.clone()),
            Some(last.clone())
        );
        keys.extend(page.iter().map(|row| row.key().clone()));
        span = span.above(last);
    }
}

#[test]
fn a_key_of_two_columns() {
    let database = Database::new();
    let all = [("de", 2), ("de", 10), ("en", 0), ("en", 1), ("fr", 1)].map(Key::from);
    for limit in 1..7 {
        assert_eq!(keys(&database.rows(), limit), all);
    }
    let page = database
        .rows()
        .rows(&Span::new(all[0].clone(), all[2].clone()), 9)
        .unwrap();
    assert_eq!(
        page.iter().map(|row| row.key().clone()).collect::<Vec<_>>(),
        all[1..3]
    );
    for (key, what) in [
        (Key::from("de"), "one of two"),
        (Key::from((1, 1)), "a number for a text"),
        (Key::from(("de", 1_i64 << 40)), "too large"),
    ] {
        let error = database.rows().rows(&Span::new(key, None), 1).unwrap_err();
        assert!(error.is::<WrongKey>(), "{what}: {error}");
    }
}

/// SQLite's plans for the queries that were made.
#[test]
fn an_index_answers_every_query() {
    let database = Database::new();
    let span = Span::new(Key::from(("de", 5)), Key::from(("fr", 7)));
    database.rows().rows(&span, 3).unwrap();
    database.rows().keys(&span, 3).unwrap().unwrap();
    let queries = database.queries.lock().unwrap().clone();
    let selects: Vec<_> = queries
        .iter()
        .filter(|query| query.starts_with("SELECT"))
        .collect();
    assert_eq!(selects.len(), 2, "{queries:?}");
    for query in selects {
        // The query's text without the bound values.
        let sql = query.split(" -- binds").next().unwrap();
        let plan = RefCell::new(Vec::new());
        #[derive(QueryableByName)]
        struct Plan {
            #[diesel(sql_type = Text)]
            detail: String,
        }
        let mut connection = SqliteConnection::establish(&database.file).unwrap();
        let found = diesel::sql_query(format!("EXPLAIN QUERY PLAN {sql}"))
            .load::<Plan>(&mut connection)
            .unwrap();
        plan.borrow_mut()
            .extend(found.into_iter().map(|plan| plan.detail));
        assert_eq!(
            *plan.borrow(),
            ["SEARCH pages USING INDEX sqlite_autoindex_pages_1 ((lang,id)>(?,?) AND (lang,id)<(?,?))"],
            "{sql}"
        );
    }
}

/// Diesel returns none of a page's rows if one does not load; here only that row is lost.
#[test]
fn a_cell_that_does_not_load_costs_its_row() {
    let database = Database::new();
    database.execute("UPDATE pages SET slug = NULL WHERE lang = 'en' AND id = 0");
    let page = database.rows().rows(&Span::ALL, 9).unwrap();
    let loaded: Vec<_> = page
        .iter()
        .map(|row| row.entry().map(|page| page.slug.as_str()).ok())
        .collect();
    assert_eq!(loaded, [Some("b"), Some("c"), None, Some("a"), Some("e")]);
    assert!(
        page[2]
            .entry()
            .unwrap_err()
            .to_string()
            .contains("Unexpected null"),
        "{:?}",
        page[2]
    );
    assert_eq!(page[2].key(), &Key::from(("en", 0)));
}

#[test]
fn lastmods_are_dates_and_no_texts() {
    let database = Database::new();
    let newest = |span: &Span| {
        let keys = database.rows().keys(span, 9).unwrap().unwrap();
        Newest::of(keys.iter().map(|row| row.lastmod))
    };
    assert_eq!(newest(&Span::ALL), Newest::Unknown);
    let german = Span::new(None, Key::from(("de", 99)));
    assert_eq!(
        newest(&german),
        Newest::Is("2026-05-03T00:00:00Z".parse().unwrap())
    );
    let latest = database.rows().latest(3).unwrap().unwrap();
    let keys = latest.iter().map(|row| row.key.clone());
    assert_eq!(
        keys.take(2).collect::<Vec<_>>(),
        [("de", 2), ("de", 10)].map(Key::from)
    );
    assert_eq!(latest.len(), 3);
    database.execute("UPDATE pages SET at = 'yesterday' WHERE lang = 'de' AND id = 2");
    assert_eq!(
        newest(&german),
        Newest::Unknown,
        "it fails the row, where that is rendered, and not the table of parts"
    );
}

/// A slug whose decoding panics for some texts.
#[derive(Debug, diesel::deserialize::FromSqlRow)]
struct Slug(String);

impl diesel::deserialize::FromSql<Text, Sqlite> for Slug {
    fn from_sql(value: diesel::sqlite::SqliteValue<'_, '_, '_>) -> diesel::deserialize::Result<Self> {
        let slug = <String as diesel::deserialize::FromSql<Text, Sqlite>>::from_sql(value)?;
        assert_ne!(slug, "far", "a slug that is too far");
        if slug == "wrong" {
            return Err("a wrong slug".into());
        }
        Ok(Slug(slug))
    }
}

impl std::fmt::Display for Slug {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Queryable, Selectable, SitemapEntry)]
#[diesel(table_name = pages, check_for_backend(Sqlite))]
#[sitemap(loc = "/{slug}")]
struct Fragile {
    slug: Slug,
}

/// The row is found in the halves of its batch, and after a panic the connection is not used again.
#[test]
fn a_row_whose_decoding_panics_costs_itself() {
    // The error's source has the reason.
    const WRONG: &str = "Error deserializing field 'slug'";
    const FAR: &str = "a panic: assertion `left != right` failed: a slug that is too far\\n  left: \"far\"\\n right: \"far\"";
    let database = Database::new();
    database.execute(
        "DELETE FROM pages; INSERT INTO pages (lang, id, slug) \
         SELECT 'en', value, 'p' || value FROM (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 1000) SELECT * FROM n)",
    );
    let opened = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let connect = {
        let (connect, opened) = (database.connect(), Arc::clone(&opened));
        move || {
            opened.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            connect()
        }
    };
    let source = sitemap_diesel::rows! {
        table = pages::table,
        key = (pages::lang, pages::id),
        row = Fragile,
        connect = connect,
    };
    // The failed rows, the connections that were opened, and the queries.
    let read = |span: &Span| {
        opened.store(0, std::sync::atomic::Ordering::Relaxed);
        database.queries.lock().unwrap().clear();
        let page = source.rows(span, 1_000).map_err(|error| error.to_string())?;
        let keys: Vec<_> = page.iter().map(|row| row.key().clone()).collect();
        assert!(
            keys.iter()
                .zip(&keys[1..])
                .all(|(one, next)| one.values() < next.values())
        );
        let failed = page.iter().filter_map(|row| {
            let error = row.entry().err()?.to_string();
            Some((row.key().to_string(), error))
        });
        let queries = database.queries.lock().unwrap();
        let selects = queries.iter().filter(|query| query.starts_with("SELECT")).count();
        let opened = opened.load(std::sync::atomic::Ordering::Relaxed);
        Ok::<_, String>((page.len(), failed.collect::<Vec<_>>(), opened, selects))
    };
    assert_eq!(read(&Span::ALL), Ok((1_000, vec![], 1, 1)));
    database.execute("UPDATE pages SET slug = 'far' WHERE id = 500");
    // All rows, their keys, twice ten halves, a row that did not fail, and the row again; each half with the row panics.
    let (rows, failed, connections, queries) = read(&Span::ALL).unwrap();
    assert_eq!(
        (rows, failed),
        (1_000, vec![("en,500".to_owned(), FAR.to_owned())])
    );
    assert!(
        connections <= 13 && queries <= 26,
        "{connections} connections, {queries} queries"
    );
    // An error keeps the connection.
    database.execute("UPDATE pages SET slug = 'wrong' WHERE id = 500");
    let (rows, failed, connections, queries) = read(&Span::ALL).unwrap();
    assert_eq!(
        (rows, failed),
        (1_000, vec![("en,500".to_owned(), WRONG.to_owned())])
    );
    assert!(
        connections == 1 && queries <= 26,
        "{connections} connections, {queries} queries"
    );
    // In a range of its own, too, since other rows can be decoded.
    let span = Span::new(Key::from(("en", 499)), Key::from(("en", 500)));
    assert_eq!(read(&span).unwrap().1.len(), 1);
    database.execute("UPDATE pages SET slug = 'wrong' WHERE id > 970");
    let span = Span::new(Key::from(("en", 970)), None);
    assert_eq!(read(&span).unwrap().1.len(), 30);
    // The first rows, or the last ones: others can be decoded.
    for bad in [1..=20, 1..=30, 1..=999, 901..=1_000] {
        database.execute(&format!(
            "UPDATE pages SET slug = CASE WHEN id BETWEEN {} AND {} THEN 'wrong' ELSE 'p' || id END",
            bad.start(),
            bad.end()
        ));
        let (rows, failed, ..) = read(&Span::ALL).unwrap();
        let wrong = bad.map(|id| (format!("en,{id}"), WRONG.to_owned()));
        assert_eq!((rows, failed), (1_000, wrong.collect()));
    }
    // If no row can be decoded, the columns are wrong, not the rows.
    database.execute("UPDATE pages SET slug = 'wrong'");
    for span in [Span::ALL, span] {
        assert_eq!(read(&span).unwrap_err(), WRONG);
        let queries = database.queries.lock().unwrap();
        assert!(queries.len() < 150, "{} queries", queries.len());
    }
}

diesel::define_sql_function! {
    /// The first of both that is not null.
    fn coalesce(one: Nullable<Timestamp>, other: Nullable<Timestamp>) -> Nullable<Timestamp>;
}

#[test]
fn an_expression_as_lastmod() {
    let database = Database::new();
    let source = sitemap_diesel::rows! {
        table = pages::table,
        key = (pages::lang, pages::id),
        row = Page,
        connect = database.connect(),
        lastmod = coalesce(pages::at, chrono::DateTime::UNIX_EPOCH.naive_utc()) => |at: Option<chrono::NaiveDateTime>| at.map(|at| at.and_utc()),
    };
    let keys = source.keys(&Span::ALL, 9).unwrap().unwrap();
    let lastmods = keys.iter().map(|row| row.lastmod.lastmod().unwrap().to_string());
    let lastmods: Vec<_> = lastmods.collect();
    assert_eq!(
        lastmods[..3],
        [
            "2026-05-03T00:00:00Z",
            "2026-05-02T00:00:00Z",
            "1970-01-01T00:00:00Z"
        ]
    );
    assert_eq!(
        source.latest(9).unwrap().unwrap().last().unwrap().key,
        Key::from(("en", 0))
    );
}

#[derive(Debug, Queryable, Selectable, SitemapEntry)]
#[diesel(table_name = pages, check_for_backend(Sqlite))]
#[sitemap(loc = "/{slug}")]
struct Dated {
    slug: String,
    #[sitemap(lastmod, zone = "UTC")]
    at: Option<chrono::NaiveDateTime>,
}

/// A lastmod that the type names is an argument, or said to be none; and conditions add up.
#[test]
fn what_the_type_declares() {
    let database = Database::new();
    database.execute("DELETE FROM pages; INSERT INTO pages VALUES ('de', 1, 'a', '2026-05-01 00:00:00'), ('de', 2, 'b', NULL), ('en', 2, 'c', NULL)");
    let forgotten = sitemap_diesel::rows! {
        table = pages::table,
        key = (pages::lang, pages::id),
        row = Dated,
        connect = database.connect(),
    };
    assert_eq!(
        forgotten.keys(&Span::ALL, 9).unwrap().unwrap_err().to_string(),
        "`sqlite::Dated` has its lastmod in a column (at), and the arguments of `rows!` do not: write `lastmod = … => |at| at` with the column, \
         or `lastmod = none` for an index without lastmods"
    );
    assert!(forgotten.rows(&Span::ALL, 9).is_err());
    let filtered = sitemap_diesel::rows! {
        table = pages::table,
        key = (pages::lang, pages::id),
        row = Dated,
        connect = database.connect(),
        filter = pages::id.eq(2),
        lastmod = none,
        filter = pages::lang.eq("de"),
    };
    let keys = filtered.keys(&Span::ALL, 9).unwrap().unwrap();
    assert_eq!(keys.len(), 1);
    assert!(filtered.latest(9).unwrap().is_none());
}

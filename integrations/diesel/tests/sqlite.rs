//! Tables of every kind in SQLite, page by page, without a server.

use std::cell::RefCell;
use std::sync::{Arc, Mutex};

use diesel::connection::{InstrumentationEvent, SimpleConnection};
use diesel::prelude::*;
use diesel::sql_types::Text;
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
        let page = source.page(&span, limit).unwrap();
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
        .page(&Span::new(all[0].clone(), all[2].clone()), 9)
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
        let error = database.rows().page(&Span::new(key, None), 1).unwrap_err();
        assert!(error.is::<WrongKey>(), "{what}: {error}");
    }
}

/// What SQLite makes of the queries that were made.
#[test]
fn an_index_answers_every_query() {
    let database = Database::new();
    let span = Span::new(Key::from(("de", 5)), Key::from(("fr", 7)));
    database.rows().page(&span, 3).unwrap();
    database.rows().keys(&span, 3).unwrap().unwrap();
    let queries = database.queries.lock().unwrap().clone();
    let selects: Vec<_> = queries
        .iter()
        .filter(|query| query.starts_with("SELECT"))
        .collect();
    assert_eq!(selects.len(), 2, "{queries:?}");
    for query in selects {
        // Without the values that follow it.
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

/// Diesel gives none of a page's rows where one does not load; here it costs the one.
#[test]
fn a_cell_that_does_not_load_costs_its_row() {
    let database = Database::new();
    database.execute("UPDATE pages SET slug = NULL WHERE lang = 'en' AND id = 0");
    let page = database.rows().page(&Span::ALL, 9).unwrap();
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
        keys.iter()
            .fold(Newest::Nothing, |newest, row| newest.and(row.lastmod))
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

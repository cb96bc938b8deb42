//! SQLite, through the wrapper that has its queries run on another thread.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use diesel::sqlite::{Sqlite, SqliteConnection};
use diesel_async::sync_connection_wrapper::SyncConnectionWrapper;
use diesel_async::{AsyncConnection, SimpleAsyncConnection};
use sitemap_serde::SitemapEntry;
use sitemap_serving_tests::{newest, walk};
use sitemap_site::source::{Newest, Source, Span, Unavailable, WrongKey};
use sitemap_site::{Key, source::BoxError};

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

type Connection = SyncConnectionWrapper<SqliteConnection>;

fn rows(file: &str) -> impl Source<Entry = Page> + use<> {
    let file = file.to_owned();
    sitemap_diesel_async::rows! {
        key = (pages::lang, pages::id,),
        lastmod = pages::at => |at: Option<NaiveDateTime>| at.map(|at| at.and_utc()),
        table = pages::table,
        connect = move || {
            let file = file.clone();
            async move { Connection::establish(&file).await }
        },
        row = Page,
    }
}

async fn execute(file: &str, sql: &str) -> Result<(), BoxError> {
    Ok(Connection::establish(file).await?.batch_execute(sql).await?)
}

#[tokio::test]
async fn a_key_of_two_columns_and_a_cell_that_does_not_load() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pages.sqlite").display().to_string();
    execute(
        &file,
        "CREATE TABLE pages (lang TEXT NOT NULL, id INTEGER NOT NULL, slug TEXT, at TIMESTAMP, PRIMARY KEY (lang, id)); \
         INSERT INTO pages VALUES ('en', 1, 'a', '2026-05-01 00:00:00'), ('de', 2, 'b', '2026-05-03 00:00:00'), \
         ('de', 10, 'c', '2026-05-02 00:00:00'), ('en', 0, 'd', NULL), ('fr', 1, 'e', '2026-05-01 00:00:00')",
    )
    .await
    .unwrap();
    let all = [("de", 2), ("de", 10), ("en", 0), ("en", 1), ("fr", 1)].map(Key::from);
    for limit in 1..7 {
        assert_eq!(walk(&rows(&file), limit).await, all);
    }
    let german = Span::new(None, Key::from(("de", 99)));
    let time = newest(&rows(&file), &german, 9).await;
    assert_eq!(time, Newest::Is("2026-05-03T00:00:00Z".parse().unwrap()));
    let latest = rows(&file).latest(9).await.unwrap().unwrap();
    let keys = latest.iter().map(|row| row.key.clone());
    assert_eq!(
        keys.take(2).collect::<Vec<_>>(),
        [("de", 2), ("de", 10)].map(Key::from)
    );
    assert_eq!(latest.len(), 4);

    execute(&file, "UPDATE pages SET slug = NULL WHERE lang = 'en' AND id = 0")
        .await
        .unwrap();
    let page = rows(&file).rows(&Span::ALL, 9).await.unwrap();
    let slugs: Vec<_> = page
        .iter()
        .map(|row| row.entry().map(|page| page.slug.as_str()).ok())
        .collect();
    assert_eq!(slugs, [Some("b"), Some("c"), None, Some("a"), Some("e")]);

    let made_up = Span::new(Key::from((1, 1)), None);
    assert!(rows(&file).rows(&made_up, 1).await.unwrap_err().is::<WrongKey>());
    // Nobody gets a connection to a file in a folder that has gone.
    let gone = rows("/nowhere/pages.sqlite")
        .rows(&Span::ALL, 1)
        .await
        .unwrap_err();
    assert!(gone.is::<Unavailable>(), "{gone}");
}

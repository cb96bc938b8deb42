//! SQLite, in memory.

use sitemap_serde::SitemapEntry;
use sitemap_serde::convert::sql_date_time;
use sitemap_serving_tests::{newest, walk};
use sitemap_site::source::{Newest, Span, Unavailable, WrongKey};
use sitemap_site::{Key, Source};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::types::chrono::{DateTime, NaiveDateTime, Utc};

use crate::Page;

async fn memory(sql: &'static str) -> SqlitePool {
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .connect("sqlite::memory:")
        .await
        .unwrap();
    sqlx::raw_sql(sql).execute(&pool).await.unwrap();
    pool
}

#[tokio::test]
async fn keys_of_every_kind() {
    let integers = memory("CREATE TABLE t (id INTEGER PRIMARY KEY, slug); INSERT INTO t VALUES (-5, 'a'), (0, 'b'), (9223372036854775807, 'c')").await;
    let source = sitemap_sqlx::table::<Page, _>(integers, "t");
    assert_eq!(walk(&source, 2).await, [-5, 0, i64::MAX].map(Key::from));

    let texts = memory(
        "CREATE TABLE t (slug TEXT PRIMARY KEY NOT NULL); INSERT INTO t VALUES ('b'), ('a/b'), ('7'), ('é')",
    )
    .await;
    let source = sitemap_sqlx::table::<Page, _>(texts, "main.t");
    assert_eq!(walk(&source, 2).await, ["7", "a/b", "b", "é"].map(Key::from));

    // In the order of the column's collation.
    let nocase = memory("CREATE TABLE t (slug TEXT PRIMARY KEY NOT NULL COLLATE NOCASE); INSERT INTO t VALUES ('b'), ('A'), ('C')").await;
    let source = sitemap_sqlx::table::<Page, _>(nocase, "t");
    assert_eq!(walk(&source, 2).await, ["A", "b", "C"].map(Key::from));

    let blobs = memory("CREATE TABLE t (id BLOB PRIMARY KEY NOT NULL, slug); INSERT INTO t VALUES (x'ff00', 'a'), (x'', 'b')").await;
    let source = sitemap_sqlx::table::<Page, _>(blobs, "t");
    assert_eq!(
        walk(&source, 2).await,
        [Key::from(vec![]), Key::from(vec![255, 0])]
    );

    let composite = memory(
        "CREATE TABLE \"my rows\" (\"la\"\"ng\" TEXT NOT NULL, id INTEGER NOT NULL, slug, PRIMARY KEY (\"la\"\"ng\", id)); \
         INSERT INTO \"my rows\" VALUES ('en', 1, 'a'), ('de', 2, 'b'), ('de', 10, 'c'), ('en', 0, 'd'), ('fr', 1, 'e')",
    )
    .await;
    let source = sitemap_sqlx::table::<Page, _>(composite, "\"my rows\"");
    assert_eq!(
        walk(&source, 2).await,
        [("de", 2), ("de", 10), ("en", 0), ("en", 1), ("fr", 1)].map(Key::from)
    );
}

#[tokio::test]
async fn a_query_with_a_filter() {
    let pool = memory(
        "CREATE TABLE p (id INTEGER PRIMARY KEY, deleted INTEGER); CREATE TABLE s (product INTEGER, slug TEXT); \
         INSERT INTO p VALUES (1, 0), (2, 1), (3, 0); INSERT INTO s VALUES (1, 'a'), (2, 'b'), (3, 'c')",
    )
    .await;
    let query = "SELECT p.id, s.slug, p.deleted FROM p JOIN s ON s.product = p.id";
    let source = sitemap_sqlx::query::<Page, _>(pool.clone(), query)
        .key(["id"])
        .filter("deleted = 0");
    assert_eq!(walk(&source, 2).await, [1, 3].map(Key::from));
    let keyless = sitemap_sqlx::query::<Page, _>(pool.clone(), query);
    assert_eq!(
        keyless.rows(&Span::ALL, 1).await.unwrap_err().to_string(),
        "a query has no primary key: name columns that are unique and not null with `key`"
    );
    let missing = sitemap_sqlx::table::<Page, _>(pool.clone(), "missing");
    assert_eq!(
        missing.rows(&Span::ALL, 1).await.unwrap_err().to_string(),
        "error returned from database: (code: 1) no such table: missing"
    );
    let keyless = sitemap_sqlx::table::<Page, _>(pool, "s");
    assert_eq!(
        keyless.rows(&Span::ALL, 1).await.unwrap_err().to_string(),
        "`s` has no primary key: name columns that are unique and not null with `key`"
    );
}

/// A bound value stays a value, with any content; a wrong number of values is an error before the ends of a range could take their
/// places.
#[tokio::test]
async fn values_of_a_filter() {
    let pool = memory(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, slug TEXT, shop TEXT, price INTEGER); \
         INSERT INTO t VALUES (1, 'a', 'it''s', 5), (2, 'b', 'it''s', 1), (3, 'c', 'x', 5), (4, 'd', 'it''s', 9)",
    )
    .await;
    let all = || sitemap_sqlx::table::<Page, _>(pool.clone(), "t");
    for filter in [
        "shop = $1 AND price > $2",
        "price > $2 AND $1 = shop",
        "shop = ? AND price > ?",
    ] {
        let source = all().filter(filter).bind("it's".to_owned()).bind(2);
        for limit in [1, 2, 9] {
            assert_eq!(walk(&source, limit).await, [1, 4].map(Key::from), "{filter}");
        }
        let span = Span::new(Key::from(1), Key::from(3));
        assert_eq!(source.rows(&span, 9).await.unwrap().len(), 0, "{filter}");
    }
    let dated = all()
        .lastmod::<String>("slug")
        .filter("shop = $1 AND price > $2")
        .bind("it's")
        .bind(2);
    assert_eq!(dated.latest(9).await.unwrap().unwrap().len(), 2);
    // The same value twice, and text that resembles a placeholder.
    let twice = all()
        .filter("shop = $1 OR slug = $1 OR slug = '$2 ?' OR \"shop\" = 'it''s?'")
        .bind("x");
    assert_eq!(walk(&twice, 9).await, [3].map(Key::from));
    // A second filter adds to the first, and continues the numbering of its placeholders.
    let again = all()
        .filter("price > $1")
        .bind(1)
        .filter("shop = $2")
        .bind("it's");
    assert_eq!(walk(&again, 9).await, [1, 4].map(Key::from));
    for (source, placeholders, values) in [
        (all().filter("shop = $1"), 1, 0),
        (all().filter("shop = $1").bind("x").bind(1), 1, 2),
        (all().filter("shop = ? AND price > ?").bind("x"), 2, 1),
        (all().bind(1), 0, 1),
    ] {
        let filter = if placeholders == 2 {
            "shop = ? AND price > ?"
        } else {
            "shop = $1"
        };
        let filter = if placeholders == 0 { "" } else { filter };
        assert_eq!(
            source.rows(&Span::ALL, 9).await.unwrap_err().to_string(),
            format!(
                "the filter `{filter}` has {placeholders} placeholders such as `$1`, and {values} values: call `bind` after `filter` for each \
                 placeholder"
            )
        );
    }
}

#[tokio::test]
async fn a_cell_that_does_not_load_costs_its_row() {
    let pool = memory("CREATE TABLE t (id INTEGER PRIMARY KEY, slug TEXT); INSERT INTO t VALUES (1, 'a'), (2, CAST(x'80' AS TEXT)), (3, 'c')").await;
    let source = sitemap_sqlx::table::<Page, _>(pool, "t");
    let page = source.rows(&Span::ALL, 10).await.unwrap();
    let loaded: Vec<_> = page
        .iter()
        .map(|row| row.entry().map(|page| page.slug.as_str()).ok())
        .collect();
    assert_eq!(loaded, [Some("a"), None, Some("c")]);
    assert_eq!(
        page[1].entry().unwrap_err().to_string(),
        "error occurred while decoding column \"slug\": invalid utf-8 sequence of 1 bytes from index 0"
    );
}

#[tokio::test]
async fn keys_that_are_null_or_not_unique_are_refused() {
    // In SQLite, a primary key that is not an integer may be null.
    let pool = memory("CREATE TABLE t (slug TEXT PRIMARY KEY, n INTEGER, gone INTEGER); INSERT INTO t VALUES ('a', 1, 0), (NULL, 1, 1), ('c', 2, 0)").await;
    let source = || sitemap_sqlx::table::<Page, _>(pool.clone(), "t");
    assert_eq!(
        source().rows(&Span::ALL, 1).await.unwrap_err().to_string(),
        "the key (slug) is null in a row, and such a row does not belong to any range of keys: leave these rows out with `filter`, or name other \
         columns with `key`"
    );
    assert_eq!(
        walk(&source().filter("gone = 0"), 2).await,
        ["a", "c"].map(Key::from)
    );
    assert_eq!(
        source()
            .key(["n"])
            .keys(&Span::ALL, 10)
            .await
            .unwrap_err()
            .to_string(),
        "two rows have the key 1: the columns of a key must be unique together; name others with `key`"
    );
}

/// A key that was null for a while.
#[tokio::test]
async fn a_null_in_a_key_is_looked_for_again() {
    let pool =
        memory("CREATE TABLE t (slug TEXT PRIMARY KEY); INSERT INTO t VALUES ('a'), (NULL), ('c')").await;
    let source = sitemap_sqlx::table::<Page, _>(pool.clone(), "t");
    assert_eq!(
        source.keys(&Span::ALL, 10).await.unwrap_err().to_string(),
        "the key (slug) is null in a row, and such a row does not belong to any range of keys: leave these rows out with `filter`, or name other \
         columns with `key`"
    );
    sqlx::raw_sql("UPDATE t SET slug = 'b' WHERE slug IS NULL")
        .execute(&pool)
        .await
        .unwrap();
    // The columns are described again after a second.
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    assert_eq!(walk(&source, 2).await, ["a", "b", "c"].map(Key::from));
}

#[tokio::test]
async fn what_somebody_made_up_is_no_range() {
    let pool = memory("CREATE TABLE t (id INTEGER PRIMARY KEY, slug); INSERT INTO t VALUES (1, 'a')").await;
    let source = sitemap_sqlx::table::<Page, _>(pool, "t");
    let two = Span::new(Key::from((1, 2)), None);
    assert!(source.rows(&two, 1).await.unwrap_err().is::<WrongKey>());
    // In SQLite any text is above any number.
    let text = Span::new(Key::from("' OR 1=1 --"), None);
    assert_eq!(source.rows(&text, 1).await.unwrap().len(), 0);
}

#[tokio::test]
async fn lastmods_are_those_of_the_rows_type() {
    let pool = memory(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, slug, at TEXT); \
         INSERT INTO t VALUES (1, 'a', '2026-05-01 23:00:00'), (2, 'b', '2026-05-02T01:00:00+09:00'), (3, 'c', NULL)",
    )
    .await;
    let source = || sitemap_sqlx::table::<Page, _>(pool.clone(), "t").lastmod::<DateTime<Utc>>("at");
    let first = async |source: sitemap_sqlx::Rows<Page, sqlx::Sqlite>, limit| {
        newest(&source, &Span::ALL, limit).await
    };
    // The newest rows; rows without a date are excluded.
    let latest = source().latest(9).await.unwrap().unwrap();
    assert!(latest.iter().map(|row| &row.key).eq(&[2, 1].map(Key::from)));
    // Compared as text, the second is newer. Compared as times, the first is.
    assert_eq!(
        first(source(), 2).await,
        Newest::Is("2026-05-01T23:00:00Z".parse().unwrap())
    );
    assert_eq!(first(source(), 3).await, Newest::Unknown);
    assert_eq!(
        first(sitemap_sqlx::table(pool.clone(), "t"), 2).await,
        Newest::Unknown
    );
    let tokyo = sitemap_sqlx::table(pool.clone(), "t")
        .filter("id = 1")
        .lastmod_with("at", |at: NaiveDateTime| {
            at.and_local_timezone(chrono::FixedOffset::east_opt(9 * 3600).unwrap())
                .unwrap()
        });
    assert_eq!(
        first(tokyo, 3).await,
        Newest::Is("2026-05-01T23:00:00+09:00".parse().unwrap())
    );
}

/// Texts in the column of dates cost the lastmod of their part, not their rows; in another form than W3C Datetime they are converted.
#[tokio::test]
async fn a_column_of_texts_as_lastmod() {
    let pool = memory(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, slug, at TEXT); \
         INSERT INTO t VALUES (1, 'a', '2026-05-01 10:00:00'), (2, 'b', '2026-05-02 10:00:00')",
    )
    .await;
    let all = || sitemap_sqlx::table::<Page, _>(pool.clone(), "t");
    let as_w3c = all().lastmod::<String>("at");
    assert_eq!(newest(&as_w3c, &Span::ALL, 9).await, Newest::Unknown);
    assert_eq!(as_w3c.rows(&Span::ALL, 9).await.unwrap().len(), 2);
    let converted = all().lastmod_with("at", |at: String| sql_date_time::write(&at));
    assert_eq!(
        newest(&converted, &Span::ALL, 9).await,
        Newest::Is("2026-05-02T10:00:00Z".parse().unwrap())
    );
}

#[tokio::test]
async fn a_database_that_is_locked_or_gone_is_expected_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.sqlite");
    let options = SqliteConnectOptions::new()
        .filename(&file)
        .create_if_missing(true)
        .busy_timeout(std::time::Duration::ZERO);
    let pool = SqlitePoolOptions::new()
        .connect_with(options.clone())
        .await
        .unwrap();
    sqlx::raw_sql("CREATE TABLE t (id INTEGER PRIMARY KEY, slug); INSERT INTO t VALUES (1, 'a')")
        .execute(&pool)
        .await
        .unwrap();
    let source = sitemap_sqlx::table::<Page, _>(pool.clone(), "t");
    let mut other = pool.acquire().await.unwrap();
    sqlx::raw_sql("BEGIN EXCLUSIVE")
        .execute(&mut *other)
        .await
        .unwrap();
    let error = source.rows(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
    sqlx::raw_sql("COMMIT").execute(&mut *other).await.unwrap();
    assert_eq!(source.rows(&Span::ALL, 1).await.unwrap().len(), 1);
    drop(other);
    pool.close().await;
    let error = source.rows(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");

    // A permanent error is not marked as transient.
    let pool = SqlitePool::connect_with(options).await.unwrap();
    let error = sitemap_sqlx::table::<Page, _>(pool, "t")
        .key(["nothing"])
        .rows(&Span::ALL, 1)
        .await
        .unwrap_err();
    assert!(!error.is::<Unavailable>(), "{error}");
}

/// SQLite's plans for the queries of a table with a key of two columns.
#[tokio::test]
async fn an_index_answers_every_query() {
    let pool = memory("CREATE TABLE t (a TEXT NOT NULL, b INTEGER NOT NULL, slug TEXT, at TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID; CREATE TABLE u (id INTEGER PRIMARY KEY, slug)").await;
    let two = sitemap_sqlx::table::<Page, _>(pool.clone(), "t")
        .lastmod::<DateTime<Utc>>("at")
        .filter("slug <> ''");
    let one = sitemap_sqlx::table::<Page, _>(pool.clone(), "u");
    let plan = async |source: &sitemap_sqlx::Rows<Page, sqlx::Sqlite>, span: Span| {
        source.explain(&span).await.unwrap()
    };
    let of_two = vec!["SEARCH t USING PRIMARY KEY ((a,b)>(?,?) AND (a,b)<(?,?))".to_owned()];
    let span = Span::new(Key::from(("a", 1)), Key::from(("b", 2)));
    assert_eq!(plan(&two, span).await, [of_two.clone(), of_two]);
    let of_one = vec!["SEARCH u USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)".to_owned()];
    assert_eq!(
        plan(&one, Span::new(Key::from(1), Key::from(2))).await,
        [of_one.clone(), of_one]
    );
    let open = vec!["SEARCH u USING INTEGER PRIMARY KEY (rowid>?)".to_owned()];
    assert_eq!(
        plan(&one, Span::new(Key::from(1), None)).await,
        [open.clone(), open]
    );
}

#[derive(sqlx::FromRow, SitemapEntry)]
#[sqlx(rename_all = "camelCase")]
#[sitemap(loc = "/{slug}")]
struct Declared {
    slug: String,
    #[sitemap(lastmod, zone = "+09:00")]
    updated_at: Option<NaiveDateTime>,
    #[sitemap(exclude_if)]
    is_draft: bool,
    #[sqlx(rename = "in stock")]
    #[sitemap(include_if)]
    stock: bool,
}

const DECLARED: &str = "CREATE TABLE t (id INTEGER PRIMARY KEY, slug TEXT, updatedAt TEXT, isDraft INTEGER, \"in stock\" INTEGER); \
    INSERT INTO t VALUES (1, 'a', '2024-05-06 07:08:09', 0, 1), (2, 'b', '2025-01-01 00:00:00', 1, 1), (3, 'c', NULL, 0, 1), \
    (4, 'd', '2024-06-01 00:00:00.5', 0, 1), (5, 'e', '2026-01-01 00:00:00', 0, 0), (6, 'soon', '2024-01-01 00:00:00', 0, 1)";

/// The declarations in the attributes apply to the queries, by the columns' names, and `filter` adds to them.
#[tokio::test]
async fn what_the_type_declares() {
    let pool = memory(DECLARED).await;
    let all = || sitemap_sqlx::table::<Declared, _>(pool.clone(), "t");
    assert_eq!(walk(&all(), 2).await, [1, 3, 4, 6].map(Key::from));
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
    let filtered = all().filter("slug <> 'soon'").filter("id > $1").bind(1);
    assert_eq!(walk(&filtered, 2).await, [3, 4].map(Key::from));
    let undated = all().without_lastmod();
    assert!(undated.latest(2).await.unwrap().is_none());
    assert!(
        undated
            .keys(&Span::ALL, 9)
            .await
            .unwrap()
            .iter()
            .all(|row| row.lastmod == Newest::Unknown)
    );
}

/// The newest of several columns, like the type's own lastmod; a value that no query can convert is rejected at once.
#[tokio::test]
async fn newest_and_converted_lastmods() {
    #[derive(sqlx::FromRow, SitemapEntry)]
    #[sitemap(loc = "/{slug}", lastmod = newest(created, changed, reviewed))]
    struct Page {
        slug: String,
        created: DateTime<Utc>,
        changed: Option<DateTime<Utc>>,
        reviewed: Option<DateTime<Utc>>,
    }

    #[derive(sqlx::FromRow, SitemapEntry)]
    #[sitemap(loc = "/{slug}")]
    struct Converted {
        slug: String,
        #[sitemap(lastmod, with = sitemap_serde::convert::unix_seconds)]
        created: i64,
    }

    let pool = memory(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, slug TEXT, created TEXT, changed TEXT, reviewed TEXT); \
         INSERT INTO t VALUES (1, 'a', '2024-01-01T00:00:00+00:00', NULL, '2024-03-01T00:00:00+00:00'), \
         (2, 'b', '2024-02-01T00:00:00+00:00', NULL, NULL), (3, 'c', '2024-01-01T00:00:00+00:00', '2024-05-01T00:00:00+00:00', NULL)",
    )
    .await;
    let pages = sitemap_sqlx::table::<Page, _>(pool.clone(), "t");
    let found = pages.latest(3).await.unwrap().unwrap();
    let found: Vec<_> = found.into_iter().map(|row| (row.key, row.lastmod)).collect();
    assert_eq!(
        found,
        [
            (
                Key::from(3),
                Newest::Is("2024-05-01T00:00:00+00:00".parse().unwrap())
            ),
            (
                Key::from(1),
                Newest::Is("2024-03-01T00:00:00+00:00".parse().unwrap())
            ),
            (
                Key::from(2),
                Newest::Is("2024-02-01T00:00:00+00:00".parse().unwrap())
            ),
        ]
    );
    let converted = || sitemap_sqlx::table::<Converted, _>(pool.clone(), "t");
    let error = converted().keys(&Span::ALL, 9).await.unwrap_err().to_string();
    assert!(
        error.starts_with("a function of `databases::sqlite::newest_and_converted_lastmods") && error.ends_with(
            "Converted` converts its lastmod, which a query cannot call: name the column (created) with `lastmod_with`, or leave the index \
             without lastmods with `without_lastmod`"
        ),
        "{error}"
    );
    assert_eq!(
        converted()
            .without_lastmod()
            .keys(&Span::ALL, 9)
            .await
            .unwrap()
            .len(),
        3
    );
}

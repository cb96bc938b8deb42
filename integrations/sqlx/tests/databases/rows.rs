//! Rows that cannot be decoded, and columns that are not read.

use sitemap_serde::{SitemapEntry, W3cDateTime};
use sitemap_site::Key;
use sitemap_site::source::{DatedKey, Row, Source, Span};
use sqlx::sqlite::{SqlitePoolOptions, SqliteRow};
use sqlx::{FromRow, SqlitePool};

use crate::Page;

async fn memory(sql: &'static str) -> SqlitePool {
    let pool = SqlitePoolOptions::new().max_connections(1);
    let pool = pool.connect("sqlite::memory:").await.unwrap();
    sqlx::raw_sql(sql).execute(&pool).await.unwrap();
    pool
}

/// The result for each row of a batch.
fn told<T>(rows: &[Row<T>], slug: fn(&T) -> &str) -> Vec<Result<String, String>> {
    let told = rows.iter().map(|row| match row.entry() {
        Ok(entry) => Ok(slug(entry).to_owned()),
        Err(error) => Err(format!("{}: {error}", row.key())),
    });
    told.collect()
}

/// A page whose decoding panics for some texts.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Fragile {
    slug: String,
}

impl<'r> FromRow<'r, SqliteRow> for Fragile {
    fn from_row(row: &'r SqliteRow) -> Result<Self, sqlx::Error> {
        let slug: String = sqlx::Row::try_get(row, "slug")?;
        assert_ne!(slug, "far", "a slug that is too far");
        Ok(Fragile { slug })
    }
}

#[tokio::test]
async fn a_row_whose_decoding_panics_is_skipped() {
    let pool = memory("CREATE TABLE t (id INTEGER PRIMARY KEY, slug TEXT, at TEXT); INSERT INTO t VALUES (1, 'a', '2026-05-01'), (2, 'far', '2026-05-02'), (3, 'c', '2026-05-03')").await;
    let source = sitemap_sqlx::table::<Fragile, _>(pool.clone(), "t");
    let page = source.rows(&Span::ALL, 9).await.unwrap();
    let far = "2: a panic: assertion `left != right` failed: a slug that is too far\\n  left: \"far\"\\n right: \"far\"";
    assert_eq!(
        told(&page, |page| &page.slug),
        [Ok("a".to_owned()), Err(far.to_owned()), Ok("c".to_owned())]
    );
    // In a batch of its own, too.
    let second = Span::new(Key::from(1), Key::from(2));
    let page = source.rows(&second, 9).await.unwrap();
    assert_eq!(told(&page, |page| &page.slug), [Err(far.to_owned())]);
    // A lastmod is unknown then.
    let dated = sitemap_sqlx::table::<Page, _>(pool, "t").lastmod_with("at", |at: String| {
        assert_ne!(at, "2026-05-02");
        at.parse::<W3cDateTime>()
    });
    let keys = dated.keys(&Span::ALL, 9).await.unwrap();
    let day = |day: &str| Some(day.parse().unwrap());
    assert_eq!(
        keys,
        [
            DatedKey::new(1.into(), day("2026-05-01")),
            DatedKey::new(2.into(), None),
            DatedKey::new(3.into(), day("2026-05-03")),
        ]
    );
    assert_eq!(dated.latest(9).await.unwrap().unwrap().len(), 3);
}

/// If no row can be decoded, the columns are wrong, not the rows.
#[tokio::test]
async fn columns_that_do_not_fit_fail_the_batch() {
    let pool = memory("CREATE TABLE t (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')").await;
    let source = sitemap_sqlx::table::<Page, _>(pool.clone(), "t");
    for span in [Span::ALL, Span::new(Key::from(2), None)] {
        assert_eq!(
            source.rows(&span, 9).await.unwrap_err().to_string(),
            "no column found for name: slug"
        );
    }
    // A new column is read, even if it was unknown before.
    sqlx::raw_sql("ALTER TABLE t RENAME COLUMN title TO slug")
        .execute(&pool)
        .await
        .unwrap();
    let page = source.rows(&Span::ALL, 9).await.unwrap();
    assert_eq!(
        told(&page, |page| &page.slug),
        ["a", "b", "c"].map(|slug| Ok(slug.to_owned()))
    );
}

/// Whole batches that cannot be decoded, before or after rows that can.
#[tokio::test]
async fn many_rows_that_cannot_be_decoded_are_skipped() {
    let pool = memory("CREATE TABLE t (id INTEGER PRIMARY KEY, slug TEXT); INSERT INTO t SELECT value, NULL FROM (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 200) SELECT * FROM n)").await;
    for good in [1, 200] {
        let row = format!("UPDATE t SET slug = CASE WHEN id = {good} THEN 'a' ELSE CAST(x'80' AS TEXT) END");
        sqlx::raw_sql(sqlx::AssertSqlSafe(row))
            .execute(&pool)
            .await
            .unwrap();
        let source = sitemap_sqlx::table::<Page, _>(pool.clone(), "t");
        let mut decoded = 0;
        for after in [0, 100] {
            let page = source
                .rows(&Span::new(Key::from(after), None), 100)
                .await
                .unwrap();
            assert_eq!(page.len(), 100);
            decoded += page.iter().filter(|row| row.entry().is_ok()).count();
        }
        assert_eq!(decoded, 1);
    }
}

/// Columns that a type does not have need not be read.
#[tokio::test]
async fn columns_that_are_read() {
    let pool = memory("CREATE TABLE t (id INTEGER PRIMARY KEY, slug TEXT, at TEXT); INSERT INTO t VALUES (1, 'a', '2026-05-01'); CREATE VIEW v AS SELECT id, slug, at, json_extract('{', '$') AS costly FROM t").await;
    let all = || sitemap_sqlx::table::<Page, _>(pool.clone(), "v").key(["id"]);
    assert_eq!(
        all().rows(&Span::ALL, 9).await.unwrap_err().to_string(),
        "error returned from database: (code: 1) malformed JSON"
    );
    let some = all().columns(["slug"]).lastmod::<String>("at");
    assert_eq!(some.rows(&Span::ALL, 9).await.unwrap().len(), 1);
    let keys = some.keys(&Span::ALL, 9).await.unwrap();
    assert_eq!(
        keys,
        [DatedKey::new(1.into(), Some("2026-05-01".parse().unwrap()))]
    );
    assert_eq!(
        all()
            .columns(["slog"])
            .rows(&Span::ALL, 9)
            .await
            .unwrap_err()
            .to_string(),
        "error returned from database: (code: 1) no such column: sitemap_rows.slog"
    );
}

/// Each database reads the first of two columns that is not null.
#[tokio::test]
async fn an_expression_as_lastmod() {
    let pool = memory("CREATE TABLE t (id INTEGER PRIMARY KEY, slug TEXT, made TEXT, changed TEXT); INSERT INTO t VALUES (1, 'a', '2026-05-01', NULL), (2, 'b', '2026-05-02', '2026-05-09'), (3, 'c', NULL, NULL)").await;
    let source = sitemap_sqlx::table::<Page, _>(pool, "t")
        .lastmod_sql("COALESCE(changed, made)", |at: String| at.parse::<W3cDateTime>());
    let dated = |id: i64, day: &str| DatedKey::new(id.into(), day.parse().ok());
    let keys = source.keys(&Span::ALL, 9).await.unwrap();
    assert_eq!(
        keys,
        [dated(1, "2026-05-01"), dated(2, "2026-05-09"), dated(3, "")]
    );
    let latest = source.latest(9).await.unwrap().unwrap();
    assert_eq!(latest, [dated(2, "2026-05-09"), dated(1, "2026-05-01")]);
}

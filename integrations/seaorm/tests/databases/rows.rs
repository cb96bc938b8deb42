//! Rows that do not fit their model, and errors that pass.

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbErr, FromQueryResult, QueryResult,
};
use sitemap_seaorm::{entity, entity_as};
use sitemap_serde::SitemapEntry;
use sitemap_site::Key;
use sitemap_site::source::{Row, Source, Span};

mod page {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "failing")]
    #[sitemap(loc = "/{slug}")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub slug: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// A page whose decoding panics for some texts.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Fragile {
    slug: String,
}

impl FromQueryResult for Fragile {
    fn from_query_result(row: &QueryResult, _: &str) -> Result<Self, DbErr> {
        let slug: String = row.try_get("", "slug")?;
        assert_ne!(slug, "far", "a slug that is too far");
        Ok(Fragile { slug })
    }
}

async fn memory(sql: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new("sqlite::memory:");
    options.max_connections(1);
    let db = Database::connect(options).await.unwrap();
    db.execute_unprepared(sql).await.unwrap();
    db
}

fn told<T>(rows: &[Row<T>], slug: fn(&T) -> &str) -> Vec<Result<String, String>> {
    let told = rows.iter().map(|row| match row.entry() {
        Ok(entry) => Ok(slug(entry).to_owned()),
        Err(error) => Err(format!("{}: {error}", row.key())),
    });
    told.collect()
}

#[tokio::test]
async fn a_row_whose_decoding_panics_is_skipped() {
    let db = memory("CREATE TABLE failing (id INTEGER PRIMARY KEY, slug TEXT); INSERT INTO failing VALUES (1, 'a'), (2, 'far'), (3, 'c')").await;
    let source = entity_as::<page::Entity, Fragile>(db);
    let page = source.rows(&Span::ALL, 9).await.unwrap();
    let far = "2: a panic: assertion `left != right` failed: a slug that is too far\\n  left: \"far\"\\n right: \"far\"";
    assert_eq!(
        told(&page, |page| &page.slug),
        [Ok("a".to_owned()), Err(far.to_owned()), Ok("c".to_owned())]
    );
    let second = Span::new(Key::from(1), Key::from(2));
    let page = source.rows(&second, 9).await.unwrap();
    assert_eq!(told(&page, |page| &page.slug), [Err(far.to_owned())]);
}

/// Whole batches that do not fit, before or after rows that do.
#[tokio::test]
async fn many_rows_that_do_not_fit_are_skipped() {
    for good in [1, 200] {
        let db = memory(&format!("CREATE TABLE failing (id INTEGER PRIMARY KEY, slug TEXT); INSERT INTO failing SELECT value, CASE WHEN value = {good} THEN 'a' ELSE CAST(x'80' AS TEXT) END FROM (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 200) SELECT * FROM n)")).await;
        let source = entity::<page::Entity>(db);
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

/// If no row fits the model, the columns are wrong, not the rows.
#[tokio::test]
async fn columns_that_do_not_fit_fail_the_batch() {
    let db = memory("CREATE TABLE failing (id INTEGER PRIMARY KEY, slug BLOB); INSERT INTO failing VALUES (1, 1), (2, 2), (3, 3)").await;
    let source = entity::<page::Entity>(db);
    for span in [Span::ALL, Span::new(Key::from(2), None)] {
        let error = source.rows(&span, 9).await.unwrap_err().to_string();
        assert_eq!(
            error,
            "Query Error: error occurred while decoding column \"slug\": mismatched types; Rust type `core::option::Option<alloc::string::String>` \
             (as SQL type `TEXT`) is not compatible with SQL type `INTEGER`"
        );
    }
}

/// Whole classes of errors are transient.
#[cfg(unix)]
#[tokio::test]
async fn errors_that_pass() {
    use sea_orm::sea_query::Expr;
    use sitemap_site::source::Unavailable;

    let Some(postgres) = sitemap_serving_tests::Postgres::start("errors_that_pass") else {
        return;
    };
    let db = Database::connect(postgres.url()).await.unwrap();
    db.execute_unprepared(sitemap_serving_tests::FAILING)
        .await
        .unwrap();
    for (code, passes) in sitemap_serving_tests::codes() {
        let source = entity::<page::Entity>(db.clone()).filter(Expr::cust(format!("fail('{code}', 'x')")));
        let error = source.rows(&Span::ALL, 1).await.unwrap_err();
        assert_eq!(error.is::<Unavailable>(), passes, "{code}: {error}");
    }
    // A real lock timeout.
    db.execute_unprepared("ALTER ROLE test SET lock_timeout = '50ms'")
        .await
        .unwrap();
    let holding = Database::connect(postgres.url()).await.unwrap();
    let transaction = sea_orm::TransactionTrait::begin(&holding).await.unwrap();
    transaction
        .execute_unprepared("LOCK TABLE failing")
        .await
        .unwrap();
    let db = Database::connect(postgres.url()).await.unwrap();
    let error = entity::<page::Entity>(db).rows(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
}

/// MariaDB has one code for most errors.
#[cfg(unix)]
#[tokio::test]
async fn a_lock_of_mariadb() {
    use sitemap_site::source::Unavailable;

    let Some(mysql) = sitemap_serving_tests::MySql::start("a_lock_of_mariadb") else {
        return;
    };
    let db = Database::connect(mysql.url()).await.unwrap();
    for statement in [
        "CREATE TABLE failing (id bigint PRIMARY KEY, slug varchar(9))",
        "INSERT INTO failing VALUES (1, 'a')",
        "SET GLOBAL lock_wait_timeout = 1",
    ] {
        db.execute_unprepared(statement).await.unwrap();
    }
    let transaction = sea_orm::TransactionTrait::begin(&db).await.unwrap();
    transaction
        .execute_unprepared("LOCK TABLES failing WRITE")
        .await
        .unwrap();
    let other = Database::connect(mysql.url()).await.unwrap();
    let error = entity::<page::Entity>(other)
        .rows(&Span::ALL, 1)
        .await
        .unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
}

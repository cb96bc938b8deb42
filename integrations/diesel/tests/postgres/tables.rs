//! Tables of every kind in PostgreSQL, by the macro `source!` and the type `Database` of the file that this is a module of.
//! Diesel and diesel-async both run it.

use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use http::Request;
use sitemap_serde::convert::ToLastmod;
use sitemap_serde::{Alternate, SitemapEntry, UrlEntry};
use sitemap_serving_tests::{FAILING, MESSAGES, Postgres, body, codes, newest, walked};
use sitemap_site::source::{Newest, Source, Span, Unavailable, WrongKey, with_batch};
use sitemap_site::{Key, Site, SiteBuilder};

use crate::Database;

pub(crate) mod schema {
    diesel::table! { smalls (id) { id -> SmallInt, slug -> Text, } }
    diesel::table! { bigs (id) { id -> BigInt, slug -> Text, } }
    diesel::table! { uuids (id) { id -> Uuid, slug -> Text, } }
    diesel::table! { texts (slug) { slug -> Text, } }
    diesel::table! { blobs (id) { id -> Binary, slug -> Text, } }
    diesel::table! { two (lang, id) { lang -> Text, id -> Integer, slug -> Text, at -> Timestamptz, } }
    diesel::table! { none (id) { id -> Integer, slug -> Text, } }
    diesel::table! { large (kind, id) { kind -> Text, id -> Integer, slug -> Text, at -> Timestamptz, draft -> Bool, } }
    diesel::table! { products (id) { id -> BigInt, slug -> Text, at -> Nullable<Timestamptz>, draft -> Bool, } }
    diesel::table! { failing (id) { id -> BigInt, slug -> Text, } }
    diesel::table! { translations (product, lang) { product -> BigInt, lang -> Text, slug -> Text, } }
}
use schema::{bigs, blobs, failing, large, none, products, smalls, texts, two, uuids};

/// The page of a table.
macro_rules! page {
    ($($table:ident $page:ident),*) => {$(
        #[derive(Debug, Queryable, Selectable, SitemapEntry)]
        #[diesel(table_name = schema::$table, check_for_backend(Pg))]
        #[sitemap(loc = "/{slug}")]
        struct $page {
            slug: String,
        }
    )*};
}
page!(smalls Small, bigs Big, uuids Uuid, texts Text, blobs Blob, two Two, none None_, large Large, failing Failing);

/// A product before its translations are known.
#[derive(Debug, Queryable, Selectable, SitemapEntry)]
#[diesel(table_name = products, check_for_backend(Pg))]
#[sitemap(loc = "/{slug}")]
struct Product {
    id: i64,
    slug: String,
    #[sitemap(lastmod)]
    at: Option<DateTime<Utc>>,
}

async fn status(site: &Site) -> u16 {
    let request = Request::get("/sitemap-pages.xml").body(());
    site.respond(&request.unwrap()).await.status().as_u16()
}

pub(crate) async fn check(mut postgres: Postgres) {
    let database = Database::new(postgres.url());
    database.execute(include_str!("../../../postgres.sql")).await;

    keys(&database).await;
    made_up_keys(&database).await;
    plans(&database).await;
    lastmods(&database).await;
    failing_cells(&database).await;
    translations(&database).await;
    errors_that_pass(&database).await;

    // It goes away and comes back.
    let two = source!(
        database,
        table = two::table,
        key = (two::lang, two::id),
        row = Two,
    );
    let site = SiteBuilder::new("https://example.com")
        .section("pages", two)
        .memory_bytes(0)
        .build()
        .unwrap();
    assert_eq!(status(&site).await, 200);
    postgres.stop();
    assert_eq!(status(&site).await, 503);
    let two = source!(
        database,
        table = two::table,
        key = (two::lang, two::id),
        row = Two,
    );
    let error = two.rows(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
    postgres.restart();
    let mut tries = 0;
    while status(&site).await != 200 {
        tries += 1;
        assert!(tries < 500);
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

async fn keys(database: &Database) {
    for limit in [1, 2, 9] {
        let smalls = source!(database, table = smalls::table, key = (smalls::id), row = Small,);
        assert_eq!(walked(&smalls, limit).await, ["-2", "0", "5"]);
        let bigs = source!(database, table = bigs::table, key = (bigs::id), row = Big,);
        assert_eq!(
            walked(&bigs, limit).await,
            ["-9223372036854775808", "7", "9223372036854775807"]
        );
        let uuids = source!(database, table = uuids::table, key = (uuids::id), row = Uuid,);
        assert_eq!(
            walked(&uuids, limit).await,
            [
                "00000000-0000-0000-0000-000000000001",
                "7f000000-0000-4000-8000-000000000000",
                "ff000000-0000-4000-8000-000000000000"
            ]
        );
        let texts = source!(database, table = texts::table, key = (texts::slug), row = Text,);
        assert_eq!(walked(&texts, limit).await, ["7", "B", "a", "é"]);
        let blobs = source!(database, table = blobs::table, key = (blobs::id), row = Blob,);
        assert_eq!(walked(&blobs, limit).await, ["", "00ff", "ff"]);
        let two = source!(
            database,
            table = two::table,
            key = (two::lang, two::id),
            row = Two,
        );
        assert_eq!(
            walked(&two, limit).await,
            ["de,2", "de,10", "en,0", "en,1", "fr,1"]
        );
        let none = source!(database, table = none::table, key = (none::id), row = None_,);
        assert_eq!(walked(&none, limit).await, [""; 0]);
        // A condition with a variable.
        let most = 7_i64;
        let bigs = source!(
            database,
            table = bigs::table,
            key = (bigs::id),
            row = Big,
            filter = bigs::id.le(most),
        );
        assert_eq!(walked(&bigs, limit).await, ["-9223372036854775808", "7"]);
    }
}

async fn made_up_keys(database: &Database) {
    let smalls = source!(database, table = smalls::table, key = (smalls::id), row = Small,);
    for key in [Key::from("x"), Key::from(40_000), Key::from((1, 2))] {
        let error = smalls.rows(&Span::new(key, None), 1).await.unwrap_err();
        assert!(error.is::<WrongKey>(), "{error}");
    }
    // PostgreSQL has no text with a NUL.
    let texts = source!(database, table = texts::table, key = (texts::slug), row = Text,);
    let error = texts
        .rows(&Span::new(Key::from("a\0b"), None), 1)
        .await
        .unwrap_err();
    assert!(error.is::<WrongKey>(), "{error}");
    let uuids = source!(database, table = uuids::table, key = (uuids::id), row = Uuid,);
    let error = uuids.rows(&Span::new(Key::from("x"), None), 1).await.unwrap_err();
    assert!(error.is::<WrongKey>(), "{error}");
    let two = source!(
        database,
        table = two::table,
        key = (two::lang, two::id),
        row = Two,
    );
    for key in [Key::from("de"), Key::from((1, 1)), Key::from(("de", 1_i64 << 40))] {
        let error = two.keys(&Span::new(None, key), 1).await.unwrap_err();
        assert!(error.is::<WrongKey>(), "{error}");
    }
}

/// An index answers every query of the large table.
async fn plans(database: &Database) {
    database.execute("ANALYZE large").await;
    let large = source!(
        database,
        table = large::table,
        key = (large::kind, large::id),
        row = Large,
        filter = large::draft.eq(false),
        lastmod = large::at => |at: DateTime<Utc>| at,
    );
    let span = Span::new(Key::from(("b", 500)), Key::from(("b", 9_000)));
    database.take_queries();
    assert_eq!(large.rows(&span, 1_000).await.unwrap().len(), 1_000);
    assert_eq!(large.keys(&span, 1_000).await.unwrap().len(), 1_000);
    let queries = database.take_queries();
    assert_eq!(queries.len(), 2, "{queries:?}");
    for query in queries {
        let (sql, binds) = query.split_once(" -- binds: ").unwrap();
        let binds = binds.trim_matches(['[', ']']).replace('"', "'");
        let mut sql = sql.to_owned();
        let binds: Vec<_> = binds.split(", ").collect();
        assert_eq!(binds, ["false", "'b'", "500", "'b'", "9000", "1000"], "{query}");
        for (at, bind) in binds.iter().enumerate().rev() {
            sql = sql.replace(&format!("${}", at + 1), bind);
        }
        let plan = database.explain(&sql).await;
        let condition =
            "Index Cond: ((ROW(kind, id) > ROW('b'::text, 500)) AND (ROW(kind, id) <= ROW('b'::text, 9000)))";
        assert!(plan.iter().any(|line| line.trim() == condition), "{plan:#?}");
        let scans = |line: &String| line.contains("Sort") || line.contains("Seq Scan");
        assert!(!plan.iter().any(scans), "{plan:#?}");
    }
}

async fn lastmods(database: &Database) {
    let two = source!(
        database,
        table = two::table,
        key = (two::lang, two::id),
        row = Two,
        lastmod = two::at => |at: DateTime<Utc>| at,
    );
    // Compared as text, another row would be the newest. The server's zone is Tokyo's.
    let time = newest(&two, &Span::ALL, 9).await;
    assert_eq!(time, Newest::Is("2026-05-01T23:00:00Z".parse().unwrap()));
    let products = source!(
        database,
        table = products::table,
        key = (products::id),
        row = Product,
        filter = products::draft.eq(false),
        lastmod = products::at => |at: Option<DateTime<Utc>>| at,
    );
    assert_eq!(newest(&products, &Span::ALL, 9).await, Newest::Unknown);
    let latest = products.latest(9).await.unwrap().unwrap();
    assert!(latest.iter().map(|row| &row.key).eq(&[900, -7].map(Key::from)));
    assert_eq!(products.latest(1).await.unwrap().unwrap(), latest[..1]);
    let undated = source!(
        database,
        table = products::table,
        key = (products::id),
        row = Product,
        lastmod = none,
    );
    assert_eq!(undated.latest(9).await.unwrap(), None);
}

/// Diesel returns none of a page's rows if one does not load; here only that row is lost.
async fn failing_cells(database: &Database) {
    database.execute("UPDATE bigs SET slug = NULL WHERE id = 7").await;
    let bigs = source!(database, table = bigs::table, key = (bigs::id), row = Big,);
    let page = bigs.rows(&Span::ALL, 9).await.unwrap();
    let slugs: Vec<_> = page
        .iter()
        .map(|row| row.entry().map(|page| page.slug.as_str()).ok())
        .collect();
    assert_eq!(slugs, [Some("b"), None, Some("a")]);
    assert_eq!(page[1].key(), &Key::from(7));
    database.execute("UPDATE bigs SET slug = 'c' WHERE id = 7").await;
}

/// The pages of a product in each language, with one more query for each page of rows.
async fn translations(database: &Database) {
    let products = source!(
        database,
        table = products::table,
        key = (products::id),
        row = Product,
        lastmod = none,
        filter = products::draft.eq(false),
    );
    let of = database.clone();
    let pages = with_batch(products, move |page: Vec<Product>| {
        let of = of.clone();
        async move {
            let found = of
                .translations(page.iter().map(|product| product.id).collect())
                .await;
            let entry = |product: Product| {
                let mut entry = UrlEntry::new(format!("/{}", product.slug));
                entry.lastmod = product.at.to_lastmod()?;
                let own = found.iter().filter(|(id, _, _)| *id == product.id);
                entry.alternates = own
                    .map(|(_, lang, slug)| Alternate::new(lang, format!("/{lang}/{slug}")))
                    .collect();
                Ok(entry)
            };
            page.into_iter().map(entry).collect()
        }
    });
    let site = SiteBuilder::new("https://example.com")
        .section("pages", pages)
        .batch_rows(2)
        .build()
        .unwrap();
    site.ready().await.unwrap();
    site.purge("pages").unwrap();
    database.take_queries();
    let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
    let response = site.respond(&request).await;
    let xml = body(response).await;
    // Pages of two rows: (-7, 3), (900), and nothing.
    assert_eq!(
        database.take_queries().len(),
        2 * 2 + 1,
        "two for each page of rows, and the number of rows"
    );
    let expected = concat!(
        "<url><loc>https://example.com/lamp</loc><lastmod>2026-05-01T23:00:00Z</lastmod>",
        "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/lampe\"/>",
        "<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en/lamp\"/></url>",
        "<url><loc>https://example.com/chair</loc></url>",
        "<url><loc>https://example.com/desk</loc><lastmod>2026-06-01T00:00:00Z</lastmod>",
        "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/tisch\"/></url></urlset>"
    );
    assert!(xml.ends_with(expected), "{xml}");
}

/// Diesel has kinds for few errors that pass, and no codes: the others are known by their messages.
async fn errors_that_pass(database: &Database) {
    database.execute(FAILING).await;
    let lasting = codes()
        .filter(|(_, passes)| !passes)
        .map(|(code, _)| (code, "x", false));
    for (code, message, passes) in MESSAGES
        .iter()
        .map(|(code, message)| (*code, *message, true))
        .chain(lasting)
    {
        // A query that is awaited copies it.
        let condition: &str = format!("fail('{code}', '{message}')").leak();
        let source = source!(
            database,
            table = failing::table,
            key = (failing::id),
            row = Failing,
            filter = diesel::dsl::sql::<diesel::sql_types::Bool>(condition),
        );
        let error = source.rows(&Span::ALL, 1).await.unwrap_err();
        assert_eq!(error.is::<Unavailable>(), passes, "{code}: {error}");
        assert_eq!(error.to_string(), message);
    }
    // A lock that is not got, in earnest.
    database
        .execute("ALTER ROLE test SET lock_timeout = '50ms'")
        .await;
    let holding = database.hold("BEGIN; LOCK TABLE failing").await;
    let source = source!(
        database,
        table = failing::table,
        key = (failing::id),
        row = Failing,
    );
    let error = source.rows(&Span::ALL, 1).await.unwrap_err();
    assert!(error.is::<Unavailable>(), "{error}");
    assert_eq!(error.to_string(), "canceling statement due to lock timeout");
    drop(holding);
    database.execute("ALTER ROLE test RESET lock_timeout").await;
}

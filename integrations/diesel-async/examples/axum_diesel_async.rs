//! axum and diesel-async: a table as a served sitemap.

use axum::Router;
use chrono::NaiveDateTime;
use diesel::prelude::*;
use diesel::sqlite::{Sqlite, SqliteConnection};
use diesel_async::SimpleAsyncConnection;
use diesel_async::pooled_connection::{AsyncDieselConnectionManager, deadpool::Pool};
use diesel_async::sync_connection_wrapper::SyncConnectionWrapper;
use sitemap_serde::SitemapEntry;
use sitemap_site::SiteBuilder;

mod schema {
    diesel::table! {
        products (id) { id -> BigInt, slug -> Text, updated_at -> Nullable<Timestamp>, draft -> Bool, }
    }
}
use schema::products;

#[derive(Queryable, Selectable, SitemapEntry)]
#[diesel(table_name = products, check_for_backend(Sqlite))]
#[sitemap(loc = "/products/{slug}", changefreq = "weekly")]
struct Product {
    slug: String,
    #[sitemap(lastmod, zone = "UTC")]
    updated_at: Option<NaiveDateTime>,
}

type Connection = SyncConnectionWrapper<SqliteConnection>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("shop.sqlite").display().to_string();
    let pool = Pool::builder(AsyncDieselConnectionManager::<Connection>::new(file)).build()?;
    // 25,000 products, some of them drafts.
    let products = include_str!("../../products.sql");
    pool.get().await?.batch_execute(products).await?;

    let products = sitemap_diesel_async::rows! {
        table = products::table,
        key = (products::id),
        row = Product,
        connect = move || { let pool = pool.clone(); async move { pool.get().await } },
        filter = products::draft.eq(false),
        lastmod = products::updated_at => |at: Option<NaiveDateTime>| at.map(|at| at.and_utc()),
    };
    let site = SiteBuilder::new("https://example.com")
        .section("products", products)
        .build()?;
    site.ready().await?; // counts the rows; until then the index answers 503
    let app = Router::new().merge(sitemap_axum::routes(&site));

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

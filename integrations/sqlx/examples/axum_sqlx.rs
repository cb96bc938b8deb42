//! axum and sqlx: a table as a served sitemap.

use axum::Router;
use sitemap_serde::SitemapEntry;
use sitemap_site::SiteBuilder;
use sqlx::SqlitePool;
use sqlx::sqlite::SqlitePoolOptions;
use sqlx::types::chrono::{DateTime, Utc};
use tokio::net::TcpListener;

#[derive(sqlx::FromRow, SitemapEntry)]
#[sitemap(loc = "/products/{slug}", changefreq = "weekly")]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated_at: Option<DateTime<Utc>>,
    #[sitemap(exclude_if)]
    draft: bool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let products = sitemap_sqlx::table::<Product, _>(filled().await?, "products");
    let site = SiteBuilder::new("https://example.com")
        .section("products", products)
        .build()?;
    site.ready().await?; // counts the rows; until then the index answers 503
    let app = Router::new().merge(sitemap_axum::routes(&site));

    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

/// 25,000 products, some of them drafts.
async fn filled() -> sqlx::Result<SqlitePool> {
    // Each connection would have a memory of its own.
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .connect("sqlite::memory:")
        .await?;
    sqlx::raw_sql(include_str!("../../products.sql"))
        .execute(&pool)
        .await?;
    Ok(pool)
}

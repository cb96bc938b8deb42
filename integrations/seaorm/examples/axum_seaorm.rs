//! axum and SeaORM: a table as a served sitemap.

use axum::Router;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbErr};
use sitemap_serde::SitemapEntry;
use sitemap_site::SiteBuilder;
use tokio::net::TcpListener;

mod product {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "products")]
    #[sitemap(loc = "/products/{slug}", changefreq = "weekly")]
    pub(super) struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub slug: String,
        #[sitemap(lastmod)]
        pub updated_at: Option<DateTimeUtc>,
        #[sitemap(exclude_if)]
        pub draft: bool,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

#[derive(Clone, SitemapEntry)]
enum StaticPage {
    #[sitemap(loc = "/")]
    Home,
    #[sitemap(loc = "/about", priority = 0.3)]
    About,
}

impl StaticPage {
    const ALL: [StaticPage; 2] = [StaticPage::Home, StaticPage::About];
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let db = filled().await?;
    let site = SiteBuilder::new("https://example.com")
        .section("products", sitemap_seaorm::entity::<product::Entity>(db))
        .section("pages", StaticPage::ALL)
        .build()?;
    site.ready().await?; // counts the rows; until then the index answers 503
    let app = Router::new().merge(sitemap_axum::routes(&site));

    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

/// 25,000 products, some of them drafts.
async fn filled() -> Result<DatabaseConnection, DbErr> {
    let mut options = sea_orm::ConnectOptions::new("sqlite::memory:");
    options.max_connections(1); // each would have a memory of its own
    let db = Database::connect(options).await?;
    db.execute_unprepared(include_str!("../../products.sql")).await?;
    Ok(db)
}

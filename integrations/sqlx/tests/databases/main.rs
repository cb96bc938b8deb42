//! Tables of every kind, in each database.

mod declared;
mod kinds;
mod migrations;
#[cfg(all(feature = "mysql", unix))]
mod mysql;
#[cfg(all(feature = "postgres", unix))]
mod postgres;
mod rows;
mod sqlite;

use http::Request;
use sitemap_serde::SitemapEntry;
use sitemap_site::Site;

#[derive(Debug, sqlx::FromRow, SitemapEntry)]
#[sitemap(loc = "/{slug}")]
pub(crate) struct Page {
    slug: String,
}

/// The status that a crawler gets of the only part.
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(crate) async fn status(site: &Site) -> u16 {
    let request = Request::get("/sitemap-pages.xml").body(());
    site.respond(&request.unwrap()).await.status().as_u16()
}

/// Retries until the database is back.
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(crate) async fn until_served(site: &Site) {
    let mut tries = 0;
    while status(site).await != 200 {
        tries += 1;
        assert!(tries < 500);
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

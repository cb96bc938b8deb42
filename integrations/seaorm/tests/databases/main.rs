//! Tables of every kind, in each database.

mod kinds;
mod migrations;
#[cfg(unix)]
mod mysql;
#[cfg(unix)]
mod postgres;
mod rows;
mod sqlite;
mod tables;

use http::Request;
use sitemap_site::Site;

/// The status that a crawler gets of the only part.
pub(crate) async fn status(site: &Site) -> u16 {
    let request = Request::get("/sitemap-pages.xml").body(());
    site.respond(&request.unwrap()).await.status().as_u16()
}

/// Retries until the database is back.
#[cfg(unix)]
pub(crate) async fn until_served(site: &Site) {
    let mut tries = 0;
    while status(site).await != 200 {
        tries += 1;
        assert!(tries < 500);
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

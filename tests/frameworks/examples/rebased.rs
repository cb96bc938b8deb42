//! The sitemaps of a headless CMS under one's own host, fetched by reqwest, served by axum.
//!
//! `cargo run -p sitemap-framework-tests --example rebased` serves the sitemaps of `CMS`, a URL such as `https://cms.example.net`.

use axum::Router;
use axum::routing::get;
use reqwest::Client;
use sitemap_site::Rebased;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    rustls::crypto::ring::default_provider()
        .install_default()
        .map_err(|_| "another provider of cryptography")?;
    let client = Client::new();
    let cms = Rebased::new(std::env::var("CMS")?, "https://example.com", move |url| {
        let request = client.get(url);
        async move { Ok(request.send().await?.into()) }
    })?;
    let app = Router::new()
        .route("/", get(|| async { "a page" }))
        .route_service("/sitemap.xml", cms.clone())
        .route_service("/sitemap-{part}", cms);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

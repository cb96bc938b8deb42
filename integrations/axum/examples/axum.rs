//! axum: a site's sitemap.

use axum::Router;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site = sitemap_serving_tests::site(); // 25 rows in parts of ten
    site.ready().await?; // counts the rows; until then the index answers 503
    let app = Router::new().merge(sitemap_axum::routes(&site));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

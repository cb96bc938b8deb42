//! A small site on axum: its pages and its blog in one file, and robots.txt. It prints its address.

use axum::Router;
use sitemap_serde::UrlEntry;
use sitemap_site::{RobotsTxt, SiteBuilder, source};

fn slugs() -> Vec<&'static str> {
    vec!["lamps", "chairs"] // of files, a database or another service
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let posts = source::list(|| async {
        let posts = slugs().into_iter();
        Ok(posts.map(|slug| UrlEntry::new(format!("/blog/{slug}"))).collect())
    });
    let site = SiteBuilder::new("https://example.com")
        .section("pages", ["/", "/about", "/contact"].map(UrlEntry::new))
        .section("blog", posts)
        .flat(true)
        .robots_txt(RobotsTxt::new().disallow("/account/"))
        .build()?;
    site.ready().await?;
    let app: Router = Router::new().merge(sitemap_axum::routes(&site)); // and the routes of the program
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

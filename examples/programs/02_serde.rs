//! A sitemap is a data format of serde: structs of your own, read and written.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Page {
    loc: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<f32>,
}

fn main() -> sitemap_serde::Result<()> {
    let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/?a=1&amp;b=2</loc><priority>0.8</priority></url>
        <url><loc>https://example.com/about</loc></url>
    </urlset>"#;
    let mut pages: Vec<Page> = sitemap_serde::from_str(xml)?;
    for page in &pages {
        println!("{} {:?}", page.loc, page.priority);
    }
    pages.retain(|page| page.priority.is_some());
    println!("{}", sitemap_serde::to_string(&pages)?);
    Ok(())
}

//! The problems of a sitemap: their positions, rules and fixes.

use sitemap_serde::lint::Linter;

const XML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/</loc><lastmod>2026-5-6</lastmod></url>
  <url><loc>https://example.com/about</loc><changefreq>Daily</changefreq></url>
</urlset>"#;

fn main() {
    for found in Linter::new().check(XML.as_bytes()) {
        println!("{found}");
        if let Some(suggestion) = found.suggestion() {
            println!(
                "  {} -> {}",
                found.found().unwrap_or_default(),
                suggestion.value()
            );
        }
    }
}

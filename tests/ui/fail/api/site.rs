//! Sections of a site.

use sitemap_serde::UrlEntry;
use sitemap_site::{Site, SiteBuilder};
use sitemap_site::source::{BlockingSource, BoxError, Row, Span};

struct Pages;

impl BlockingSource for Pages {
    type Entry = UrlEntry;

    fn rows(&self, _: &Span, _: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        Ok(Vec::new())
    }
}

fn takes_a_site(_: &Site) {}

fn main() {
    let mut builder = SiteBuilder::new("https://example.com");
    builder.section("pages", Pages);
    builder.section("pages", vec!["/", "/about"]);
    takes_a_site(&builder);
}

//! A page in several languages: an entry for each, with links to all of them.

use sitemap_serde::{SitemapEntry, WriterBuilder};

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/products/{slug}", languages("de", "en"), x_default = "en")]
struct Product {
    slug: &'static str,
}

fn main() -> sitemap_serde::Result<()> {
    let mut builder = WriterBuilder::new();
    builder.base("https://example.com").pretty(true);
    print!("{}", builder.entries_to_string([&Product { slug: "lamp" }])?);
    Ok(())
}

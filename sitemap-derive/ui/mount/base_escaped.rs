use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", base = "https://example.com/a&amp;b")]
struct Product {
    slug: String,
}

fn main() {}

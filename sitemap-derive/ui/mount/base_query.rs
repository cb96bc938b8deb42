use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", base = "https://example.com/?shop=1")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https://example.com/{slug}", base = "https://example.com")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "HTTPS://example.com/{slug}")]
struct Product {
    slug: String,
}

fn main() {}

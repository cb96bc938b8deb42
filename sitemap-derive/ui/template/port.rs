use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https://example.com:99999/{slug}")]
struct Product {
    slug: String,
}

fn main() {}

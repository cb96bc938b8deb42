use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "ftp://example.com/{slug}")]
struct Product {
    slug: String,
}

fn main() {}

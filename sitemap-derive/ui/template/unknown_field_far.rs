use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{category}")]
struct Product {
    id: u64,
    slug: String,
}

fn main() {}

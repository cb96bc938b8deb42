use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{shop,slug}")]
struct Product {
    shop: String,
    slug: String,
}

fn main() {}

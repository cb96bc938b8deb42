use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug:3}")]
struct Product {
    slug: String,
}

fn main() {}

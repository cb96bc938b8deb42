use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(crate = "sitemap_serde", loc = "/products/{slug}")]
struct Product {
    slug: String,
}

fn main() {}

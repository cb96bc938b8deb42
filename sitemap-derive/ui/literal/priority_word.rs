use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", priority = "high")]
struct Products;

fn main() {}

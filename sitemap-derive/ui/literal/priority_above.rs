use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", priority = 1.5)]
struct Products;

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", priority = 1.0 / 2.0)]
struct Products;

fn main() {}

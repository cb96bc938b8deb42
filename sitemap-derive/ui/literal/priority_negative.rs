use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", priority = -0.5)]
struct Products;

fn main() {}

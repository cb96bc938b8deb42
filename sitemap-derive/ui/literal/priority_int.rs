use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", priority = 2)]
struct Products;

fn main() {}

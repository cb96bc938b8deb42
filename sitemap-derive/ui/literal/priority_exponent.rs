use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", priority = 5e-1)]
struct Products;

fn main() {}

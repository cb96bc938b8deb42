use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", changefreq = weekly)]
struct Products;

fn main() {}

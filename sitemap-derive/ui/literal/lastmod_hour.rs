use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", lastmod = "2024-05-06T24:00:00Z")]
struct Products;

fn main() {}

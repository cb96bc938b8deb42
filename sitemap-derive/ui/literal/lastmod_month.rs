use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", lastmod = "2024-13-01")]
struct Products;

fn main() {}

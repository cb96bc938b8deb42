use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", lastmod = "2024/05/06")]
struct Products;

fn main() {}

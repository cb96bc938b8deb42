use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", lastmod = 2024)]
struct Products;

fn main() {}

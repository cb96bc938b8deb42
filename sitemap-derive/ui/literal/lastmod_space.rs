use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", lastmod = "2024-05-06 07:08:09Z")]
struct Products;

fn main() {}

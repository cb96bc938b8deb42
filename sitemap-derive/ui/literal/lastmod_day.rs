use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", lastmod = "2023-02-29")]
struct Products;

fn main() {}

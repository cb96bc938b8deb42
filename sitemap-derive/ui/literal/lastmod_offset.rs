use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", lastmod = "2024-05-06T07:08:09+0900")]
struct Products;

fn main() {}

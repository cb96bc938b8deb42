use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", changefreq = 7)]
struct Products;

fn main() {}

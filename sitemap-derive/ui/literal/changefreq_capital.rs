use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", changefreq = "Weekly")]
struct Products;

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", changefreq = "fortnightly")]
struct Products;

fn main() {}

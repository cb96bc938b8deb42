use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", changefreq = "weekley")]
struct Products;

fn main() {}

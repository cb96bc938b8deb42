use sitemap_serde::SitemapEntry;

const OFTEN: &str = "weekly";

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", changefreq = OFTEN)]
struct Products;

fn main() {}

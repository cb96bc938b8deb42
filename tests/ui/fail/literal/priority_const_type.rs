use sitemap_serde::SitemapEntry;

const HIGH: u8 = 1;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", priority = HIGH)]
struct Products;

fn main() {}

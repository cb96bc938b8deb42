use sitemap_serde::SitemapEntry;

const TEMPLATE: &str = "/products";

#[derive(SitemapEntry)]
#[sitemap(loc = TEMPLATE)]
struct Products;

#[derive(SitemapEntry)]
#[sitemap(loc = 5)]
struct Five;

#[derive(SitemapEntry)]
#[sitemap(loc = concat!("/products", "/5"))]
struct Concat;

fn main() {}

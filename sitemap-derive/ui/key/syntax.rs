use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap]
struct Bare;

#[derive(SitemapEntry)]
#[sitemap = "/products"]
struct NameValue;

#[derive(SitemapEntry)]
#[sitemap("/products")]
struct NoKey;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products" priority = 0.5)]
struct NoComma;

#[derive(SitemapEntry)]
#[sitemap(loc = )]
struct NoValue;

#[derive(SitemapEntry)]
#[sitemap(loc("/products"))]
struct Parentheses;

#[derive(SitemapEntry)]
#[sitemap(loc: "/products")]
struct Colon;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products",, priority = 0.5)]
struct TwoCommas;

#[derive(SitemapEntry)]
#[sitemap(loc == "/products", priority = 1.5)]
struct TwoEquals;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", priority = .5)]
struct PointFirst;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", priority = if true { 0.5 } else { 0.4 } changefreq = "daily")]
struct NoCommaBehindBlock;

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", base = "//example.com/shop")]
struct Product {
    slug: String,
}

fn main() {}

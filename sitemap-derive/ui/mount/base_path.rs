use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", base = "/shop")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", base = "")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", base = "https:///shop")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", base = "https://{tenant}.example.com")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", base = "https://xn--.example.com")]
struct Product {
    slug: String,
}

fn main() {}

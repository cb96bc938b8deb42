use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", encoding = "")]
struct Product {
    slug: String,
}

fn main() {}

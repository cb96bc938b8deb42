use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", encoding = "klingon")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", encoding = "utf-16")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", encoding = "cp932")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", encoding = "euc-jq")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{shop.slug}/{self.shop}")]
struct Product {
    shop: String,
}

fn main() {}

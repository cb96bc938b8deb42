use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{}")]
struct Product {
    slug: String,
}

fn main() {}

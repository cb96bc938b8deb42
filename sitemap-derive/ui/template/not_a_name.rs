use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug!}")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/our products/{slug}")]
struct Product {
    slug: String,
}

fn main() {}

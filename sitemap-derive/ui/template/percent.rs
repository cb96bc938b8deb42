use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/100%/{slug}")]
struct Product {
    slug: String,
}

fn main() {}

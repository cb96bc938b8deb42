use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https:///{slug}")]
struct Product {
    slug: String,
}

fn main() {}

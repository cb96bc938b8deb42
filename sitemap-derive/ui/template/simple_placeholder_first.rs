use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "{slug}")]
struct Product {
    slug: String,
}

fn main() {}

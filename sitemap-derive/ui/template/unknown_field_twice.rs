use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{cat}/{cat}/{tag}")]
struct Product {
    slug: String,
}

fn main() {}

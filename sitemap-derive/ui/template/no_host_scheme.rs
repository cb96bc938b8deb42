use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "mailto:{slug}")]
struct Product {
    slug: String,
}

fn main() {}

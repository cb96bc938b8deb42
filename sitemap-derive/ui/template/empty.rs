use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "")]
struct Product {
    slug: String,
}

fn main() {}

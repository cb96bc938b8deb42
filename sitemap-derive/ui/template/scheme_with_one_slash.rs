use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https:/example.com/{slug}")]
struct Product {
    slug: String,
}

fn main() {}

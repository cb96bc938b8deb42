use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
struct Product {
    id: u64,
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(priority = 0.5)]
struct Tag(String);

#[derive(SitemapEntry)]
struct About;

fn main() {}

use sitemap_serde::SitemapEntry;

struct Slug;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}/{tags}")]
struct Product {
    slug: Slug,
    tags: Vec<String>,
}

fn main() {}

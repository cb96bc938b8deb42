use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    slug: String,
    #[sitemap(exclude_if, include_if)]
    draft: bool,
}

fn main() {}

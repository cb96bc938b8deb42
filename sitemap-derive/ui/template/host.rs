use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "https://exa]mple.com/{slug}")]
struct Product {
    slug: String,
}

fn main() {}

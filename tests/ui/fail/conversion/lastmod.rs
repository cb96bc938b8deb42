use sitemap_serde::SitemapEntry;

struct Stamp;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated: Option<Stamp>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Seconds {
    slug: String,
    #[sitemap(lastmod)]
    updated: u64,
}

fn main() {}

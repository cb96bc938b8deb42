use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    id: u64,
    #[cfg(any())]
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", priority = 0.5)]
#[sitemap(priority = 0.6)]
#[sitemap(loc = "/p/{slug}")]
struct Product {
    slug: String,
    #[sitemap(lastmod, lastmod)]
    updated: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
struct Product {
    #[sitemap(loc = "/products/{slug}")]
    slug: String,
    #[sitemap(lastmod = "2024-05-06")]
    updated: String,
    #[sitemap(changefreq = "weekly")]
    frequency: String,
    #[sitemap(priority = 0.5)]
    boost: f32,
    #[sitemap(exclude_if = true)]
    draft: bool,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", lastmod = "2024", changefreq = "daily", priority = 0.5)]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated: String,
    #[sitemap(changefreq)]
    often: String,
    #[sitemap(priority)]
    boost: Option<f32>,
}

fn main() {}

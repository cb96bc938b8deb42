use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    created: String,
    #[sitemap(lastmod)]
    updated: String,
    #[sitemap(changefreq)]
    often: String,
    #[sitemap(changefreq)]
    seldom: String,
    #[sitemap(priority)]
    low: f32,
    #[sitemap(priority)]
    high: f32,
}

fn main() {}

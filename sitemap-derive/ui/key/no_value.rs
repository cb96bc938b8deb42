use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc, lastmod, changefreq, exclude_if)]
struct Product {
    slug: String,
    #[sitemap(with, lastmod)]
    updated: String,
    #[sitemap(priority, default)]
    boost: Option<f32>,
}

fn main() {}

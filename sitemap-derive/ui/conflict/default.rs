use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    slug: String,
    #[sitemap(lastmod, default = "2024")]
    updated: Option<String>,
    #[sitemap(default = 0.5)]
    boost: Option<f32>,
}

fn main() {}

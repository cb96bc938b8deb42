use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    slug: String,
    #[sitemap(priority, default = 1.1)]
    boost: Option<f32>,
    #[sitemap(changefreq, default = "dayly")]
    frequency: Option<sitemap_serde::ChangeFreq>,
}

fn main() {}

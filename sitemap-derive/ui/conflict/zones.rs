use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    slug: String,
    #[sitemap(lastmod, zone = "UTC", zone = "+09:00")]
    updated: String,
    #[sitemap(zone = "+09:00")]
    created: String,
    #[sitemap(priority, zone = "UTC")]
    boost: f32,
}

fn main() {}

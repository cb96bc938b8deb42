use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    slug: String,
    #[sitemap(lastmod, utc, offset = "+09:00")]
    updated: String,
    #[sitemap(offset = "+09:00")]
    created: String,
    #[sitemap(priority, utc)]
    boost: f32,
}

fn main() {}

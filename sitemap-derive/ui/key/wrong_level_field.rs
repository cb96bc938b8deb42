use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    #[sitemap(crate = sitemap_serde)]
    slug: String,
}

fn main() {}

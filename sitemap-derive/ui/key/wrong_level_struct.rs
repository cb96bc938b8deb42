use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", with = to_text, offset = "+09:00", utc, default = 0.5)]
struct Product {
    slug: String,
}

fn main() {}

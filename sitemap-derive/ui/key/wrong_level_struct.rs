use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", write_with = to_text, with = hex, zone = "+09:00", default = 0.5)]
struct Product {
    slug: String,
}

fn main() {}

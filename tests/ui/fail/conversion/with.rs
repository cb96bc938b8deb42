use sitemap_serde::SitemapEntry;

fn to_date(seconds: &u64) -> u64 {
    *seconds
}

fn to_slug(text: &str) -> Vec<u8> {
    text.into()
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{name}")]
struct Product {
    #[sitemap(write_with = to_slug)]
    name: String,
    #[sitemap(lastmod, write_with = to_date)]
    updated: u64,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/products")]
struct Products {
    #[sitemap(lastmod, write_with = to_date)]
    updated: String,
}

fn main() {}

use sitemap_serde::{FromSitemapEntry, SitemapEntry};

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{slg}", base = "example.com?a b", encoding = "utf-61", priority = 2)]
struct Product {
    slug: String,
    #[sitemap(image, video)]
    media: String,
}

fn main() {}

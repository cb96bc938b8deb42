use sitemap_serde::{FromSitemapEntry, SitemapEntry};

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{slg}", priority = 1.5)]
struct Product {
    slug: String,
    #[sitemap(lastmd)]
    updated: String,
}

fn main() {}

use sitemap_serde::{FromSitemapEntry, SitemapEntry};

// `SitemapEntry` alone takes it: the error is of the other derive.
#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{shop}_{slug}")]
struct Product {
    shop: String,
    slug: String,
}

fn main() {}

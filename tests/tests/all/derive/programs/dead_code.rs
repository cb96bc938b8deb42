//! Fields and variants count as used if an entry is written from them.
#![deny(dead_code)]

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated: String,
    #[sitemap(exclude_if)]
    draft: bool,
}

pub(super) fn main() {
    let product = Product {
        slug: String::new(),
        updated: String::new(),
        draft: true,
    };
    assert!(!product.is_listed());
}

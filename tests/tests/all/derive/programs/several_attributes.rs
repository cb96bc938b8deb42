//! Attributes may be spread over several `#[sitemap(…)]`, and end with a comma.
#![allow(dead_code)]

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap()]
#[sitemap(loc = "/{slug}",)]
#[sitemap(changefreq = "weekly", priority = 0.5,)]
struct Product {
    slug: String,
    #[sitemap(lastmod,)]
    #[sitemap(write_with = to_date)]
    updated: u16,
}

fn to_date(year: &u16) -> String {
    year.to_string()
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Product>();
}

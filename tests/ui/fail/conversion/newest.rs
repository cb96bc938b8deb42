//! The fields of `newest(…)`.

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest(created, updated, reviewed, edited))]
struct Product {
    id: u32,
    created: chrono::NaiveDateTime,
    updated: Option<i64>,
    #[sitemap(zone = "UTC")]
    reviewed: String,
    #[sitemap(write_with = day)]
    edited: u64,
}

fn day(seconds: u64) -> String {
    seconds.to_string()
}

fn main() {}

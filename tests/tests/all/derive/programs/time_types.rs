//! time's dates, there and back.
#![deny(warnings)]
#![allow(dead_code)]

use sitemap_serde::{FromSitemapEntry, SitemapEntry};
use time::{Date, OffsetDateTime, PrimitiveDateTime, UtcDateTime};

#[derive(SitemapEntry, FromSitemapEntry)]
enum Page {
    #[sitemap(loc = "/offset")]
    Offset(#[sitemap(lastmod)] OffsetDateTime),
    #[sitemap(loc = "/utc")]
    Utc(#[sitemap(lastmod)] Option<UtcDateTime>),
    #[sitemap(loc = "/date")]
    Date(#[sitemap(lastmod)] Date),
    #[sitemap(loc = "/naive")]
    Naive(#[sitemap(lastmod, zone = "+09:00")] PrimitiveDateTime),
}

fn is_both<T: SitemapEntry + FromSitemapEntry>() {}

pub(super) fn main() {
    is_both::<Page>();
}

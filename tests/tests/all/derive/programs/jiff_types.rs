//! jiff's dates, there and back.
#![deny(warnings)]
#![allow(dead_code)]

use jiff::{Timestamp, Zoned, civil};
use sitemap_serde::{FromSitemapEntry, SitemapEntry};

#[derive(SitemapEntry, FromSitemapEntry)]
enum Page {
    #[sitemap(loc = "/timestamp")]
    Timestamp(#[sitemap(lastmod)] Timestamp),
    #[sitemap(loc = "/zoned")]
    Zoned(#[sitemap(lastmod)] Option<Zoned>),
    #[sitemap(loc = "/date")]
    Date(#[sitemap(lastmod)] civil::Date),
    #[sitemap(loc = "/naive")]
    Naive(#[sitemap(lastmod, offset = "+09:00")] Option<civil::DateTime>),
}

fn is_both<T: SitemapEntry + FromSitemapEntry>() {}

pub(super) fn main() {
    is_both::<Page>();
}

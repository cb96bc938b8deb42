//! chrono's dates, there and back.
#![deny(warnings)]
#![allow(dead_code)]

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, Utc};
use sitemap_serde::{FromSitemapEntry, SitemapEntry};

#[derive(SitemapEntry, FromSitemapEntry)]
enum Page {
    #[sitemap(loc = "/utc")]
    Utc(#[sitemap(lastmod)] DateTime<Utc>),
    #[sitemap(loc = "/fixed")]
    Fixed(#[sitemap(lastmod)] Option<DateTime<FixedOffset>>),
    #[sitemap(loc = "/date")]
    Date(#[sitemap(lastmod)] NaiveDate),
    #[sitemap(loc = "/naive")]
    Naive(#[sitemap(lastmod, zone = "UTC")] NaiveDateTime),
    #[sitemap(loc = "/maybe")]
    Maybe(#[sitemap(lastmod, zone = "-03:30")] Option<NaiveDateTime>),
    // A date in the address.
    #[sitemap(loc = "/blog/{0}/{1}")]
    Address(NaiveDate, String),
}

fn is_both<T: SitemapEntry + FromSitemapEntry>() {}

pub(super) fn main() {
    is_both::<Page>();
}

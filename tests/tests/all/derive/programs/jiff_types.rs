//! The dates of jiff 1 and of jiff 0.2, there and back.
#![deny(warnings)]
#![allow(dead_code)]

use sitemap_serde::{FromSitemapEntry, SitemapEntry};

macro_rules! pages {
    ($($jiff:ident $Zoned:ident)*) => {
        $(mod $jiff {
            use sitemap_serde::{FromSitemapEntry, SitemapEntry};

            use ::$jiff::{Timestamp, $Zoned, civil};

            #[derive(SitemapEntry, FromSitemapEntry)]
            pub(super) enum Page {
                #[sitemap(loc = "/timestamp")]
                Timestamp(#[sitemap(lastmod)] Timestamp),
                #[sitemap(loc = "/zoned")]
                Zoned(#[sitemap(lastmod)] Option<$Zoned>),
                #[sitemap(loc = "/date")]
                Date(#[sitemap(lastmod)] civil::Date),
                #[sitemap(loc = "/naive")]
                Naive(#[sitemap(lastmod, zone = "+09:00")] Option<civil::DateTime>),
            }
        })*
    };
}
pages!(jiff02 Zoned jiff1 ZonedDateTime);

fn is_both<T: SitemapEntry + FromSitemapEntry>() {}

pub(super) fn main() {
    is_both::<jiff02::Page>();
    is_both::<jiff1::Page>();
}

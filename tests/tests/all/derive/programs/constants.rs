//! Constants for `changefreq` and for default values.
#![deny(warnings)]
#![allow(dead_code)]

use sitemap_serde::{ChangeFreq, SitemapEntry};

const OFTEN: ChangeFreq = ChangeFreq::Hourly;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = OFTEN)]
struct Home;

#[derive(SitemapEntry)]
#[sitemap(loc = "/news", changefreq = ChangeFreq::Always)]
struct News;

#[derive(SitemapEntry)]
#[sitemap(loc = "/blog")]
struct Blog {
    #[sitemap(changefreq, default = OFTEN)]
    often: Option<ChangeFreq>,
    #[sitemap(priority, default = 0.5)]
    boost: Option<f64>,
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Home>();
    is_entry::<News>();
    is_entry::<Blog>();
}

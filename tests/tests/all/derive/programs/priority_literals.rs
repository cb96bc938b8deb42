//! Priorities as integers, decimals and constants of either width.
#![deny(warnings)]
#![allow(dead_code)]

use sitemap_serde::SitemapEntry;

const NARROW: f32 = 0.1;
const WIDE: f64 = 1.0;

struct Levels;

impl Levels {
    const ZERO: f32 = 0.0;
}

#[derive(SitemapEntry)]
enum Page {
    #[sitemap(loc = "/", priority = 0)]
    A,
    #[sitemap(loc = "/", priority = 1)]
    B,
    #[sitemap(loc = "/", priority = 1.0)]
    C,
    #[sitemap(loc = "/", priority = 0.50)]
    D,
    #[sitemap(loc = "/", priority = 0.8f32)]
    E,
    #[sitemap(loc = "/", priority = 0_1.0_0)]
    F,
    #[sitemap(loc = "/", priority = NARROW)]
    G,
    #[sitemap(loc = "/", priority = WIDE)]
    H,
    #[sitemap(loc = "/", priority = Levels::ZERO)]
    I,
    #[sitemap(loc = "/", priority = Self::LAST)]
    J,
    #[sitemap(loc = "/", priority = std::f32::consts::FRAC_1_PI)]
    K,
}

impl Page {
    const LAST: f64 = NARROW as f64;
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Page>();
}

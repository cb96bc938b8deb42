//! The library under other names.
#![allow(dead_code)]

extern crate sitemap_serde as renamed;

mod facade {
    pub mod inner {
        pub use ::sitemap_serde as sitemaps;
    }
}

const HIGH: f64 = 0.5;

#[derive(renamed::FromSitemapEntry)]
#[sitemap(crate = renamed)]
#[sitemap(loc = "/{slug}", lastmod = "2024", changefreq = "daily", priority = HIGH)]
struct Product {
    slug: String,
}

#[derive(facade::inner::sitemaps::SitemapEntry, facade::inner::sitemaps::FromSitemapEntry)]
#[sitemap(crate = crate::derive::programs::read::crate_renamed::facade::inner::sitemaps)]
enum Page {
    #[sitemap(loc = "/x/{slug}")]
    Fields {
        #[sitemap(exclude_if)]
        hidden: bool,
        slug: String,
        #[sitemap(lastmod)]
        lastmod: String,
        #[sitemap(changefreq, default = "never")]
        changefreq: Option<String>,
        #[sitemap(priority, default = HIGH)]
        priority: Option<f32>,
    },
}

fn is_read<T: renamed::FromSitemapEntry>() {}

pub(super) fn main() {
    is_read::<Product>();
    is_read::<Page>();
}

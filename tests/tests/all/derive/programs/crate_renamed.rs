//! The library under other names.
#![allow(dead_code)]

extern crate sitemap_serde as renamed;

mod facade {
    pub mod inner {
        pub use ::sitemap_serde as sitemaps;
    }
}

const HIGH: f64 = 0.5;

#[derive(renamed::SitemapEntry)]
#[sitemap(crate = renamed)]
#[sitemap(loc = "/{slug}", lastmod = "2024", changefreq = "daily", priority = HIGH)]
struct Product {
    slug: String,
}

#[derive(facade::inner::sitemaps::SitemapEntry)]
#[sitemap(crate = crate::derive::programs::crate_renamed::facade::inner::sitemaps, base = "https://example.com", encoding = "gbk")]
enum Page {
    Product(Product),
    #[sitemap(loc = "/{slug}")]
    Fields {
        #[sitemap(exclude_if)]
        hidden: bool,
        slug: String,
        #[sitemap(lastmod)]
        lastmod: String,
        #[sitemap(changefreq, default = "never")]
        changefreq: Option<String>,
        #[sitemap(priority, default = 0.5)]
        priority: Option<f32>,
        #[sitemap(image)]
        photos: Vec<String>,
        #[sitemap(video)]
        video: Option<renamed::Video>,
        #[sitemap(news)]
        news: Option<renamed::News>,
        #[sitemap(alternate)]
        languages: Vec<renamed::Alternate>,
    },
}

fn is_entry<T: renamed::SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Product>();
    is_entry::<Page>();
}

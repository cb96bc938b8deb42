//! User traits with methods of the same names, implemented for every type.
#![allow(dead_code)]

use sitemap_serde::SitemapEntry;

trait Everything: Sized {
    fn loc(self, _: u8) {}
    fn loc_template(&self, _: u8) {}
    fn literal(&mut self, _: u8) {}
    fn lastmod(self) {}
    fn changefreq(self) {}
    fn priority(&self) {}
    fn to_lastmod(&self) {}
    fn to_priority(self) {}
    fn as_loc(self) {}
    fn simple(self) {}
    fn is_set(&self) {}
    fn is_listed(&self) {}
    fn write_entry(&self) {}
}

impl<T> Everything for T {}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated: Option<String>,
    #[sitemap(changefreq)]
    often: Option<String>,
    #[sitemap(priority, default = 0.1)]
    boost: Option<f32>,
    #[sitemap(include_if)]
    public: bool,
}

#[derive(SitemapEntry)]
enum Page {
    Product(Product),
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Product>();
    is_entry::<Page>();
}

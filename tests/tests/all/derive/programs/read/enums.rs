//! Variants of every sort.
#![deny(warnings)]
#![allow(dead_code)]

use sitemap_serde::{FromSitemapEntry, IndexEntry, SitemapEntry, UrlEntry};

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/products/{0}")]
struct Product(u32);

#[derive(SitemapEntry, FromSitemapEntry)]
enum Page {
    #[sitemap(loc = "/about", priority = 1.0)]
    About,
    #[sitemap(loc = "/empty")]
    Empty {},
    #[sitemap(loc = "/none")]
    None(),
    Product(Product),
    Boxed(Box<Product>),
    Hidden(#[sitemap(exclude_if = is_odd)] Product),
    #[sitemap(loc = "/tags/{0}/{2}")]
    Tag(String, Option<u8>, String),
    #[sitemap(loc = "/blog/{slug}")]
    Post {
        slug: String,
        #[sitemap(include_if)]
        public: bool,
        #[sitemap(exclude_if = String::is_empty)]
        text: String,
    },
    #[sitemap(loc = "/{path}")]
    Short { path: String },
    #[sitemap(loc = "/{+path}")]
    Long { path: String },
    Part(IndexEntry),
    Rest(UrlEntry),
}

fn is_odd(product: &Product) -> bool {
    product.0 % 2 == 1
}

#[derive(SitemapEntry, FromSitemapEntry)]
enum Single {
    Whole(#[sitemap(loc)] String),
}

fn is_both<T: SitemapEntry + FromSitemapEntry>() {}

pub(super) fn main() {
    is_both::<Page>();
    is_both::<Single>();
}

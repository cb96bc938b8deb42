//! The user has types with the names of the primitive types.
#![allow(dead_code, non_camel_case_types)]

use core::primitive as p;

use sitemap_serde::{FromSitemapEntry, FromSitemapFields};

use crate::derive::programs::names_of_the_primitives::shadow;

shadow!(bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);

const HIGH: p::f64 = 1.0;

#[derive(FromSitemapFields, Default)]
#[sitemap(changefreq = "daily")]
struct Part {
    name: String,
    #[sitemap(lastmod)]
    updated: Option<std::time::SystemTime>,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{part.name}/{id}")]
struct Page {
    id: p::u8,
    #[sitemap(flatten)]
    part: Part,
    #[sitemap(priority, default = HIGH)]
    rank: p::f32,
    #[sitemap(image)]
    photos: Vec<String>,
    #[sitemap(element = "shop:stock")]
    stock: Option<p::u32>,
    #[sitemap(include_if)]
    public: p::bool,
}

#[derive(FromSitemapEntry)]
#[sitemap(base = "https://example.com", encoding = "euc-jp")]
enum Any {
    #[sitemap(loc = "/about", lastmod = "2024-05-06", priority = HIGH)]
    About,
    Page(Page),
    #[sitemap(loc = "/{id}")]
    Product {
        id: p::i64,
        #[sitemap(alternate)]
        others: Vec<(String, String)>,
    },
}

fn is_read<T: FromSitemapEntry>() {}

pub(super) fn main() {
    is_read::<Any>();
}

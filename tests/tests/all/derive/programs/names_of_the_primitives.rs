//! The user has types with the names of the primitive types.
#![allow(dead_code, non_camel_case_types)]

use core::primitive as p;

use sitemap_serde::{SitemapEntry, SitemapFields};

/// The types, in the same list as in the tests of both derives.
macro_rules! shadow {
    ($($name:ident)*) => {
        $(struct $name;)*
    };
}
pub(super) use shadow;

shadow!(bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);

const HIGH: p::f64 = 1.0;
const OFTEN: sitemap_serde::ChangeFreq = sitemap_serde::ChangeFreq::Daily;

#[derive(SitemapFields)]
#[sitemap(changefreq = OFTEN, video(
    player_loc = "/play/{id}",
    thumbnail_loc = "/{id}.jpg",
    title = "{name}",
    description = "{{}}",
    live = "{is_live}"
))]
struct Part<'a, T> {
    id: T,
    name: &'a p::str,
    is_live: p::bool,
    #[sitemap(lastmod, precision = "day")]
    updated: Option<std::time::SystemTime>,
    #[sitemap(exclude_if)]
    hidden: p::bool,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{0.id}", languages("de", "en"), image = "/{1}.jpg", include_if = Self::is_shown)]
struct Page<'a>(
    #[sitemap(flatten)] Option<Part<'a, p::u8>>,
    Option<&'a p::str>,
    #[sitemap(priority, default = HIGH)] Option<p::f32>,
    #[sitemap(include_if = p::bool::clone)] p::bool,
    #[sitemap(element = "shop:stock")] p::u32,
);

impl Page<'_> {
    fn is_shown(&self) -> p::bool {
        true
    }
}

#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com", encoding = "euc-jp")]
enum Any<'a> {
    #[sitemap(loc = "/about", lastmod = "2024-05-06", priority = HIGH)]
    About,
    Page(Page<'a>),
    #[sitemap(loc = "/{lang}/{id}")]
    Product {
        id: p::i64,
        #[sitemap(languages(lang))]
        names: Vec<(String, String)>,
        #[sitemap(image)]
        photo: &'static p::str,
        #[sitemap(exclude_if)]
        draft: p::bool,
    },
    #[sitemap(loc = "/{id}")]
    Linked {
        id: p::u128,
        #[sitemap(alternate)]
        others: [(&'static p::str, &'static p::str); 2],
    },
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Any<'_>>();
}

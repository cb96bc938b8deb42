//! The user has types, functions and macros with the names that generated code would use carelessly.
#![allow(dead_code, unused_macros, non_snake_case)]

use sitemap_serde::SitemapEntry;

struct Option;
struct Result;
struct String;
struct Some;
struct None;
struct Ok;
struct Err;
struct Box;
struct SitemapSerde;
struct EntryWriter;
struct ToLastmod;
struct ChangeFreq;
struct Priority;
struct Field;
struct Mount;
struct Vec;

trait Images {
    fn images(&self) {}
}

impl<T> Images for T {}

trait IntoIterator {}

mod core {}
mod std {}
mod alloc {}
mod sitemap_serde_ {}

#[allow(unused)]
macro_rules! assert {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

macro_rules! unimplemented {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

const HIGH: f32 = 1.0;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", changefreq = "daily", priority = HIGH)]
struct Product {
    slug: &'static str,
    option: Option,
    result: Result,
    string: String,
    #[sitemap(image)]
    photo: &'static str,
    #[sitemap(alternate)]
    languages: [(&'static str, &'static str); 2],
}

#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com", encoding = "euc-jp")]
enum Page {
    #[sitemap(loc = "/none", lastmod = "2024")]
    None,
    Some(Product),
    #[sitemap(loc = "/ok/{Ok}")]
    Ok { Ok: u8 },
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Product>();
    is_entry::<Page>();
}

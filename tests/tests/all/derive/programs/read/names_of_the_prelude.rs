//! The user has types, functions and macros with the names that generated code would use carelessly.
#![allow(dead_code, unused_macros, non_snake_case, non_camel_case_types)]

use sitemap_serde::FromSitemapEntry;

#[derive(Default)]
struct Option;
#[derive(Default)]
struct Result;
#[derive(Default)]
struct String;
struct Some;
struct None;
struct Ok;
struct Err;
struct Box;
struct Default_;
struct EntryReader;
struct Template;
struct Search;
struct Mount;
struct Vec;
struct str;

mod core {}
mod std {}
mod alloc {}

#[allow(unused)]
macro_rules! assert {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

const HIGH: f32 = 1.0;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Product {
    slug: u8,
    #[sitemap(priority, default = HIGH)]
    priority: f64,
    option: Option,
    result: Result,
    string: String,
    #[sitemap(image)]
    photo: std_string,
}

type std_string = ::std::string::String;

#[derive(FromSitemapEntry)]
#[sitemap(base = "https://example.com", encoding = "euc-jp")]
enum Page {
    #[sitemap(loc = "/none", lastmod = "2024")]
    None,
    Some(Product),
    #[sitemap(loc = "/ok/{Ok}")]
    Ok { Ok: u8 },
}

fn is_read<T: FromSitemapEntry>() {}

pub(super) fn main() {
    is_read::<Product>();
    is_read::<Page>();
}

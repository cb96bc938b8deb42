//! Fields, functions, constants and types with the names of locals in generated code.
#![allow(non_upper_case_globals, non_camel_case_types, dead_code)]

use sitemap_serde::FromSitemapEntry;

fn entry(path: &str) -> String {
    path.to_owned()
}

const value: f32 = 0.5;
const loc: f32 = 0.5;
static text: u8 = 0;
struct search;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{entry}/{__entry}/{text}/{loc}")]
struct Product {
    #[sitemap(read_with = entry)]
    entry: String,
    __entry: String,
    text: String,
    loc: String,
    __text_0: String,
    #[sitemap(priority, default = value)]
    value: f64,
    #[sitemap(image)]
    images_of: Vec<String>,
}

const __MOUNT: u8 = 0;

#[derive(FromSitemapEntry)]
#[sitemap(base = "https://example.com", encoding = "shift_jis")]
enum Page {
    #[sitemap(loc = "/{search}")]
    search { search: u8, __search: u8 },
    entry(Product),
    value(#[sitemap(loc, read_with = entry)] String),
}

fn is_read<T: FromSitemapEntry>() {}

pub(super) fn main() {
    is_read::<Product>();
    is_read::<Page>();
}

//! Fields, functions, constants and types with the names of locals and parameters in generated code.
#![allow(non_upper_case_globals, non_camel_case_types, dead_code)]

use sitemap_serde::SitemapEntry;

fn entry(text: &str) -> &str {
    text
}

fn loc(_: &Product) -> f32 {
    0.5
}

const value: f32 = 0.5;
struct found;
static writer: u8 = 0;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{loc}/{entry}/{self_}/{__entry}", priority = self::loc, exclude_if = is_listed)]
#[sitemap(base = "https://example.com", encoding = "shift_jis")]
struct Product {
    #[sitemap(write_with = entry)]
    entry: String,
    loc: u32,
    self_: u32,
    __entry: u32,
    __loc: u32,
    #[sitemap(changefreq, default = "never")]
    found: Option<sitemap_serde::ChangeFreq>,
    #[sitemap(lastmod)]
    lastmod: Option<String>,
    #[sitemap(image)]
    images: String,
    #[sitemap(alternate, write_with = alternates)]
    alternates: u8,
    #[sitemap(news)]
    mount: Option<sitemap_serde::News>,
}

fn alternates(_: &u8) -> [(&'static str, &'static str); 1] {
    [("de", "/")]
}

const __MOUNT: u8 = 0;

fn is_listed(product: &Product) -> bool {
    product.__loc == 0
}

#[derive(SitemapEntry)]
enum Page {
    #[sitemap(loc = "/{entry}/{__entry}/{loc}/{found}")]
    entry {
        #[sitemap(write_with = entry)]
        entry: String,
        __entry: String,
        loc: String,
        found: String,
        #[sitemap(priority, default = value)]
        value: Option<f64>,
    },
    #[sitemap(loc = "/")]
    loc,
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Product>();
    is_entry::<Page>();
}

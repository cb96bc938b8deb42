//! Types with a mount path and an encoding.
#![deny(warnings)]
#![allow(dead_code)]

use sitemap_serde::{FromSitemapEntry, SitemapEntry};

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{slug}", base = "https://example.com")]
struct Product {
    slug: String,
}

/// A base is for values that may be paths.
#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(base = "http://[::1]:8080/a%20b/")]
struct Field {
    #[sitemap(loc)]
    url: String,
}

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "{+url}", base = "HTTPS://example.com:443")]
struct Either {
    url: String,
}

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "https://example.com/about", base = "https://cdn.example.com")]
struct Photos {
    #[sitemap(image)]
    paths: Vec<String>,
}

/// In any case, by any label.
#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "https://example.com/{0}", encoding = "Shift_JIS")]
struct ShiftJis(String);

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/地図", encoding = "csISO2022JP")]
struct Map;

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/map", base = "https://example.com/地図", encoding = "utf8")]
struct Utf8;

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(encoding = "koi8-r")]
#[sitemap(base = "https://example.com")]
enum Page {
    #[sitemap(loc = "/")]
    Home,
    Product(Product),
    ShiftJis(ShiftJis),
    #[sitemap(loc = "https://example.org/{0}")]
    Elsewhere(u8),
}

/// In UTF-8 it would be too long.
#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地地", encoding = "euc-jp")]
struct Long;

fn is_entry<T: SitemapEntry + FromSitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Product>();
    is_entry::<Field>();
    is_entry::<Either>();
    is_entry::<Photos>();
    is_entry::<ShiftJis>();
    is_entry::<Map>();
    is_entry::<Utf8>();
    is_entry::<Page>();
    is_entry::<Long>();
}

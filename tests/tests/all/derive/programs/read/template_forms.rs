//! Templates whose placeholders have an unambiguous end in a loc.
#![deny(warnings)]
#![allow(dead_code)]

use std::num::NonZeroI32;

use sitemap_serde::{FromSitemapEntry, SitemapEntry};

type Text = String;

#[derive(SitemapEntry, FromSitemapEntry)]
enum Page {
    #[sitemap(loc = "/{a}/{b}?c={c}&d={d}#{e}")]
    Reserved { a: Text, b: Text, c: Text, d: Text, e: Text },
    #[sitemap(loc = "/{a}/{+b}/{c}.html")]
    PathInTheMiddle { a: Text, b: Text, c: Text },
    #[sitemap(loc = "{+a}/-/{b}")]
    UrlAtTheStart { a: Text, b: Text },
    #[sitemap(loc = "/{year}-{month}-{day}/{slug}")]
    Date { year: u16, month: u8, day: u8, slug: Text },
    #[sitemap(loc = "/n/{id}-{slug}")]
    NumberFirst { id: i64, slug: Text },
    #[sitemap(loc = "/l/{slug}-{id}.html")]
    NumberLast { slug: Text, id: u64 },
    #[sitemap(loc = "/o/{id}_{slug}")]
    NotZero { id: Option<NonZeroI32>, slug: Text },
    #[sitemap(loc = "https://{tenant}.example.com/{slug}")]
    Host { tenant: Text, slug: Text },
    #[sitemap(loc = "/サイト/{0}[x]")]
    Wide(Text),
    #[sitemap(loc = "/{0}/{+0}?{0}")]
    Repeated(Text),
    #[sitemap(loc = "/{type}")]
    Raw { r#type: Text },
}

fn is_both<T: SitemapEntry + FromSitemapEntry>() {}

pub(super) fn main() {
    is_both::<Page>();
}

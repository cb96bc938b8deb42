//! Every beginning of a template, and every kind of placeholder.
#![allow(dead_code)]

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Root;

#[derive(SitemapEntry)]
#[sitemap(loc = "https://example.com")]
struct Host;

#[derive(SitemapEntry)]
#[sitemap(loc = "http://example.com:8080/{0}#top")]
struct Port(u8);

#[derive(SitemapEntry)]
#[sitemap(loc = "https://{host}.example.com/{+path}?q={query}&page={page}")]
struct All {
    host: &'static str,
    path: String,
    query: Box<str>,
    page: std::num::NonZeroU32,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "{+url}?print=1")]
struct Whole {
    url: std::sync::Arc<str>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/サイト/{名前}")]
struct Unicode {
    名前: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = r"/a%20b/{0}/{0}/{+1}")]
struct Raw(char, i128);

#[derive(SitemapEntry)]
#[sitemap(loc = "/\u{61}/{0}")]
struct Escaped(bool);

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Root>();
    is_entry::<Host>();
    is_entry::<Port>();
    is_entry::<All>();
    is_entry::<Whole>();
    is_entry::<Unicode>();
    is_entry::<Raw>();
    is_entry::<Escaped>();
}

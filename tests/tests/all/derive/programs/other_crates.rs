//! Types of other crates in a template, and as a loc.
#![deny(warnings)]
#![allow(dead_code)]

use sitemap_serde::{FromSitemapEntry, SitemapEntry};
use url::Url;
use uuid::Uuid;

#[derive(SitemapEntry, FromSitemapEntry)]
enum Page {
    #[sitemap(loc = "/users/{0}")]
    User(Uuid),
    #[sitemap(loc = "/posts/{id}?from={from}")]
    Post { id: Option<Uuid>, from: Url },
    #[sitemap(loc = "/short/{0}")]
    Short(#[sitemap(write_with = Uuid::as_simple, read_with = Uuid::parse_str)] Uuid),
    #[sitemap(loc = "{+0}")]
    Whole(Url),
}

#[derive(SitemapEntry, FromSitemapEntry)]
struct Link(#[sitemap(loc)] Option<Url>);

fn is_both<T: SitemapEntry + FromSitemapEntry>() {}

pub(super) fn main() {
    is_both::<Page>();
    is_both::<Link>();
}

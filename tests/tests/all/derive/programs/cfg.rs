//! Fields and variants that `cfg` removes, and conditional attributes.
#![allow(dead_code)]

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[cfg_attr(all(), sitemap(loc = "/{slug}"))]
#[cfg_attr(any(), sitemap(loc = "/{title}"))]
struct Product {
    #[cfg(any())]
    #[sitemap(lastmod)]
    title: NoSuchType,
    #[cfg(not(any()))]
    slug: String,
    #[cfg_attr(all(), sitemap(lastmod))]
    updated: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Tag(#[cfg(any())] NoSuchType, u8);

#[derive(SitemapEntry)]
enum Page {
    #[cfg(any())]
    Gone(NoSuchType),
    #[sitemap(loc = "/{name}")]
    There {
        name: String,
        #[cfg(any())]
        gone: NoSuchType,
        #[cfg(not(any()))]
        #[sitemap(exclude_if)]
        hidden: bool,
    },
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Product>();
    is_entry::<Tag>();
    is_entry::<Page>();
}

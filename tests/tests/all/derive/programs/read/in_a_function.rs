//! Types inside of functions, of every visibility.
#![deny(warnings)]
#![allow(dead_code)]

pub(super) fn main() {
    use sitemap_serde::{FromSitemapEntry, SitemapEntry};

    fn is_both<T: SitemapEntry + FromSitemapEntry>() {}

    #[derive(SitemapEntry, FromSitemapEntry)]
    #[sitemap(loc = "/{0}")]
    struct Product(String);

    mod inner {
        #[derive(sitemap_serde::SitemapEntry, sitemap_serde::FromSitemapEntry)]
        #[sitemap(loc = "/{name}")]
        pub(super) struct Tag {
            name: String,
        }
    }

    {
        #[derive(SitemapEntry, FromSitemapEntry)]
        enum Page {
            Product(Product),
            Tag(inner::Tag),
        }

        is_both::<Page>();
    }
}

//! A public type may have fields of private types, and the other way round.
#![deny(warnings, private_interfaces, private_bounds)]

use sitemap_serde::SitemapEntry;

mod shop {
    use sitemap_serde::SitemapEntry;
    use std::fmt;

    struct Slug<T>(T);

    impl<T: fmt::Display> fmt::Display for Slug<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(f)
        }
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{slug}")]
    pub struct Product<T> {
        slug: Slug<T>,
    }

    impl<T> Product<T> {
        pub fn new(slug: T) -> Self {
            Product { slug: Slug(slug) }
        }
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0}")]
    pub(super) struct Tag(pub(in crate::derive::programs::visibility::shop) u8);

    impl Tag {
        pub(super) fn new() -> Self {
            Tag(0)
        }
    }
}

pub(super) fn main() {
    assert!(shop::Product::new("a").is_listed());
    assert!(shop::Tag::new().is_listed());
}

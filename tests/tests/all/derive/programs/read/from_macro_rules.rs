//! Types that a macro generates, where everything is a macro variable.
#![deny(warnings)]
#![allow(dead_code)]

use sitemap_serde::{FromSitemapEntry, SitemapEntry};

macro_rules! page {
    (
        $vis:vis struct $name:ident at $loc:literal, $low:path, $of:path {
            $($field:ident: $ty:ty),* $(,)?
        }
    ) => {
        #[derive(SitemapEntry, FromSitemapEntry)]
        #[sitemap(loc = $loc)]
        $vis struct $name {
            $($field: $ty,)*
            #[sitemap(lastmod, write_with = Clone::clone, read_with = $of)]
            updated: Option<String>,
            #[sitemap(priority, default = $low)]
            priority: f32,
        }
    };
}

const LOW: f32 = 0.0;

fn same(text: Option<String>) -> Option<String> {
    text
}

page! {
    pub struct Product at "/{id}-{slug}", LOW, self::same {
        slug: String,
        id: Option<u64>,
    }
}

fn is_both<T: SitemapEntry + FromSitemapEntry>() {}

pub(super) fn main() {
    is_both::<Product>();
}

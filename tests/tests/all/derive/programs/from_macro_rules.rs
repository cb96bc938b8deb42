//! Types that a macro generates, where everything is a macro variable.
#![deny(warnings)]
#![allow(dead_code)]

use sitemap_serde::SitemapEntry;

macro_rules! page {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident at $loc:literal, $prio:literal, $freq:expr, $when:path {
            $($field:ident: $ty:ty),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(SitemapEntry)]
        #[sitemap(loc = $loc, priority = $prio, changefreq = $freq, exclude_if = $when)]
        $vis struct $name {
            $($field: $ty,)*
            #[sitemap(lastmod)]
            updated: Option<String>,
        }
    };
}

macro_rules! mounted {
    ($name:ident, $base:literal, $encoding:tt, $($key:ident: $ty:ty = $with:path),*) => {
        #[derive(SitemapEntry)]
        #[sitemap(loc = "/{slug}", base = $base, encoding = $encoding)]
        struct $name {
            slug: String,
            $(#[sitemap($key)] $key: $ty,)*
            $(#[sitemap(image, write_with = $with)] image_of: $ty,)*
        }
    };
}

fn no_images<T>(_: &T) -> [String; 0] {
    []
}

mounted!(Mounted, "https://example.com", "euc-jp", alternate: Vec<sitemap_serde::Alternate> = no_images);

macro_rules! negative {
    ($name:ident, $const:path, $tt:tt) => {
        #[derive(SitemapEntry)]
        #[sitemap(loc = $tt, priority = $const)]
        struct $name;
    };
}

fn never<T>(_: &T) -> bool {
    false
}

const LOW: f32 = 0.0;

page! {
    /// A product.
    pub struct Product at "/{slug}/{id}", 0.5, "weekly", never {
        slug: String,
        id: u64,
    }
}

negative!(Home, LOW, "/");

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Product>();
    is_entry::<Home>();
    is_entry::<Mounted>();
}

//! Under the lints of a strict user.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    nonstandard_style,
    rust_2018_idioms,
    unreachable_pub,
    unused,
    unused_qualifications,
    unused_results,
    trivial_casts,
    single_use_lifetimes,
    clippy::all,
    clippy::pedantic,
    clippy::nursery
)]
#![forbid(unsafe_code)]

use sitemap_serde::SitemapEntry;
use std::fmt;

/// A product.
#[derive(SitemapEntry, Debug)]
#[sitemap(loc = "/{shop}/{slug}", changefreq = "weekly", priority = 0.8, exclude_if = Self::is_hidden)]
pub struct Product<'a, T: fmt::Display, const N: usize> {
    shop: T,
    slug: &'a str,
    #[sitemap(lastmod)]
    updated: Option<String>,
    #[sitemap(exclude_if)]
    draft: bool,
    tags: [u8; N],
}

impl<T: fmt::Display, const N: usize> Product<'_, T, N> {
    const fn is_hidden(&self) -> bool {
        self.tags.is_empty()
    }
}

/// A page.
#[derive(SitemapEntry, Debug)]
pub enum Page {
    /// About.
    #[sitemap(loc = "/about")]
    About,
    /// A product.
    Product(Product<'static, String, 1>),
    /// A tag.
    #[sitemap(loc = "/tags/{name}")]
    Tag {
        /// Its name.
        name: String,
        /// Whether it is shown.
        #[sitemap(include_if)]
        shown: bool,
    },
}

/// An old one.
#[derive(SitemapEntry, Debug)]
#[sitemap(loc = "/{old}")]
pub struct Old {
    /// Not any more.
    #[deprecated]
    pub old: String,
}

const fn is_entry<T: SitemapEntry>() {}

fn main() {
    is_entry::<Product<'_, String, 1>>();
    is_entry::<Page>();
    is_entry::<Old>();
}

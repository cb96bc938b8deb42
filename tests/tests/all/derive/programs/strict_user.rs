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

use sitemap_serde::{Alternate, FromSitemapEntry, News, SitemapEntry, Video};
use std::borrow::Cow;
use std::fmt;

/// A product.
#[derive(SitemapEntry, FromSitemapEntry, Debug)]
#[sitemap(loc = "/{shop}/{slug}", changefreq = "weekly", exclude_if = Self::is_hidden)]
pub struct Product<'a, T: fmt::Display, const N: usize> {
    shop: T,
    slug: Cow<'a, str>,
    #[sitemap(lastmod)]
    updated: Option<String>,
    #[sitemap(exclude_if)]
    draft: bool,
    tags: Tags<N>,
    #[sitemap(priority, write_with = share, read_with = percent)]
    boost: u8,
    #[sitemap(image)]
    photo_url: Option<String>,
    #[sitemap(video, write_with = Clone::clone, read_with = into)]
    videos: Box<[Video]>,
}

fn into(videos: Vec<Video>) -> Box<[Video]> {
    videos.into()
}

impl<T: fmt::Display, const N: usize> Product<'_, T, N> {
    const fn is_hidden(&self) -> bool {
        self.tags.0.is_empty()
    }
}

#[derive(Debug)]
struct Tags<const N: usize>([u8; N]);

impl<const N: usize> Default for Tags<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "`with` hands over a reference")]
fn share(boost: &u8) -> f32 {
    f32::from(*boost) / 255.0
}

fn percent(priority: Option<f32>) -> Result<u8, fmt::Error> {
    priority.map_or(Ok(0), |_| Err(fmt::Error))
}

/// A page.
#[derive(SitemapEntry, FromSitemapEntry, Debug)]
#[sitemap(base = "https://example.com", encoding = "euc-jp")]
pub enum Page {
    /// About.
    #[sitemap(loc = "/about", priority = 0.8)]
    About,
    /// A product.
    Product(Product<'static, String, 1>),
    /// A tag.
    #[sitemap(loc = "/tags/{name}")]
    Tag {
        /// Its name.
        name: String,
        /// In other languages.
        #[sitemap(alternate)]
        languages: Vec<Alternate>,
        /// The article.
        #[sitemap(news)]
        article: Option<News>,
        /// Whether it is shown.
        #[sitemap(include_if)]
        shown: bool,
    },
}

/// An old one.
#[derive(SitemapEntry, FromSitemapEntry, Debug)]
#[sitemap(loc = "/{old}")]
pub struct Old {
    /// Not any more.
    #[deprecated]
    pub old: String,
}

const fn is_entry<T: SitemapEntry + FromSitemapEntry>() {}

fn main() {
    is_entry::<Product<'_, String, 1>>();
    is_entry::<Page>();
    is_entry::<Old>();
}

//! The attributes of other derives next to ours.
#![deny(warnings)]
#![allow(dead_code)]

use serde::{Deserialize, Serialize};
use sitemap_serde::SitemapEntry;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, SitemapEntry)]
#[serde(rename_all = "camelCase")]
#[sitemap(loc = "/{slug}")]
#[must_use]
pub struct Product {
    #[serde(default)]
    /// The slug.
    pub slug: String,
    #[sitemap(priority)]
    #[serde(skip)]
    pub boost: Option<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, SitemapEntry)]
#[non_exhaustive]
#[repr(u8)]
pub enum Page {
    #[default]
    #[sitemap(loc = "/")]
    Home = 1,
    #[sitemap(loc = "/about")]
    About = 2,
}

pub(super) fn main() {
    assert!(Product::default().is_listed());
    assert!(Page::default().is_listed());
}

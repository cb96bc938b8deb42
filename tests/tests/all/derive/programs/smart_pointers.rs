//! Shared and borrowed text, and boxed entries.
#![deny(warnings)]
#![allow(dead_code)]

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use sitemap_serde::{FromSitemapEntry, SitemapEntry};

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{a}/{b}/{c}/{d}/{+e}")]
struct Product<'a> {
    a: Cow<'a, str>,
    b: Box<str>,
    c: Arc<str>,
    d: Rc<str>,
    e: Option<Arc<str>>,
    #[sitemap(lastmod)]
    lastmod: Option<Arc<str>>,
    #[sitemap(changefreq)]
    changefreq: Cow<'a, str>,
    #[sitemap(priority)]
    priority: Box<f32>,
}

#[derive(SitemapEntry, FromSitemapEntry)]
enum Page<'a> {
    Boxed(Box<Product<'a>>),
    #[sitemap(loc = "/x")]
    X(#[sitemap(lastmod)] Rc<str>),
    Whole(#[sitemap(loc)] Cow<'a, str>),
}

fn is_both<T: SitemapEntry + FromSitemapEntry>() {}

pub(super) fn main() {
    is_both::<Product<'_>>();
    is_both::<Page<'_>>();
}

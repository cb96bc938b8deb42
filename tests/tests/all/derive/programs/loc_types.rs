//! The types of a `loc` field.
#![deny(warnings)]
#![allow(dead_code)]

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
enum Page<'a> {
    A(#[sitemap(loc)] String),
    B(#[sitemap(loc)] &'a str),
    C(#[sitemap(loc)] Cow<'a, str>),
    D(#[sitemap(loc)] Box<str>),
    E(#[sitemap(loc)] Arc<str>),
    F(#[sitemap(loc)] Rc<str>),
    G(#[sitemap(loc)] Option<String>),
    H(#[sitemap(loc)] Option<&'a str>),
    I(#[sitemap(loc)] &'a String),
    J(#[sitemap(loc)] &'a Option<String>),
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Page<'_>>();
}

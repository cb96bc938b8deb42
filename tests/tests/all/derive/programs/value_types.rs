//! The types of `lastmod`, `changefreq` and `priority` fields, without any feature.
#![deny(warnings)]
#![allow(dead_code)]

use std::time::SystemTime;

use sitemap_serde::{ChangeFreq, Priority, Result, SitemapEntry, W3cDateTime, convert::ToChangeFreq};

enum Often {
    Very,
}

impl ToChangeFreq for Often {
    fn to_changefreq(&self) -> Result<Option<ChangeFreq>> {
        Ok(Some(match self {
            Often::Very => ChangeFreq::Always,
        }))
    }
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct A<'a> {
    #[sitemap(lastmod)]
    lastmod: W3cDateTime,
    #[sitemap(changefreq)]
    changefreq: ChangeFreq,
    #[sitemap(priority)]
    priority: Priority,
    lifetime: &'a (),
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct B<'a> {
    #[sitemap(lastmod)]
    lastmod: Option<SystemTime>,
    #[sitemap(changefreq)]
    changefreq: Option<Often>,
    #[sitemap(priority)]
    priority: Option<&'a f32>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct C<'a> {
    #[sitemap(lastmod)]
    lastmod: &'a str,
    #[sitemap(changefreq)]
    changefreq: &'a Option<Often>,
    #[sitemap(priority)]
    priority: f64,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct D {
    #[sitemap(lastmod)]
    lastmod: Option<String>,
    #[sitemap(changefreq)]
    changefreq: Option<String>,
    #[sitemap(priority)]
    priority: Option<f64>,
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<A<'_>>();
    is_entry::<B<'_>>();
    is_entry::<C<'_>>();
    is_entry::<D>();
}

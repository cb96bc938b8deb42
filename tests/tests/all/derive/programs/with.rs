//! Functions of every sort that convert a field.
#![deny(warnings)]
#![allow(dead_code)]

use sitemap_serde::{ChangeFreq, SitemapEntry};

mod convert {
    use sitemap_serde::ChangeFreq;

    pub fn year(year: &u16) -> String {
        year.to_string()
    }

    pub fn often(views: &u32) -> Option<ChangeFreq> {
        (*views > 1000).then_some(ChangeFreq::Daily)
    }

    pub const fn percent(value: &u8) -> f32 {
        *value as f32 / 100.0
    }
}

#[derive(SitemapEntry)]
struct Product {
    #[sitemap(loc, write_with = Option::as_deref)]
    url: Option<String>,
    #[sitemap(lastmod, write_with = convert::year)]
    year: u16,
    #[sitemap(changefreq, write_with = convert::often, default = "yearly")]
    views: u32,
    #[sitemap(priority, write_with = convert::percent)]
    weight: u8,
}

struct Id(u32);

impl Id {
    fn hex(&self) -> String {
        format!("{:x}", self.0)
    }
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}/{name}/{date}/{maybe}")]
struct Page {
    #[sitemap(write_with = Id::hex)]
    id: Id,
    #[sitemap(write_with = str::trim)]
    name: String,
    // Next to a key, `with` applies to that key only. The template uses the field itself.
    #[sitemap(lastmod, write_with = Clone::clone)]
    date: String,
    #[sitemap(write_with = Option::Some::<&u8>)]
    maybe: u8,
}

fn frequency<T>(_: &T) -> ChangeFreq {
    ChangeFreq::Never
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Generic<T>(#[sitemap(changefreq, write_with = frequency::<T>)] T);

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Product>();
    is_entry::<Page>();
    is_entry::<Generic<[u8; 4]>>();
}

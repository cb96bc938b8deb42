//! Functions of every sort that convert to a field's value.
#![deny(warnings)]
#![allow(dead_code)]

use std::num::ParseIntError;

use sitemap_serde::{ChangeFreq, FromSitemapEntry, Result, SitemapEntry, W3cDateTime};

mod convert {
    use sitemap_serde::ChangeFreq;

    pub fn views(often: Option<ChangeFreq>) -> u32 {
        often.map_or(0, |_| 1000)
    }

    pub const fn weight(priority: f32) -> u8 {
        (priority * 100.0) as u8
    }
}

#[derive(FromSitemapEntry)]
struct Product {
    #[sitemap(loc, read_with = str::len)]
    length: usize,
    #[sitemap(lastmod, read_with = Product::year)]
    year: u16,
    #[sitemap(changefreq, default = "yearly", read_with = convert::views)]
    views: u32,
    #[sitemap(priority, read_with = convert::weight)]
    weight: u8,
}

impl Product {
    fn year(lastmod: W3cDateTime) -> u16 {
        lastmod.year()
    }
}

struct Id(u32);

impl Id {
    fn hex(&self) -> String {
        format!("{:x}", self.0)
    }

    fn from_hex(text: &str) -> Result<Self, ParseIntError> {
        u32::from_str_radix(text, 16).map(Id)
    }
}

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{id}/{name}/{maybe}/{year}")]
struct Page {
    #[sitemap(write_with = Id::hex, read_with = Id::from_hex)]
    id: Id,
    #[sitemap(read_with = String::from)]
    name: String,
    #[sitemap(write_with = or_zero, read_with = some)]
    maybe: Option<u8>,
    // The template has it, so the lastmod need not.
    #[sitemap(lastmod, write_with = u16::to_string)]
    year: u16,
    #[sitemap(changefreq, read_with = Ok::<ChangeFreq, String>)]
    often: ChangeFreq,
    #[sitemap(priority, write_with = Clone::clone, read_with = std::convert::identity::<Option<f64>>)]
    priority: Option<f64>,
}

fn or_zero(maybe: &Option<u8>) -> u8 {
    maybe.unwrap_or_default()
}

fn some(text: &str) -> Result<Option<u8>> {
    text.parse().map(Some).map_err(sitemap_serde::Error::custom)
}

fn is_read<T: FromSitemapEntry>() {}

pub(super) fn main() {
    is_read::<Product>();
    is_read::<Page>();
}

//! Types that a template can display.
#![deny(warnings)]
#![allow(dead_code)]

use std::fmt;
use std::net::Ipv4Addr;

use sitemap_serde::SitemapEntry;

struct Own;

impl fmt::Display for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("own")
    }
}

type Alias = Option<u8>;

macro_rules! a_type {
    () => { u16 };
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}/{i}")]
struct Product<'a> {
    a: Own,
    b: Option<Own>,
    c: Alias,
    d: &'a dyn fmt::Display,
    e: Box<dyn fmt::Display + Send>,
    f: a_type!(),
    g: Ipv4Addr,
    h: fmt::Arguments<'a>,
    i: u8,
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Product<'_>>();
}

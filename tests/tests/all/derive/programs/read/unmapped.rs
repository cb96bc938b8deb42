//! Fields without a value in the sitemap.
#![deny(warnings)]
#![allow(dead_code)]

use std::collections::HashMap;
use std::marker::PhantomData;

use sitemap_serde::FromSitemapEntry;

#[derive(Default)]
enum Own {
    #[default]
    One,
}

struct NotDefault;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Product<'a> {
    slug: String,
    id: i64,
    own: Own,
    text: &'a str,
    option: Option<NotDefault>,
    map: HashMap<NotDefault, NotDefault>,
    array: [u8; 4],
    tuple: (u8, String),
    phantom: PhantomData<NotDefault>,
    #[sitemap(exclude_if)]
    draft: bool,
    #[sitemap(include_if)]
    public: bool,
    #[sitemap(exclude_if = Option::is_none)]
    price: Option<f64>,
    #[cfg(any())]
    absent: NotDefault,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Unit;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{1}")]
struct Tuple(u8, u16, u32);

fn is_read<T: FromSitemapEntry>() {}

pub(super) fn main() {
    is_read::<Product<'_>>();
    is_read::<Unit>();
    is_read::<Tuple>();
}

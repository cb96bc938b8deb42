//! The types that a placeholder can be read as.
#![deny(warnings)]
#![allow(dead_code)]

use std::borrow::Cow;
use std::net::IpAddr;
use std::num::NonZeroU64;
use std::rc::Rc;
use std::str::FromStr;
use std::sync::Arc;

use sitemap_serde::FromSitemapEntry;
use uuid::Uuid;

struct Own(u32);

impl FromStr for Own {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.len().try_into().map(Own).map_err(|_| "too long")
    }
}

type Alias = Option<u8>;

macro_rules! a_type {
    () => { u16 };
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}/{+i}/{j}/{k}/{l}")]
struct Product<'a> {
    a: Own,
    b: Option<Own>,
    c: Alias,
    d: Uuid,
    e: Option<NonZeroU64>,
    f: a_type!(),
    g: IpAddr,
    h: Cow<'a, str>,
    i: Box<str>,
    j: Arc<str>,
    k: Rc<str>,
    l: Option<Cow<'static, str>>,
}

fn is_read<T: FromSitemapEntry>() {}

pub(super) fn main() {
    is_read::<Product<'_>>();
}

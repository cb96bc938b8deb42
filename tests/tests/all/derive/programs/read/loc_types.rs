//! The types that a loc can be read as.
#![deny(warnings)]
#![allow(dead_code)]

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
struct Page<T>(#[sitemap(loc)] T);

fn is_read<T: FromSitemapEntry>() {}

pub(super) fn main() {
    is_read::<Page<String>>();
    is_read::<Page<Cow<'_, str>>>();
    is_read::<Page<Box<str>>>();
    is_read::<Page<Arc<str>>>();
    is_read::<Page<Rc<str>>>();
    is_read::<Page<url::Url>>();
    is_read::<Page<Option<url::Url>>>();
    is_read::<Page<Box<String>>>();
}

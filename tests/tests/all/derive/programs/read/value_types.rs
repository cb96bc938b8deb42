//! The types that the other three values can be read as.
#![deny(warnings)]
#![allow(dead_code)]

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;
use std::time::SystemTime;

use sitemap_serde::{ChangeFreq, FromSitemapEntry, Priority, Result, W3cDateTime, convert::FromChangeFreq};

enum Often {
    Very,
    Sometimes,
}

impl FromChangeFreq for Often {
    fn from_changefreq(value: Option<ChangeFreq>) -> Result<Self> {
        Ok(match value {
            Some(ChangeFreq::Always | ChangeFreq::Hourly) => Often::Very,
            _ => Often::Sometimes,
        })
    }
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Page<L, C, P> {
    #[sitemap(lastmod)]
    lastmod: L,
    #[sitemap(changefreq)]
    changefreq: C,
    #[sitemap(priority)]
    priority: P,
}

fn is_read<T: FromSitemapEntry>() {}

pub(super) fn main() {
    is_read::<Page<W3cDateTime, ChangeFreq, Priority>>();
    is_read::<Page<Option<SystemTime>, Option<Often>, Option<f32>>>();
    is_read::<Page<String, String, f64>>();
    is_read::<Page<Box<str>, &'static str, Box<f64>>>();
    is_read::<Page<Arc<str>, Rc<str>, f32>>();
    is_read::<Page<Cow<'_, str>, Cow<'_, str>, f32>>();
}

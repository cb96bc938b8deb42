//! Rows of several entries and of parts, read without the prelude and with names of locals.
#![no_implicit_prelude]
#![allow(non_upper_case_globals, dead_code)]

const template: u8 = 0;
const inner: u8 = 1;
const value: u8 = 2;

#[derive(::sitemap_serde::FromSitemapFields)]
struct Part<T> {
    id: u8,
    r#type: ::std::string::String,
    #[sitemap(image)]
    images: T,
    #[sitemap(flatten)]
    dates: ::core::option::Option<Dates>,
}

#[derive(::sitemap_serde::FromSitemapFields, ::core::default::Default)]
struct Dates {
    #[sitemap(lastmod)]
    changed: ::core::option::Option<::std::time::SystemTime>,
}

type Pairs = ::std::vec::Vec<(::std::string::String, u32)>;

#[derive(::sitemap_serde::FromSitemapEntry)]
enum Page<T> {
    #[sitemap(loc = "/{lang}/{0.id}/{0.type}", languages("de", "en"))]
    Of(#[sitemap(flatten)] ::core::option::Option<Part<T>>),
    #[sitemap(loc = "/{lang}/{slug}")]
    Map {
        #[sitemap(languages(slug))]
        slugs: ::std::collections::HashMap<::std::boxed::Box<str>, u32>,
    },
    #[sitemap(loc = "/{lang}/x/{slug}")]
    Converted {
        #[sitemap(languages(slug), read_with = one)]
        slugs: ::core::option::Option<u32>,
        #[sitemap(flatten, read_with = changed)]
        changed: bool,
    },
}

fn one(pairs: Pairs) -> ::core::option::Option<u32> {
    pairs.first().map(|(_, slug)| *slug)
}

fn changed(dates: Dates) -> bool {
    dates.changed.is_some()
}

fn is_read<T: ::sitemap_serde::FromSitemapEntry>() {}

pub(super) fn main() {
    is_read::<Page<::std::vec::Vec<::sitemap_serde::Image>>>();
}

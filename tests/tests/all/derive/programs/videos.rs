//! Videos from templates, without the prelude and with names of locals.
#![no_implicit_prelude]
#![allow(non_upper_case_globals, dead_code)]

const video: u8 = 0;
const text: u8 = 1;
const inner: u8 = 2;

#[derive(::sitemap_serde::SitemapFields)]
#[sitemap(video(
    player_loc = "/play/{id}",
    thumbnail_loc = "/{id}.jpg",
    title = "{r#type}",
    description = "{{}}",
))]
struct Part<'a, T> {
    id: T,
    r#type: &'a str,
    date: ::core::option::Option<::std::time::SystemTime>,
}

#[derive(::sitemap_serde::SitemapEntry)]
#[sitemap(
    loc = "/{lang}/{0.id}",
    languages("de", "en"),
    video(
        thumbnail_loc = Self::thumbnail,
        title = "{1}, {lang}",
        description = "{0.type}",
        content_loc = "/{+1}.mp4",
        duration = duration,
        publication_date = "{0.date}",
        expiration_date = "{2}",
        live = "{3}"
    )
)]
struct Page<'a>(
    #[sitemap(flatten)] ::core::option::Option<Part<'a, u8>>,
    ::core::option::Option<&'a str>,
    #[sitemap(write_with = day)] u32,
    bool,
);

impl Page<'_> {
    fn thumbnail(&self) -> ::core::result::Result<&str, &'static str> {
        ::core::result::Result::Ok("/x.jpg")
    }
}

fn duration(_: &Page<'_>) -> ::core::option::Option<u32> {
    ::core::option::Option::Some(1)
}

fn day(_: &u32) -> &'static str {
    "2024-05-06"
}

fn is_entry<T: ::sitemap_serde::SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Page<'_>>();
}

//! `r#type` is `{type}` in a template.
#![allow(dead_code, non_camel_case_types)]

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{type}/{r#match}/{async}", exclude_if = r#fn)]
struct r#struct {
    r#type: String,
    r#match: u8,
    r#async: u8,
    #[sitemap(lastmod, write_with = r#final)]
    r#box: u8,
}

fn r#fn(_: &r#struct) -> bool {
    false
}

fn r#final(_: &u8) -> &'static str {
    "2024"
}

#[derive(SitemapEntry)]
enum r#enum {
    #[sitemap(loc = "/{type}")]
    r#impl {
        r#type: String,
        #[sitemap(exclude_if)]
        r#where: bool,
    },
    #[sitemap(loc = "/loop")]
    r#loop,
    r#use(r#struct),
}

fn is_entry<T: SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<r#struct>();
    is_entry::<r#enum>();
}

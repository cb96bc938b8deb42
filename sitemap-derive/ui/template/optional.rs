// `{name?}` is for a value that may be empty.

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang?}/{id?}/{+page?}/{slug ?}/{?slug}/{+?slug}", languages("de", "en"))]
struct Page {
    id: u32,
    page: i64,
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{id?}/{name?}/{slg?}",
    video(thumbnail_loc = "/{slug?}.jpg", title = "{name?}", description = "{name}", content_loc = "/{slug??}")
)]
struct Film {
    #[sitemap(write_with = shown)]
    id: u32,
    name: Option<u32>,
    slug: String,
}

fn main() {}

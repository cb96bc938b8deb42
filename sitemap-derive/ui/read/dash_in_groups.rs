// What is advised is not what is there already.

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{+category}/{name}/{id}-{slug}")]
struct NumberBehindAPath {
    category: String,
    name: String,
    id: u32,
    slug: String,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{+category}/{name}-{slug}")]
struct TextBehindAPath {
    category: String,
    name: String,
    slug: String,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{slug}-{id}-{name}")]
struct NumberInTheMiddle {
    slug: String,
    id: u32,
    name: String,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{+category}/{id}/{+path}")]
struct TwoPaths {
    category: String,
    id: u32,
    path: String,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{+category}-{+path}")]
struct TwoPathsWithADash {
    category: String,
    path: String,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{+category}-{path}")]
struct APathAndAText {
    category: String,
    path: String,
}

fn main() {}

// What takes an empty value too takes all locs of what does not.

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
enum Page {
    #[sitemap(loc = "/a/{slug}/{page}")]
    Filled { slug: String, page: String },
    #[sitemap(loc = "/a/{slug?}/{page}")]
    Reached { slug: String, page: String },
    #[sitemap(loc = "/b/{slug?}/{page}")]
    OrEmpty { slug: String, page: String },
    #[sitemap(loc = "/b/{slug}/{page?}")]
    AlsoReached { slug: String, page: String },
    #[sitemap(loc = "/b/{slug}/{page}")]
    NotReached { slug: String, page: String },
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{shift?}-{slug}")]
struct Signed {
    shift: Option<i32>,
    slug: String,
}

fn main() {}

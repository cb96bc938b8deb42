use sitemap_serde::FromSitemapEntry;

use std::str::FromStr;

struct Slug;

struct NotDisplayed;

impl FromStr for Slug {
    type Err = NotDisplayed;

    fn from_str(_: &str) -> Result<Self, NotDisplayed> {
        Err(NotDisplayed)
    }
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Product {
    slug: Slug,
}

fn main() {}

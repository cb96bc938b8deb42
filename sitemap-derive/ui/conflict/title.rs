// The title of a page, which is given once.

use sitemap_serde::{FromSitemapEntry, SitemapEntry, SitemapFields};

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}")]
struct TwoFields {
    id: u32,
    #[sitemap(title)]
    first: String,
    #[sitemap(title)]
    second: String,
}

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{id}", title = "Page {id}")]
struct LiteralAndField {
    id: u32,
    #[sitemap(title)]
    name: String,
}

#[derive(SitemapEntry)]
enum Page {
    #[sitemap(loc = "/{id}", title = Self::heading)]
    FunctionAndField {
        id: u32,
        #[sitemap(title)]
        name: String,
    },
}

#[derive(SitemapFields)]
struct TwoKeys {
    #[sitemap(title, lastmod)]
    dated: String,
    #[sitemap(element = "shop:name", title)]
    named: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", title = "One", title = "Two")]
struct Twice {
    id: u32,
}

fn main() {}

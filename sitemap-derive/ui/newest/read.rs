// An entry has one lastmod, of which field nobody can tell.

use sitemap_serde::{FromSitemapEntry, FromSitemapFields, SitemapEntry, SitemapFields};

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest(created_at, shop.updated_at))]
struct Row {
    id: u32,
    created_at: String,
    #[sitemap(flatten)]
    shop: Shop,
}

#[derive(SitemapFields, FromSitemapFields)]
struct Shop {
    updated_at: String,
}

#[derive(FromSitemapFields)]
#[sitemap(lastmod = newest(created_at, updated_at))]
struct Product {
    created_at: String,
    updated_at: Option<String>,
}

fn main() {}

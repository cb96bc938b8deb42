//! A date of a library whose feature is off: the first notes say which feature.
use sitemap_serde::{FromSitemapEntry, SitemapEntry};

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Page {
    id: u32,
    #[sitemap(lastmod)]
    changed: chrono::DateTime<chrono::Utc>,
}

fn main() {}

// What stands beside `newest(…)`.

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest(created_at, updated_at))]
struct Named {
    id: u32,
    created_at: String,
    #[sitemap(lastmod)]
    updated_at: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest(created_at, updated_at))]
struct NotNamed {
    id: u32,
    created_at: String,
    updated_at: String,
    #[sitemap(lastmod)]
    reviewed_at: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest(created_at, updated_at))]
struct Roles {
    id: u32,
    #[sitemap(image)]
    created_at: String,
    #[sitemap(precision = "day")]
    updated_at: String,
    #[sitemap(zone = "UTC")]
    reviewed_at: String,
}

fn main() {}

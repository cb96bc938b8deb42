// What the newest date is called elsewhere.

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = coalesce(updated_at, created_at))]
struct Sql {
    id: u32,
    created_at: String,
    updated_at: Option<String>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = std::cmp::max(product.updated_at, created_at))]
struct Rust {
    id: u32,
    created_at: String,
    #[sitemap(flatten)]
    product: Product,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = oldest(updated_at, created_at))]
struct Oldest {
    id: u32,
    created_at: String,
    updated_at: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}")]
struct OnTheField {
    id: u32,
    created_at: String,
    #[sitemap(lastmod = newest(created_at, updated_at))]
    updated_at: String,
}

fn main() {}

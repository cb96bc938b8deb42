// `newest(…)` takes the names of two or more fields with dates.

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest())]
struct None {
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest(updated_at))]
struct One {
    id: u32,
    updated_at: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest(created_at, updatedat, edited))]
struct Unknown {
    id: u32,
    created_at: String,
    updated_at: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}", lastmod = newest(1, 4))]
struct Positions(u32, String, String);

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest(created_at, updated_at, created_at))]
struct Twice {
    id: u32,
    created_at: String,
    updated_at: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest("created_at", &updated_at, self.edited_at, self.product.edited_at))]
struct Written {
    id: u32,
    created_at: String,
    updated_at: String,
    edited_at: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest(created_at, Self::changed, "2024-05-06", day(updated_at)))]
struct Computed {
    id: u32,
    created_at: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest(created_at, product.updated_at, shop.updated_at))]
struct Inside {
    id: u32,
    created_at: String,
    product: Product,
}

enum Page {
    Home,
}

#[derive(SitemapEntry)]
enum Pages {
    #[sitemap(loc = "/{id}", lastmod = newest(created_at, updated))]
    Post { id: u32, created_at: String },
}

fn main() {}

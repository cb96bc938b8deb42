use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products")]
struct Products {
    #[sitemap(lastmod)]
    updated: Option<chrono::NaiveDateTime>,
}

fn main() {}

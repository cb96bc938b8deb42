use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(crate = no_such_crate, loc = "/products/{slug}", priority = 0.5)]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated: String,
}

fn main() {}

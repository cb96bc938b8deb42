use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
struct Product {
    #[sitemap(loc)]
    url: String,
    #[sitemap(loc)]
    path: String,
    #[sitemap(loc)]
    old: String,
}

fn main() {}

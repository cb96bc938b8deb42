use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
struct Product {
    #[sitemap(loc)]
    id: u64,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products{?page}")]
struct Product {
    page: u32,
}

fn main() {}

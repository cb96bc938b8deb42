use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{id}")]
struct Product {
    id: u64,
    #[sitemap(image)]
    photo: u64,
}

fn main() {}

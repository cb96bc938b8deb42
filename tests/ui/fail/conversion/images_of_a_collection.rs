use sitemap_serde::SitemapEntry;

struct Photo;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{id}")]
struct Product {
    id: u64,
    #[sitemap(image)]
    photos: Vec<Photo>,
}

fn main() {}

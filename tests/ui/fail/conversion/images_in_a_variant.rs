use sitemap_serde::SitemapEntry;

struct Photo;

#[derive(SitemapEntry)]
enum Page {
    #[sitemap(loc = "/{0}")]
    Product(u64, #[sitemap(image)] Option<Photo>),
}

fn main() {}

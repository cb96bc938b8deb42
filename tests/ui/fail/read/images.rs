use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Page {
    id: u64,
    #[sitemap(image)]
    value: u64,
}

fn main() {}

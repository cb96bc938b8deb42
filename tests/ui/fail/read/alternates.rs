use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Page {
    id: u64,
    #[sitemap(alternate)]
    value: String,
}

fn main() {}

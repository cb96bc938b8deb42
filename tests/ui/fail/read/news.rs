use sitemap_serde::{FromSitemapEntry, News};

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Page {
    id: u64,
    #[sitemap(news)]
    value: Vec<News>,
}

fn main() {}

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Product {
    #[sitemap(exclude_if)]
    deleted: Option<u64>,
}

fn main() {}

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{id}-{slug}")]
struct Product {
    #[sitemap(read_with = from_base64)]
    id: u64,
    slug: String,
}

fn from_base64(_: &str) -> u64 {
    0
}

fn main() {}

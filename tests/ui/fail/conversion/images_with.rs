use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{id}")]
struct Product {
    #[sitemap(image, write_with = photo)]
    id: u64,
    #[sitemap(image, write_with = no_such_function)]
    other: u64,
}

fn photo(id: &u64) -> u64 {
    *id
}

fn main() {}

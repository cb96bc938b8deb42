use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{slug}-{id}")]
struct Product {
    slug: String,
    id: i64,
}

fn main() {}

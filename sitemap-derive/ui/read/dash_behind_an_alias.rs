use sitemap_serde::FromSitemapEntry;

type Id = u64;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{id}-{slug}")]
struct Product {
    id: Id,
    slug: String,
}

fn main() {}

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{shop}{slug}")]
struct Product {
    shop: String,
    slug: String,
}

fn main() {}

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/products/{shop}-{slug}.html")]
struct Product {
    shop: String,
    slug: String,
}

fn main() {}

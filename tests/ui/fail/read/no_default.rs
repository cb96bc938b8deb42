use sitemap_serde::FromSitemapEntry;

struct Shop;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Product {
    slug: String,
    shop: Shop,
    #[sitemap(exclude_if = Option::is_none)]
    price: Result<u8, u8>,
}

fn main() {}

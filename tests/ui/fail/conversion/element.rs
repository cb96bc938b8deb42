use sitemap_serde::{FromSitemapEntry, SitemapEntry};

struct Price(f64);

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Written {
    id: u32,
    #[sitemap(element = "shop:price")]
    price: Price,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Read {
    id: u32,
    #[sitemap(element = "shop:price")]
    price: Option<Price>,
}

fn main() {}

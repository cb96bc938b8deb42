use sitemap_serde::{FromSitemapEntry, SitemapEntry};

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", element = "shop:price")]
struct Names {
    id: u32,
    #[sitemap(element = "price")]
    price: f64,
    #[sitemap(element = "image:image")]
    image: String,
    #[sitemap(element = "lastmod")]
    changed: String,
    #[sitemap(element = "xml:lang")]
    language: String,
    #[sitemap(element = "shop:")]
    empty: String,
    #[sitemap(element = "shop:a b")]
    space: String,
    #[sitemap(element = "{urn:shop}price")]
    expanded: String,
    #[sitemap(element)]
    nothing: String,
    #[sitemap(element = PRICE)]
    constant: String,
    #[sitemap(element = "shop:price", image)]
    two: String,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Twice {
    id: u32,
    #[sitemap(element = "shop:price")]
    price: f64,
    #[sitemap(element = "shop:price")]
    other: Vec<f64>,
}

fn main() {}

use sitemap_serde::{SitemapEntry, SitemapFields};

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", namespace = "urn:shop")]
struct Value {
    #[sitemap(namespace(shop = "urn:shop"))]
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", namespace())]
struct Empty {
    id: u32,
}

#[derive(SitemapFields)]
#[sitemap(namespace(shop, "urn:shop", lamp = 5, image = "urn:image", xmlshop = "urn:x", a = ""))]
struct Parts {
    #[sitemap(element = "shop:price")]
    price: f64,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", namespace(a = "urn:a", a = "urn:b", c = "urn:a" d = "urn:d"))]
struct Twice {
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{id}",
    namespace(
        own = "http://www.sitemaps.org/schemas/sitemap/0.9",
        pictures = "http://www.google.com/schemas/sitemap-image/1.1",
        words = "urn: shop"
    )
)]
struct Known {
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(xmlns(shop = "urn:shop"))]
enum Meant {
    #[sitemap(loc = "/", namespace(shop = "urn:shop"))]
    Home,
}

fn main() {}

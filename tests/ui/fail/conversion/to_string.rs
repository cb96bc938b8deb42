use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Product {
    slug: String,
}

fn write(products: &[Product]) {
    let _ = sitemap_serde::to_string(products);
}

fn main() {}

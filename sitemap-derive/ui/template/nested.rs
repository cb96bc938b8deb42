use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{a{slug}}")]
struct Product {
    slug: String,
}

fn main() {}

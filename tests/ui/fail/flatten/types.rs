use sitemap_serde::{SitemapEntry, SitemapFields};

struct Plain {
    slug: String,
}

#[derive(SitemapFields)]
struct Product {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/a/{plain.slug}")]
struct Row {
    #[sitemap(flatten)]
    plain: Plain,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/b/{product.slg}")]
struct Misspelt {
    #[sitemap(flatten)]
    product: Option<Product>,
}

fn main() {}

use sitemap_serde::{SitemapEntry, SitemapFields};

#[derive(SitemapFields)]
#[sitemap(priority = 0.5)]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated_at: Option<String>,
}

#[derive(SitemapFields)]
struct Nested {
    #[sitemap(flatten)]
    product: Product,
}

/// By the row and by what it flattens.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{product.slug}", priority = 0.8)]
struct Row {
    #[sitemap(flatten)]
    product: Option<Product>,
}

/// By two, one of them deeper.
#[derive(SitemapEntry)]
#[sitemap(loc = "/a/{first.slug}")]
struct Two {
    #[sitemap(flatten)]
    first: Product,
    #[sitemap(flatten)]
    second: Nested,
}

fn main() {}

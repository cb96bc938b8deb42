use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products?id={slug}&amp;lang=en&lt;")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", exclude_if = |p| p.draft, include_if = "Product::is_public")]
struct Product {
    slug: String,
    #[sitemap(lastmod, write_with = 5, zone = true)]
    updated: String,
}

fn main() {}

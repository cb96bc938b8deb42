use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/\n{slug}")]
struct Product {
    slug: String,
}

fn main() {}

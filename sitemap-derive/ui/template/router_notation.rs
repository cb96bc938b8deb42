use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/:slug/<id>")]
struct Product {
    id: u64,
    slug: String,
}

fn main() {}

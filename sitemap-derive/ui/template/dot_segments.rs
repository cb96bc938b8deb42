use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/../{slug}/./x")]
struct Product {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/a|b/<c>")]
struct Product {
    slug: String,
}

fn main() {}

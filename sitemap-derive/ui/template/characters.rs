use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/a|b/<c>\u{7f}\u{a0}")]
struct Product {
    slug: String,
}

fn main() {}

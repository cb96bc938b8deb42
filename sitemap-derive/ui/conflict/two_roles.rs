use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
struct Product {
    #[sitemap(loc, lastmod)]
    url: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com")]
enum Page {
    #[sitemap(loc = "https://example.com/about")]
    About,
    #[sitemap(loc = "https://example.com/{0}")]
    Product(String),
}

fn main() {}

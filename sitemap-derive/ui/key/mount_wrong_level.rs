use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
enum Page {
    #[sitemap(loc = "/about", base = "https://example.com", encoding = "euc-jp")]
    About,
    #[sitemap(loc = "/{0}")]
    Product(#[sitemap(encoding = "euc-jp", base = "https://example.com")] String),
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/about", encoding = "euc-jp", base = "https://example.com")]
struct About;

fn main() {}

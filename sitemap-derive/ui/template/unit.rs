use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/about/{lang}")]
struct About;

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
enum Never {}

fn main() {}

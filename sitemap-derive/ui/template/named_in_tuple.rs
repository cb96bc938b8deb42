use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/tags/{name}")]
struct Tag(String);

fn main() {}

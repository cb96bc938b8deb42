use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/tags/{0}/{2}")]
struct Tag(String, u32);

fn main() {}

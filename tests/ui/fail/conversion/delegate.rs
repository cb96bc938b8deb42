use sitemap_serde::SitemapEntry;

struct Post;

#[derive(SitemapEntry)]
enum Page {
    Post(Post),
}

fn main() {}

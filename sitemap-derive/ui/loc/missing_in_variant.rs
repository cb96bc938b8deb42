use sitemap_serde::SitemapEntry;

struct Post;

#[derive(SitemapEntry)]
enum Page {
    About,
    #[sitemap(priority = 0.3)]
    Imprint,
    #[sitemap(priority = 0.9)]
    Post(Post),
    Tag {
        name: String,
    },
    Pair(String, String),
}

fn main() {}

use sitemap_serde::{News, SitemapEntry};

#[derive(SitemapEntry)]
#[sitemap(loc = "/articles/{id}")]
struct Article {
    id: u64,
    #[sitemap(news)]
    articles: Vec<News>,
}

fn main() {}

use sitemap_serde::{News, SitemapEntry};

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Article {
    slug: String,
    #[sitemap(news)]
    german: Option<News>,
    #[sitemap(news)]
    french: Option<News>,
}

fn main() {}

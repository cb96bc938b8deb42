use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
enum Page {
    #[sitemap(loc = "/about/{lang}")]
    About,
    #[sitemap(loc = "/tags/{nam}")]
    Tag { name: String },
    #[sitemap(loc = "/posts/{slug}")]
    Post(String),
}

fn main() {}

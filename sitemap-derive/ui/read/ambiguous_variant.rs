use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
enum Page {
    #[sitemap(loc = "/{0}{1}")]
    Pair(String, String),
    #[sitemap(loc = "/a/{a}{b}")]
    Named { a: String, b: String },
}

fn main() {}

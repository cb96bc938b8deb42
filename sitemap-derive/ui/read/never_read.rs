use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
enum Page {
    #[sitemap(loc = "/about")]
    About,
    #[sitemap(loc = "/tags/{0}")]
    Tag(String),
    #[sitemap(loc = "/tags/{name}")]
    Label { name: String },
    #[sitemap(loc = "/about")]
    Imprint,
}

fn main() {}

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Product {
    slug: String,
    #[sitemap(image)]
    cover: Option<String>,
    #[sitemap(image)]
    photos: Vec<String>,
}

fn main() {}

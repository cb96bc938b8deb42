use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
struct Product {
    #[sitemap(loc, image)]
    url: String,
    #[sitemap(video, alternate)]
    other: String,
    #[sitemap(image, default = "/none.png")]
    photo: Option<String>,
    #[sitemap(news, zone = "UTC")]
    article: String,
}

fn main() {}

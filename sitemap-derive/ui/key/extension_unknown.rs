use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", host = "https://example.com", charset = "euc-jp")]
struct Product {
    slug: String,
    #[sitemap(images)]
    images: Vec<String>,
    #[sitemap(photo)]
    photo: String,
    #[sitemap(vidoe)]
    video: String,
    #[sitemap(hreflang)]
    languages: Vec<(String, String)>,
    #[sitemap(new)]
    article: String,
}

fn main() {}

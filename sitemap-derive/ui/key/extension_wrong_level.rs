use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", image = "/logo.png", video, news, alternate)]
struct Product {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(image = "/logo.png")]
enum Page {
    #[sitemap(loc = "/about", alternate = ("de", "/de/about"))]
    About,
}

fn main() {}

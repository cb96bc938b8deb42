use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    slug: String,
    #[sitemap(image = "/photos/{slug}.jpg")]
    photo: String,
    #[sitemap(alternate = de)]
    german: String,
}

fn main() {}

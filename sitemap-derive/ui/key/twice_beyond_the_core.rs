use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", base = "https://example.com", encoding = "euc-jp")]
#[sitemap(base = "https://example.org", encoding = "shift_jis")]
struct Product {
    slug: String,
    #[sitemap(image, image)]
    photo: String,
}

fn main() {}

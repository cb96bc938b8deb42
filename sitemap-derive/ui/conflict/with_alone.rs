use sitemap_serde::SitemapEntry;

fn shout(text: &str) -> String {
    text.to_uppercase()
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    slug: String,
    #[sitemap(write_with = shout)]
    name: String,
}

fn main() {}

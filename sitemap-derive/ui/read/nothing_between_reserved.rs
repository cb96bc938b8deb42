use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "{+base}{slug}")]
struct Product {
    base: String,
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", encoding = "iso-2022-kr")]
struct Product {
    slug: String,
}

fn main() {}

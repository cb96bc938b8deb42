use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products")]
struct Products {
    #[sitemap(exclude_if)]
    hidden: Option<bool>,
    #[sitemap(include_if)]
    status: u8,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{id}")]
#[repr(packed)]
struct Product {
    flag: bool,
    id: u32,
}

fn main() {}

use sitemap_serde::SitemapEntry;

enum Often {
    Very,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/products")]
struct Products {
    #[sitemap(changefreq)]
    often: Often,
}

fn main() {}

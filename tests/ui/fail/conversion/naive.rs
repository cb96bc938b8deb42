use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products")]
struct Products {
    #[sitemap(lastmod, zone = "UTC")]
    updated: sitemap_serde::W3cDateTime,
}

fn main() {}

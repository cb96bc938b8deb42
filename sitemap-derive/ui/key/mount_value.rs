use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", base, encoding)]
struct Product {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", base = 443, encoding = 932)]
struct Page {
    slug: String,
}

fn main() {}

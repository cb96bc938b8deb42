use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", base, encoding)]
struct Product {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", base = BASE, encoding = 932)]
struct Page {
    slug: String,
}

fn main() {}

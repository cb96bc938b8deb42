use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "products/{slg}", changefreq = "weekley", priority = 1.5)]
struct Product {
    slug: String,
    #[sitemap(lastmod, zon = "+09:00")]
    updated: String,
}

fn needs_an_entry(_: impl SitemapEntry) {}

fn uses_it_all_the_same(product: Product) {
    needs_an_entry(product);
}

fn main() {}

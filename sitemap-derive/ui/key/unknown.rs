use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(lok = "/products/{slug}", change_freq = "weekly", prio = 0.5, colour = "red")]
struct Product {
    slug: String,
    #[sitemap(last_mod)]
    updated: String,
    #[sitemap(skip_if)]
    draft: bool,
    #[sitemap(sitemap::loc)]
    other: String,
    #[sitemap(skip)]
    internal: u32,
}

fn main() {}

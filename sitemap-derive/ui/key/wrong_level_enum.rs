use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/pages", lastmod = "2024", changefreq = "daily", priority = 0.5)]
enum Page {
    #[sitemap(loc = "/about")]
    About,
}

fn main() {}

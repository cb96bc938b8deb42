use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
enum Page {
    #[sitemap(loc = "/about", exclude_if = is_draft, crate = sitemap_serde)]
    About,
}

fn main() {}

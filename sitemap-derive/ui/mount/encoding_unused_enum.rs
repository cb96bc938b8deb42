use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(encoding = "euc-jp")]
enum Page {
    #[sitemap(loc = "/about")]
    About,
    #[sitemap(loc = "/imprint")]
    Imprint,
}

fn main() {}

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Product {
    #[sitemap(priority)]
    boost: u8,
    #[sitemap(changefreq)]
    often: &'static u8,
}

fn main() {}

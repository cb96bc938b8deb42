use sitemap_serde::FromSitemapEntry;

enum Often {
    Daily,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Product {
    #[sitemap(changefreq)]
    often: Option<Often>,
}

fn main() {}

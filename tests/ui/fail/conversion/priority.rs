use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products")]
struct Products {
    #[sitemap(priority)]
    boost: Option<i32>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/products")]
struct Default {
    #[sitemap(priority, default = 0.5)]
    boost: Option<String>,
}

fn main() {}

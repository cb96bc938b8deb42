use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "2024-05-06", precision = "day")]
struct OfLiteral;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", precision = "days")]
struct Nearly {
    #[sitemap(lastmod, precision = "hour")]
    updated: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/", precision = "day")]
struct Alone {
    #[sitemap(lastmod, precision = Day)]
    updated: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Beside {
    #[sitemap(precision = "second")]
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(precision = "second")]
enum Pages {
    #[sitemap(loc = "/")]
    Home,
}

fn main() {}

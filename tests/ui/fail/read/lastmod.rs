use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Seconds {
    #[sitemap(lastmod)]
    updated: u64,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Naive {
    #[sitemap(lastmod)]
    updated: Option<chrono::NaiveDateTime>,
}

fn main() {}

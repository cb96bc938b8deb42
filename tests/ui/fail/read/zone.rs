use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Zoned {
    #[sitemap(lastmod, utc)]
    updated: chrono::DateTime<chrono::Utc>,
}

fn main() {}

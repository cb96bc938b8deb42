use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Zoned {
    #[sitemap(lastmod, zone = "UTC")]
    updated: chrono::DateTime<chrono::Utc>,
}

fn main() {}

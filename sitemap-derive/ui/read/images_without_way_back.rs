use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Page {
    id: u64,
    #[sitemap(image, write_with = url)]
    photo: u64,
}

fn url(photo: &u64) -> String {
    format!("/photos/{photo}")
}

fn main() {}

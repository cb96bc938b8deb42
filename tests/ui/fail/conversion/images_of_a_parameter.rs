use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Page<T> {
    #[sitemap(image)]
    photos: Vec<T>,
}

fn is_entry<T: SitemapEntry>() {}

fn uses() {
    is_entry::<Page<u8>>();
}

fn main() {}

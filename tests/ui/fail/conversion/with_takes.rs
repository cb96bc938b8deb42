use sitemap_serde::{Image, SitemapEntry};

// A function of `with` takes a reference to the field.

fn to_date(updated: String) -> String {
    updated
}

fn to_slug(id: u64) -> String {
    id.to_string()
}

fn photos(urls: Vec<String>) -> Vec<Image> {
    urls.into_iter().map(Image::new).collect()
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{id}")]
struct Product {
    #[sitemap(write_with = to_slug)]
    id: u64,
    #[sitemap(lastmod, write_with = to_date)]
    updated: String,
    #[sitemap(image, write_with = photos)]
    photos: Vec<String>,
}

fn main() {}

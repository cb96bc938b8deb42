use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Page {
    id: u64,
    #[sitemap(image, read_with = first)]
    photo: String,
    #[sitemap(alternate, read_with = count)]
    languages: u32,
}

fn first(images: &[String]) -> String {
    images.concat()
}

fn count(languages: Vec<(String, String)>) -> usize {
    languages.len()
}

fn main() {}

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{name}")]
struct Product {
    #[sitemap(read_with = title)]
    name: String,
    #[sitemap(priority, read_with = percent)]
    boost: u8,
}

fn title(name: &str) -> Option<String> {
    Some(name.to_uppercase())
}

fn percent(_: f32) -> Result<u16, String> {
    Ok(0)
}

fn main() {}

use sitemap_serde::FromSitemapEntry;

struct NotDisplayed;

#[derive(FromSitemapEntry)]
struct Product {
    #[sitemap(loc, read_with = title)]
    name: String,
}

fn title(_: &str) -> Result<String, NotDisplayed> {
    Err(NotDisplayed)
}

fn main() {}

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Product {
    #[sitemap(read_with = title)]
    name: String,
}

fn title(name: &str) -> String {
    name.to_uppercase()
}

fn main() {}

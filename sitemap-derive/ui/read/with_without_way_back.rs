use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{name}")]
struct Product {
    #[sitemap(write_with = slug)]
    name: String,
    #[sitemap(lastmod, write_with = first_day)]
    year: u16,
}

fn slug(name: &str) -> String {
    name.to_lowercase()
}

fn first_day(year: &u16) -> String {
    year.to_string()
}

fn main() {}

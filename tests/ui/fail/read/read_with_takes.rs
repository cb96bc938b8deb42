use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{name}")]
struct Product {
    #[sitemap(read_with = title)]
    name: String,
    #[sitemap(lastmod, read_with = year)]
    year: u16,
}

fn title(name: String) -> String {
    name
}

fn year(year: u16) -> u16 {
    year
}

fn main() {}

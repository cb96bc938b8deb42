use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
struct Product {
    #[sitemap(loc, read_with = "title")]
    name: String,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/", read_with = title)]
struct Tag;

#[derive(FromSitemapEntry)]
struct Page {
    #[sitemap(loc, deserialize_with = title)]
    name: String,
}

fn main() {}

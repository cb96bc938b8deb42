use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
struct Borrowed<'a> {
    #[sitemap(loc)]
    url: &'a str,
}

#[derive(FromSitemapEntry)]
struct Number {
    #[sitemap(loc)]
    url: Option<u8>,
}

fn main() {}

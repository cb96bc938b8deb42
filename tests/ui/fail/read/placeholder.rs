use sitemap_serde::FromSitemapEntry;

struct Slug(String);

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{slug}/{shop}/{list}")]
struct Product<'a> {
    slug: Slug,
    shop: &'a str,
    list: Option<Vec<u8>>,
}

fn main() {}

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{+path}-{name}")]
struct Product {
    path: String,
    name: String,
}

fn main() {}

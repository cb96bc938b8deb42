use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{+section}/{+path}")]
struct Page {
    section: String,
    path: String,
}

fn main() {}

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{year}{month}")]
struct Archive {
    year: u16,
    month: u8,
}

fn main() {}

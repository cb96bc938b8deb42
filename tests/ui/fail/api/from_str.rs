//! Pages that derive `FromSitemapEntry` are not serde's.

use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "https://example.com/{slug}")]
struct Page {
    slug: String,
}

fn main() {
    let _ = sitemap_serde::from_str::<Vec<Page>>("");
    let _ = sitemap_serde::from_slice::<Vec<Page>>(b"");
    let _ = sitemap_serde::from_reader::<_, Vec<Page>>(std::io::empty());
}

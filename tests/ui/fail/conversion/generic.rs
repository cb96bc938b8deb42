use sitemap_serde::SitemapEntry;

use sitemap_serde::Entries;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Tag<T>(T);

fn main_too() {
    let _ = sitemap_serde::to_string(&Entries(&[Tag(vec![1])]));
}

fn main() {}

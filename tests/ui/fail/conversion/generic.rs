use sitemap_serde::SitemapEntry;


#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Tag<T>(T);

fn main_too() {
    let _ = sitemap_serde::entries_to_string([Tag(vec![1])]);
}

fn main() {}

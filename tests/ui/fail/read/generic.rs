use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Page<T>(T);

fn is_read<T: FromSitemapEntry>() {}

fn check() {
    is_read::<Page<Vec<u8>>>();
}

fn main() {}

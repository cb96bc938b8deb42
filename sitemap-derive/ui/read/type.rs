use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
union Bits {
    int: u32,
    float: f32,
}

#[derive(FromSitemapEntry)]
enum Never {}

#[derive(FromSitemapEntry)]
struct NoLoc {
    slug: String,
}

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products")]
union Bits {
    int: u32,
    float: f32,
}

fn main() {}

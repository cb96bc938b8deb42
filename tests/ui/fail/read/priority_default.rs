use sitemap_serde::FromSitemapEntry;

const TWO: f64 = 2.0;

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/")]
struct Product {
    #[sitemap(priority, default = TWO)]
    boost: f64,
}

fn main() {}

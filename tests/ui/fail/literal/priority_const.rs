use sitemap_serde::SitemapEntry;

const HIGH: f32 = 1.5;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", priority = HIGH)]
struct Products;

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts", priority = Self::NOT_A_NUMBER)]
struct Posts;

impl Posts {
    const NOT_A_NUMBER: f64 = f64::NAN;
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/tags/{0}")]
struct Tag(String, #[sitemap(priority, default = limits::LOW)] Option<f32>);

mod limits {
    pub const LOW: f64 = -0.1;
}

fn main() {}

use sitemap_serde::SitemapEntry;

const BOOST: f64 = 0.7;
const PORT: u16 = 443;
const NEWS: bool = true;

#[derive(SitemapEntry)]
#[sitemap(loc = "/sum", priority = 0.4 + BOOST)]
struct Sum;

#[derive(SitemapEntry)]
#[sitemap(loc = "/if", priority = if NEWS { 0.5 } else { 7 })]
struct If;

#[derive(SitemapEntry)]
#[sitemap(loc = "/base", base = PORT)]
struct Base;

#[derive(SitemapEntry)]
#[sitemap(loc = "/call", priority = rank(2))]
struct Call;

fn rank(level: u8) -> f64 {
    f64::from(level) / 10.0
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/env", base = env!("SITE_THAT_NOBODY_SETS"))]
struct Env;

fn main() {}

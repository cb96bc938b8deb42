use sitemap_serde::{SitemapEntry, SitemapFields};

struct Name;

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct OfAField {
    #[sitemap(title)]
    name: Name,
}

#[derive(SitemapFields)]
struct Part {
    #[sitemap(title)]
    names: Vec<String>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/", title = Self::name)]
struct OfAFunction;

impl OfAFunction {
    fn name(&self) -> Name {
        Name
    }
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Converted {
    #[sitemap(title, write_with = to_name)]
    name: String,
}

fn to_name(_: &str) -> Name {
    Name
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/", title = "a {name}")]
struct OfAText {
    name: Name,
}

fn main() {}

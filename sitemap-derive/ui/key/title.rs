// Values of `title` that are none, and places where it does not belong.

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", title)]
struct NoValue {
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", title = 7)]
struct Number {
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", title = "")]
struct Empty {
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", title = " ")]
struct Blank {
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", title = Self::NAME)]
struct Const {
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", title = name)]
struct OfAField {
    id: u32,
    name: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", title = self.name)]
struct Expression {
    id: u32,
    name: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", title = "{nam} and {shop.name}, {")]
struct Placeholders {
    id: u32,
    name: String,
    shop: Shop,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{id}", languages("de", "en"), title = "{id} ({lang})")]
struct Language {
    id: u32,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}")]
struct OnAField {
    id: u32,
    #[sitemap(title = "{name}")]
    name: String,
}

#[derive(SitemapEntry)]
#[sitemap(title = "Pages")]
enum OnAnEnum {
    #[sitemap(loc = "/")]
    Home,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", headline = "Lamps")]
struct OtherWord {
    id: u32,
}

fn main() {}

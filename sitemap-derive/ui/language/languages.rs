use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages("de", "en", "DE"), x_default = "fr")]
struct Twice {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages("de", "gb", "en-UK", "english", "de_CH", "x-default"))]
struct NoLanguages {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages())]
struct None {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages)]
struct NoList {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages = ["de", "en"])]
struct Array {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages(de, en))]
struct Words {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", langs("de", "en"))]
struct Misspelt {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(languages("de"), x_default = "de")]
enum Page {
    #[sitemap(loc = "/")]
    Home,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages("de", "en"), x_default = "en-UK")]
struct NoDefault {
    slug: String,
}

fn main() {}

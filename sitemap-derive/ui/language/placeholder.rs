use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages("de", "en"))]
struct FieldOfItsName {
    lang: String,
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", languages("de", "en"))]
struct OneAddress {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(languages("de", "en"))]
struct OfAField {
    #[sitemap(loc)]
    url: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = Self::url, languages("de", "en"))]
struct OfAFunction {
    url: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}")]
struct NoLanguages {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}")]
struct Rows {
    slug: String,
    #[sitemap(languages(slug))]
    translations: Vec<(String, String)>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", x_default = "en")]
struct Alone {
    lang: String,
    slug: String,
}

fn main() {}

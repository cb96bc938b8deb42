use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/de/{slug}", alternate(template = "/{slug}", languages("de", "en")))]
struct OneAddress {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/de/{slug}", alternate(languages("de", "en")))]
struct NoTemplate {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/de/{slug}", alternate(template = "/{lang}/{slug}"))]
struct NoLanguages {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/de/{slug}", alternate(template = "/{lang}/{slg}", languages("de", "en"), x_default = "fr"))]
struct Wrong {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/de/{slug}", alternate(template = "/{lang}/{slg}", languages("de", "en")))]
struct NoField {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/de/{slug}", alternate(template = "/{lang}", language = "de"))]
struct OtherKey {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", image = "/img/{id}.jpg")]
struct Image {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", image = "img/{slug}.jpg")]
struct Relative {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/de/{slug}", alternate(template = "/{lang}/{slug}", languages("de"), template = "/{slug}"))]
struct SecondTemplate {
    slug: String,
}

fn main() {}

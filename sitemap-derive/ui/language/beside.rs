use sitemap_serde::{Alternate, FromSitemapEntry, SitemapEntry};

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages("de", "en"))]
struct LinksToo {
    slug: String,
    #[sitemap(alternate)]
    links: Vec<Alternate>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages("de", "en"))]
struct TwoSources {
    slug: String,
    #[sitemap(languages)]
    languages: Vec<String>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}")]
struct TwoFields {
    slug: String,
    #[sitemap(languages)]
    languages: Vec<String>,
    #[sitemap(languages = "de")]
    more: Vec<String>,
    #[sitemap(languages("de"))]
    others: Vec<String>,
}

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages("de", "en"))]
struct Backwards {
    slug: String,
}

fn main() {}

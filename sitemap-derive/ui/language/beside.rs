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

/// Nobody could tell what the slug was.
#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{lang}/{id}", image = "/{slug}.jpg")]
struct Backwards {
    id: u8,
    #[sitemap(languages(slug))]
    slugs: Vec<(String, String)>,
}

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{lang}-{slug}", languages("de", "en"))]
struct Ambiguous {
    slug: String,
}

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}")]
struct NoWayBack {
    #[sitemap(languages(slug), write_with = pairs)]
    slugs: Vec<Row>,
}

fn main() {}

use sitemap_serde::{FromSitemapEntry, SitemapEntry};

#[derive(SitemapEntry)]
#[sitemap(loc = URL, lastmod = UPDATED)]
struct Consts {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", video = "/film.mp4", news = ARTICLE)]
struct Texts {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = Self::url, lastmod = Self::updated)]
struct Twice {
    #[sitemap(loc)]
    url: String,
    #[sitemap(lastmod)]
    updated: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = Self::url())]
struct Called {
    url: String,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = Self::url)]
struct Backwards {
    url: String,
}

fn main() {}

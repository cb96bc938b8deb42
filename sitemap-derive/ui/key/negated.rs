use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = !published)]
struct OnTheType {
    slug: String,
    published: bool,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = !self.published)]
struct WithSelf {
    slug: String,
    published: bool,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", include_if = !Self::is_draft)]
struct Function {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct OnTheField {
    slug: String,
    #[sitemap(exclude_if = !published)]
    published: bool,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = !self.state.is_public())]
struct Expression {
    slug: String,
}

fn main() {}

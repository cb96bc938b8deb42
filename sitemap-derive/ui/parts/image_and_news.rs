use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", image(caption = "{slug}"), news(publication = "The Times", titel = "{slug}"))]
struct Missing {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", news(publication = "The Times"), image())]
struct Fewer {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{slug}",
    image(loc = "ftp://a/{slug}.jpg", alt = "{slug}", size = "3"),
    image(loc = "/{name}.jpg"),
    image(loc = "/b.jpg", loc = "/c.jpg"),
    news(publication = "", language = "english", title = TITLE, date = "2024-05", access = "Registration", lang = "en")
)]
struct Values {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{slug}",
    image(loc = "ftp://a/{slug}.jpg", caption = ""),
    image(loc = "/{name}.jpg"),
    news(publication = " ", language = "english", title = "{slug}", date = "2024-05")
)]
struct Literals {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{slug}",
    mobile = true,
    news(publication = "The Times", language = "en", title = "{slug}", date = "on {slug}"),
    news = Self::article
)]
struct Dates {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", news(publication = "The Times", language = "en", title = "{slug}", date = "{date}"))]
struct Twice {
    slug: String,
    date: String,
    #[sitemap(news)]
    article: Option<sitemap_serde::News>,
    #[sitemap(mobile)]
    phone: bool,
}

#[derive(SitemapEntry)]
#[sitemap(mobile)]
enum Page {
    #[sitemap(loc = "/", mobile)]
    Home,
}

fn main() {}

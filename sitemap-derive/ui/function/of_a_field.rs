use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", lastmod = updated_at, changefreq = how_often, priority = weight, image = photo)]
struct Product {
    slug: String,
    updated_at: String,
    how_often: String,
    weight: f32,
    photo: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = url, exclude_if = draft, news = article, video = r#type, alternate = translations)]
struct Post {
    url: String,
    draft: bool,
    article: (),
    r#type: (),
    translations: (),
}

#[derive(SitemapEntry)]
enum Page {
    #[sitemap(loc = "/{slug}", lastmod = updated)]
    Product { slug: String, updated: String },
}

fn main() {}

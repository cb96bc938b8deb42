use sitemap_serde::SitemapEntry;

const NEWS: bool = true;

/// No row is known while it is compiled.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", priority = self.rank + 0.1, changefreq = if self.new { "daily" } else { "weekly" }, base = self.site())]
struct Row {
    slug: String,
    #[sitemap(priority, default = f64::min(self.rank, 1.0))]
    rank: f32,
}

/// A changefreq is no expression.
#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = if NEWS { "daily" } else { "weekly" })]
struct Words {
    #[sitemap(priority, default = if NEWS { 0.5 } else { 0.4 })]
    rank: Option<f32>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Default {
    #[sitemap(changefreq, default = if NEWS { "daily" } else { "weekly" })]
    often: Option<String>,
}

/// What asks for the row.
#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = Self::rank(self))]
struct Call;

/// A static knows no parameters.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}", base = Self::BASE)]
struct Generic<T>(T);

/// A template is known to the macro, or not at all.
#[derive(SitemapEntry)]
#[sitemap(loc = concat!("/", "a"))]
struct Template;

fn main() {}

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", video(thumbnail_loc = "/thumbs/{slug}.jpg"))]
struct Missing {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{slug}",
    video(
        thumbnail_loc = "thumbs/{slug}.jpg",
        title = "{name}",
        description = "{+slug}, { or {slug:?}",
        content_loc = "/{id}.mp4",
        player_loc = "javascript:play({slug})"
    )
)]
struct Wrong {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{slug}",
    video(
        thumbnail_loc = "/{slug}.jpg",
        title = "A title that is the same for every row, and that is longer than the hundred characters that there may be",
        description = "",
        content_loc = "/{slug}.mp4",
        duration = "8 hours",
        rating = "5.5",
        view_count = "-1",
        expiration_date = "2025-02-29",
        publication_date = "on {slug}",
        live = "true"
    )
)]
struct Constants {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{slug}",
    video(
        thumbnail = "/{slug}.jpg",
        titel = "{slug}",
        sponsor = "{slug}",
        restriction = "GB",
        title = "{slug}",
        title = "{slug}",
        description,
        duration = 600,
        content_loc = CONTENT,
        uploader
    )
)]
struct Keys {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", video("/{slug}.mp4"))]
struct NoKey {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", video)]
struct NoValue {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct OnAField {
    slug: String,
    #[sitemap(video(title = "{slug}"))]
    film: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", video(thumbnail_loc = "/{film.id}.jpg", title = "{film.name}", description = "d", content_loc = "/{slug}"))]
struct NotFlattened {
    slug: String,
    film: Film,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", video(title = "{slug}" description = "d", thumbnail_loc = , content_loc))]
struct Syntax {
    slug: String,
}

fn main() {}

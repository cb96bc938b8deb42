// What the parts of a video are called elsewhere.

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{slug}",
    video(
        poster = "/{slug}.jpg",
        name = "{slug}",
        summary = "{slug}",
        content = "/{slug}.mp4",
        embed = "/{slug}",
        length = "{slug}",
        upload_date = "{slug}",
        expires = "{slug}",
        tags = "{slug}",
        views = "{slug}",
        stars = "{slug}",
        channel = "{slug}"
    )
)]
struct Film {
    slug: String,
}

fn main() {}

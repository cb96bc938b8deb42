//! Functions of the row: what they take, and what they return.

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = Self::url, lastmod = Self::changed, priority = Self::rank)]
struct Product {
    id: u32,
    at: chrono::NaiveDateTime,
}

impl Product {
    fn url(&self, base: &str) -> String {
        format!("{base}/{}", self.id)
    }

    fn changed(&self) -> chrono::NaiveDateTime {
        self.at
    }

    fn rank() -> f32 {
        0.5
    }
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = changed)]
struct Optional {
    id: u32,
    at: i64,
}

fn changed(row: &Optional) -> Result<Option<i64>, std::fmt::Error> {
    Ok(Some(row.at))
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{id}",
    video(
        thumbnail_loc = "/{id}.jpg",
        title = "{id}",
        description = "{id}",
        content_loc = "/{id}.mp4",
        publication_date = Self::published
    )
)]
struct Film {
    id: u32,
}

impl Film {
    fn published(&self) -> chrono::NaiveDateTime {
        chrono::NaiveDateTime::default()
    }
}

fn main() {}

//! A news sitemap: articles of the last two days, the newest first. The argument is the set's folder.

use sitemap_serde::SitemapEntry;
use sitemap_site::SitemapSet;

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/news/{slug}",
    news(
        publication = "The Example Times",
        language = "en",
        title = "{title}",
        date = "{published}"
    )
)]
struct Article {
    slug: &'static str,
    title: &'static str,
    published: &'static str,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("the folder of the set")?;
    let now = "2026-05-06T12:00:00Z".parse()?; // `W3cDateTime::try_from(SystemTime::now())?`
    let set = SitemapSet::directory(&folder, "https://example.com")
        .news("news", Some(now))
        .open()?;
    let mut news = set.task_writer("news", "all")?;
    for (slug, title, published) in [
        ("old", "Too old", "2026-05-01T08:00:00Z"),
        ("lamps", "Lamps are back", "2026-05-05T08:00:00Z"),
        ("chairs", "Chairs, too", "2026-05-06T08:00:00Z"),
    ] {
        let article = Article {
            slug,
            title,
            published,
        };
        news.write(None, &article)?;
    }
    set.commit(&[news.finish()?])?;
    println!(
        "{}",
        std::fs::read_to_string(format!("{folder}/current/sitemap.xml"))?
    );
    Ok(())
}

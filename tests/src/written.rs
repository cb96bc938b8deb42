//! Entries of the shapes that programs write, as the crate's own type, as a serde struct, and as a row with the derive. Values and
//! lengths differ from entry to entry, and are the same in every run.
//!
//! The benchmark is a separate crate that includes this file. It thus times the same documents whose instructions the tests count.

use serde::Serialize;
use sitemap_serde::news::Publication;
use sitemap_serde::{
    Alternate, ChangeFreq, Image, News, Priority, SitemapEntry, UrlEntry, Video, W3cDateTime,
};

use super::random::Random;
use super::shapes::{LANGUAGES, date, japanese, query, url, words};

/// The form of a document's entries.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The name of the shape's particular feature.
    pub name: &'static str,
    /// `true` if locs need encoding.
    pub is_encoded: bool,
    /// `true` if entries have elements of extensions.
    pub is_extended: bool,
    add: fn(&mut Random, &mut UrlEntry),
}

const fn plain(name: &'static str, add: fn(&mut Random, &mut UrlEntry)) -> Written {
    Written {
        name,
        is_encoded: false,
        is_extended: false,
        add,
    }
}

const fn encoded(name: &'static str, add: fn(&mut Random, &mut UrlEntry)) -> Written {
    Written {
        is_encoded: true,
        ..plain(name, add)
    }
}

const fn extended(name: &'static str, add: fn(&mut Random, &mut UrlEntry)) -> Written {
    Written {
        is_extended: true,
        ..plain(name, add)
    }
}

/// All shapes; the first is the plain one.
pub const WRITTEN: [Written; 12] = [
    plain("plain", |_, _| ()),
    plain("a port in the host", |_, entry| {
        entry.loc = entry.loc.replace(".com", ".com:8443");
    }),
    plain("`&` in the URL", |r, entry| {
        entry.loc = query(r).replace("&amp;", "&");
    }),
    plain("percent-encoded already", |r, entry| {
        let name = sitemap_serde::convert::encode_segment(&japanese(r));
        entry.loc = format!("https://www.example.com/{name}/{}", words(r, "%20"));
    }),
    encoded("raw UTF-8", |r, entry| {
        entry.loc = format!("https://www.example.com/{}/{}", japanese(r), words(r, "-"));
    }),
    encoded("spaces", |r, entry| {
        entry.loc = format!("https://www.example.com/{}/{}", words(r, " "), words(r, " "));
    }),
    encoded("an internationalized host", |_, entry| {
        entry.loc = entry.loc.replace("www.example.com", "www.bücher.example");
    }),
    extended("4 alternates and 2 images", |r, entry| {
        alternates(entry, 4);
        entry.images = images(r, 2);
    }),
    extended("12 alternates", |_, entry| alternates(entry, 12)),
    extended("0 to 5 images with a title", |r, entry| {
        let count = r.below(6);
        entry.images = images(r, count);
        for image in &mut entry.images {
            image.title = Some(words(r, " "));
        }
    }),
    extended("news, Japanese", |r, entry| {
        let publication = Publication::new(japanese(r), "ja");
        entry.news = Some(News::new(publication, date_time(r), japanese(r)).into());
    }),
    extended("video", |r, entry| {
        let mut title = format!("{} & {}", words(r, " "), words(r, " "));
        // A title has at most 100 characters (P-VID1).
        while title.len() > 100 {
            title.truncate(title.rfind(' ').unwrap_or(100));
        }
        let about = format!("{}. {}.", words(r, " "), words(r, " "));
        let mut video = Video::content(url(r, '/'))
            .with_thumbnail(url(r, '/'))
            .with_title(title)
            .with_description(about);
        video.duration = u32::try_from(1 + r.below(20_000)).ok();
        video.publication_date = Some(date_time(r));
        video.family_friendly = Some(r.below(2) == 0);
        video.tags = vec![words(r, " "), words(r, " ")];
        entry.videos = vec![video];
    }),
];

fn date_time(random: &mut Random) -> W3cDateTime {
    date(random).parse().expect("a date")
}

fn alternates(entry: &mut UrlEntry, count: usize) {
    let link = |language: &&str| {
        let href = entry.loc.replace(".com", &format!(".com/{language}"));
        Alternate::new(*language, href)
    };
    entry.alternates = LANGUAGES.iter().take(count).map(link).collect();
}

fn images(random: &mut Random, count: usize) -> Vec<Image> {
    (0..count).map(|_| Image::new(url(random, '/'))).collect()
}

impl Written {
    /// Returns this number of entries.
    pub fn entries(&self, count: usize, seed: u64) -> Vec<UrlEntry> {
        let mut random = Random::new(seed);
        let mut entry = || {
            let mut entry = UrlEntry::new(url(&mut random, '/'));
            entry.lastmod = Some(date_time(&mut random));
            entry.changefreq = Some(ChangeFreq::Weekly);
            let tenth = u8::try_from(random.below(10)).unwrap_or_default();
            entry.priority = Priority::new(f32::from(tenth) / 10.0).ok();
            (self.add)(&mut random, &mut entry);
            entry
        };
        (0..count).map(|_| entry()).collect()
    }
}

/// An entry as a user's struct, for any of serde's serializers.
#[derive(Debug, Serialize)]
#[serde(rename = "url")]
pub struct Page<'a> {
    /// The page's URL. For libraries that do not encode it, the caller has encoded it.
    pub loc: &'a str,
    lastmod: String,
    changefreq: &'static str,
    priority: f32,
    #[serde(rename = "image:image", skip_serializing_if = "Vec::is_empty")]
    images: Vec<PageImage<'a>>,
    #[serde(rename = "video:video", skip_serializing_if = "Vec::is_empty")]
    videos: Vec<PageVideo<'a>>,
    #[serde(rename = "news:news", skip_serializing_if = "Option::is_none")]
    news: Option<PageNews<'a>>,
    #[serde(rename = "xhtml:link", skip_serializing_if = "Vec::is_empty")]
    links: Vec<PageLink<'a>>,
}

#[derive(Debug, Serialize)]
struct PageImage<'a> {
    #[serde(rename = "image:loc")]
    loc: &'a str,
    #[serde(rename = "image:title", skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct PageVideo<'a> {
    #[serde(rename = "video:thumbnail_loc")]
    thumbnail_loc: &'a str,
    #[serde(rename = "video:title")]
    title: &'a str,
    #[serde(rename = "video:description")]
    description: &'a str,
    #[serde(rename = "video:content_loc")]
    content_loc: &'a str,
    #[serde(rename = "video:duration")]
    duration: u32,
    #[serde(rename = "video:publication_date")]
    publication_date: String,
    #[serde(rename = "video:tag")]
    tags: Vec<&'a str>,
    #[serde(rename = "video:family_friendly")]
    family_friendly: &'static str,
}

#[derive(Debug, Serialize)]
struct PageNews<'a> {
    #[serde(rename = "news:publication")]
    publication: PagePublication<'a>,
    #[serde(rename = "news:publication_date")]
    publication_date: String,
    #[serde(rename = "news:title")]
    title: &'a str,
}

#[derive(Debug, Serialize)]
struct PagePublication<'a> {
    #[serde(rename = "news:name")]
    name: &'a str,
    #[serde(rename = "news:language")]
    language: &'a str,
}

#[derive(Debug, Serialize)]
struct PageLink<'a> {
    #[serde(rename = "@rel")]
    rel: &'static str,
    #[serde(rename = "@hreflang")]
    hreflang: &'a str,
    #[serde(rename = "@href")]
    href: &'a str,
}

impl<'a> Page<'a> {
    /// Converts the entry to such a struct.
    pub fn of(entry: &'a UrlEntry) -> Self {
        Page {
            loc: &entry.loc,
            lastmod: entry.lastmod.map(|date| date.to_string()).unwrap_or_default(),
            changefreq: "weekly",
            priority: entry.priority.map_or(0.5, f32::from),
            images: entry
                .images
                .iter()
                .map(|image| PageImage {
                    loc: &image.loc,
                    title: image.title.as_deref(),
                })
                .collect(),
            videos: entry.videos.iter().map(PageVideo::of).collect(),
            news: entry.news.as_ref().map(|news| PageNews {
                publication: PagePublication {
                    name: &news.publication.name,
                    language: &news.publication.language,
                },
                publication_date: news.publication_date.to_string(),
                title: &news.title,
            }),
            links: entry
                .alternates
                .iter()
                .map(|link| PageLink {
                    rel: "alternate",
                    hreflang: link.hreflang.as_deref().unwrap_or_default(),
                    href: &link.href,
                })
                .collect(),
        }
    }
}

impl<'a> PageVideo<'a> {
    fn of(video: &'a Video) -> Self {
        PageVideo {
            thumbnail_loc: &video.thumbnail_loc,
            title: &video.title,
            description: &video.description,
            content_loc: video.content_loc.as_deref().unwrap_or_default(),
            duration: video.duration.unwrap_or_default(),
            publication_date: video
                .publication_date
                .map(|date| date.to_string())
                .unwrap_or_default(),
            tags: video.tags.iter().map(String::as_str).collect(),
            family_friendly: if video.family_friendly == Some(true) {
                "yes"
            } else {
                "no"
            },
        }
    }
}

/// An entry as a table's row, whose sitemap fields come from the derive.
#[derive(Debug, SitemapEntry)]
#[sitemap(changefreq = "weekly")]
pub struct Row {
    /// The page's URL.
    #[sitemap(loc)]
    pub url: String,
    /// The date of its last change.
    #[sitemap(lastmod)]
    pub updated: W3cDateTime,
    /// From 0.0 to 1.0.
    #[sitemap(priority)]
    pub weight: f32,
    /// The images on it.
    #[sitemap(image)]
    pub images: Vec<Image>,
    /// The videos on it.
    #[sitemap(video)]
    pub videos: Vec<Video>,
    /// The page's article.
    #[sitemap(news)]
    pub news: Option<Box<News>>,
    /// The page in other languages.
    #[sitemap(alternate)]
    pub alternates: Vec<Alternate>,
}

impl Row {
    /// Converts the entry to such a row.
    ///
    /// # Panics
    /// If it has no lastmod.
    pub fn of(entry: UrlEntry) -> Self {
        Row {
            url: entry.loc,
            updated: entry.lastmod.expect("a lastmod"),
            weight: entry.priority.map_or(0.5, f32::from),
            images: entry.images,
            videos: entry.videos,
            news: entry.news,
            alternates: entry.alternates,
        }
    }
}

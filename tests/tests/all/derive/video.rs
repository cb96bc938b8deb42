//! Videos by templates: addresses, texts, numbers and dates from the fields of a row.

use std::fmt::Display;

use chrono::{DateTime, Utc};
use sitemap_serde::{OnInvalid, Rule, SitemapEntry, SitemapFields, UrlEntry, Video, video::PlayerLoc};

use crate::derive::tools::{entry, refused, writer};

#[derive(SitemapEntry, Clone)]
#[sitemap(
    loc = "/films/{slug}",
    video(
        live = "{is_live}",
        thumbnail_loc = "/thumbs/{slug}-{id}.jpg",
        title = "{name} & {{more}}",
        description = "{about}",
        content_loc = "https://cdn.b/{+path}.mp4",
        player_loc = "/play?film={slug}",
        duration = "{seconds}",
        expiration_date = "2030-01-01",
        rating = "{stars}",
        view_count = "{views}",
        publication_date = "{published}",
        tag = "{genre}",
        category = "Films",
        family_friendly = "yes",
        requires_subscription = Self::is_paid,
        uploader = Self::uploader
    )
)]
struct Film {
    id: u32,
    slug: String,
    name: &'static str,
    about: Option<String>,
    path: &'static str,
    seconds: Option<u32>,
    stars: f64,
    views: u64,
    published: Option<DateTime<Utc>>,
    #[sitemap(write_with = capitals)]
    genre: &'static str,
    is_live: bool,
    price: u32,
}

fn capitals(text: &str) -> String {
    text.to_uppercase()
}

impl Film {
    fn is_paid(&self) -> bool {
        self.price > 0
    }

    fn uploader(&self) -> Result<Option<&str>, &'static str> {
        match self.price {
            0 => Ok(None),
            1 => Ok(Some("The Studio")),
            _ => Err("too dear"),
        }
    }
}

fn film() -> Film {
    Film {
        id: 7,
        slug: "lampe & schirm/サ".to_owned(),
        name: "<Lamp>",
        about: Some("How it shines".to_owned()),
        path: "x/y z",
        seconds: Some(600),
        stars: 4.5,
        views: 12,
        published: Some("2024-05-06T07:08:09Z".parse().unwrap()),
        genre: "drama",
        is_live: false,
        price: 1,
    }
}

const SLUG: &str = "lampe%20%26%20schirm%2F%E3%82%B5";

#[test]
fn every_part() {
    let mut video = Video::content("https://cdn.b/x/y%20z.mp4")
        .with_thumbnail(format!("https://example.com/thumbs/{SLUG}-7.jpg"))
        .with_title("<Lamp> & {more}")
        .with_description("How it shines");
    video.player_loc = Some(PlayerLoc::new(format!("https://example.com/play?film={SLUG}")));
    video.duration = Some(600);
    video.expiration_date = Some("2030-01-01".parse().unwrap());
    video.rating = Some("4.5".parse().unwrap());
    video.view_count = Some(12);
    video.publication_date = Some("2024-05-06T07:08:09Z".parse().unwrap());
    video.tags = vec!["DRAMA".to_owned()];
    video.category = Some("Films".to_owned());
    video.family_friendly = Some(true);
    video.requires_subscription = Some(true);
    video.uploader = Some(sitemap_serde::video::Uploader::new("The Studio"));
    video.live = Some(false);
    assert_eq!(entry(&film()).videos, [video.clone()]);

    // The same text as the crate's type gives, so all parts are in the schema's order.
    let mut by_hand = UrlEntry::new(format!("https://example.com/films/{SLUG}"));
    by_hand.videos = vec![video];
    let text = |entry: &dyn Fn(&mut Vec<u8>)| {
        let mut out = Vec::new();
        entry(&mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(
        text(&|out| assert_eq!(writer().entries_to_writer(out, &[film()]).unwrap(), 1)),
        text(&|out| assert_eq!(writer().entries_to_writer(out, &[&by_hand]).unwrap(), 1)),
    );
}

/// An optional `None` part is left out. Without a required part, the video is left out.
#[test]
fn none() {
    let without = Film {
        seconds: None,
        published: None,
        price: 0,
        ..film()
    };
    let found = entry(&without).videos.remove(0);
    assert_eq!(
        (found.duration, found.publication_date, found.uploader),
        (None, None, None)
    );
    assert_eq!(found.requires_subscription, Some(false));
    let without = Film {
        about: None,
        ..film()
    };
    assert_eq!(
        entry(&without),
        UrlEntry::new(format!("https://example.com/films/{SLUG}"))
    );
}

#[test]
fn what_rows_hold_is_checked() {
    let of_loc = format!(", loc `https://example.com/films/{SLUG}`");
    let (message, rule) = refused(&Film {
        seconds: Some(0),
        ..film()
    });
    assert_eq!(rule, Some(Rule::Vid3));
    assert_eq!(
        message,
        format!(
            "`0` is not a duration: a duration is in seconds, a whole number from 1 to 28800 (P-VID3); write a value in that range, or leave it \
             out, entry 1 · video:video[0] · video:duration{of_loc}"
        )
    );
    let (message, _) = refused(&Film { price: 2, ..film() });
    assert_eq!(
        message,
        format!("too dear, entry 1 · video:video[0] · video:uploader{of_loc}")
    );
    let (message, rule) = refused(&Film {
        path: "x\ny",
        ..film()
    });
    assert_eq!(rule, Some(Rule::Loc));
    assert!(
        message.ends_with(&format!(", entry 1 · video:video[0] · video:content_loc{of_loc}")),
        "{message}"
    );
    // If invalid parts are dropped, the entry is written without its video.
    let mut builder = writer();
    builder.on_invalid(OnInvalid::DropValue);
    let entries = builder.to_entries(&Film { price: 2, ..film() }).unwrap();
    assert_eq!(
        entries,
        [UrlEntry::new(format!("https://example.com/films/{SLUG}"))]
    );
}

/// A video with either address, in a part of a row, in several languages, and with generic fields.
#[derive(SitemapFields, Clone)]
#[sitemap(video(
    thumbnail_loc = "/{id}.jpg",
    title = "{name}",
    description = "A film",
    content_loc = "/{file}.mp4",
    player_loc = "/play/{play}"
))]
struct Part<T> {
    id: T,
    name: T,
    file: Option<T>,
    play: Option<T>,
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{lang}/{part.id}",
    languages("de", "en"),
    video(
        thumbnail_loc = "/{lang}/{part.id}.jpg",
        title = "{part.name} ({lang})",
        description = Self::about,
        player_loc = Self::player,
        publication_date = "{changed}"
    )
)]
struct Page<T: Display> {
    #[sitemap(flatten)]
    part: Part<T>,
    #[sitemap(lastmod)]
    changed: &'static str,
}

impl<T: Display> Page<T> {
    fn about(&self) -> String {
        format!("About {}", self.part.name)
    }

    fn player(&self) -> &'static str {
        if self.changed.is_empty() { "/" } else { "/player" }
    }
}

/// A date without a zone gets its field's zone.
#[test]
fn a_naive_date() {
    #[derive(SitemapEntry)]
    #[sitemap(
        loc = "/{id}",
        video(
            thumbnail_loc = "/{id}.jpg",
            title = "{id}",
            description = "{id}",
            content_loc = "/{id}.mp4",
            publication_date = "{changed}"
        )
    )]
    struct Film {
        id: u8,
        #[sitemap(lastmod, zone = "+09:00")]
        changed: Option<chrono::NaiveDateTime>,
    }
    let date = |changed: Option<&str>| {
        let film = Film {
            id: 1,
            changed: changed.map(|date| date.parse().unwrap()),
        };
        let entries = writer().to_entries(&film).unwrap();
        entries[0].videos[0].publication_date.map(|date| date.to_string())
    };
    assert_eq!(
        date(Some("2024-05-06T07:08:09")).as_deref(),
        Some("2024-05-06T07:08:09+09:00")
    );
    assert_eq!(date(None), None);
}

#[test]
fn parts_languages_and_generics() {
    let page = |file, play| Page {
        part: Part {
            id: "1",
            name: "n",
            file,
            play,
        },
        changed: "2024-05-06",
    };
    let videos = |page: &Page<&str>| -> Vec<Vec<Video>> {
        let entries = writer().to_entries(page).unwrap();
        entries.into_iter().map(|entry| entry.videos).collect()
    };
    let of_row = |language: &str| {
        let thumbnail = format!("https://example.com/{language}/1.jpg");
        let title = format!("n ({language})");
        let mut video = Video::player("https://example.com/player")
            .with_thumbnail(thumbnail)
            .with_title(title)
            .with_description("About n");
        video.publication_date = Some("2024-05-06".parse().unwrap());
        video
    };
    let of_part = |content: Option<&str>, play: Option<&str>| {
        let mut video = Video::content("")
            .with_thumbnail("https://example.com/1.jpg")
            .with_title("n")
            .with_description("A film");
        video.content_loc = content.map(str::to_owned);
        video.player_loc = play.map(PlayerLoc::new);
        video
    };
    let (content, play) = (
        Some("https://example.com/f.mp4"),
        Some("https://example.com/play/p"),
    );
    for (found, part) in [
        (page(Some("f"), Some("p")), Some(of_part(content, play))),
        (page(Some("f"), None), Some(of_part(content, None))),
        (page(None, Some("p")), Some(of_part(None, play))),
        (page(None, None), None),
    ] {
        let expected = ["de", "en"].map(|language| {
            let mut videos = vec![of_row(language)];
            videos.extend(part.clone());
            videos
        });
        assert_eq!(videos(&found), expected);
    }
}

/// A flattened field that is `None` has no video. A variant's fields are bound to variables.
#[derive(SitemapEntry)]
enum Pages {
    #[sitemap(
        loc = "/{0}",
        video(
            thumbnail_loc = "/{1.id}.jpg",
            title = "{1.name}",
            description = "{0}",
            content_loc = "/{0}.mp4",
            publication_date = "{1.date}"
        )
    )]
    Film(u8, #[sitemap(flatten)] Option<Dated>),
}

#[derive(SitemapFields)]
struct Dated {
    id: u8,
    name: &'static str,
    date: Option<DateTime<Utc>>,
}

#[test]
fn variants_and_joins() {
    assert_eq!(entry(&Pages::Film(1, None)).videos, []);
    let dated = Dated {
        id: 2,
        name: "n",
        date: None,
    };
    let mut video = Video::content("https://example.com/1.mp4")
        .with_thumbnail("https://example.com/2.jpg")
        .with_title("n")
        .with_description("1");
    assert_eq!(entry(&Pages::Film(1, Some(dated))).videos, [video.clone()]);
    let date: DateTime<Utc> = "2024-05-06T00:00:00Z".parse().unwrap();
    video.publication_date = Some("2024-05-06T00:00:00Z".parse().unwrap());
    let dated = Dated {
        id: 2,
        name: "n",
        date: Some(date),
    };
    assert_eq!(entry(&Pages::Film(1, Some(dated))).videos, [video]);
}

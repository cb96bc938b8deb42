//! A writer's policies for invalid values: drop nothing, the value, or the entry. Each drop is reported.

use std::sync::{Arc, Mutex};

use sitemap_serde::{
    Alternate, EntryWriter, Error, ErrorKind, Image, Limits, OnInvalid, Rule, SitemapEntry, UrlEntry, Video,
    Writer, WriterBuilder, video::PlayerLoc,
};
use sitemap_tests::finished;

use super::builder;

/// The reports: the messages, and the locs of the entries.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<(String, String)>>>);

impl Told {
    fn tell(&self) -> impl Fn(&Error) + Send + Sync + 'static {
        let told = self.0.clone();
        move |error| {
            let loc = error.loc().unwrap_or_default().to_owned();
            told.lock().unwrap().push((error.to_string(), loc));
        }
    }

    fn take(&self) -> Vec<(String, String)> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// One news item is allowed, and a second one is an error. A failed one does not count.
#[test]
fn elements_that_failed_are_not_counted() {
    use sitemap_serde::news::Publication;

    struct Page;
    impl SitemapEntry for Page {
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            let news = |title: &str| {
                let publication = Publication::new("Daily", "en");
                sitemap_serde::News::new(publication, "2026-05-10".parse().unwrap(), title)
            };
            entry.loc("/1")?;
            let found = [vec![news("a"), news("b")], vec![news("a"), news("")]]
                .map(|wrong| entry.element("news:news", &wrong).unwrap_err().to_string());
            assert_eq!(
                found,
                [
                    "a second `news:news`: an entry has at most one (P-NEWS4); write only one, news:news[1]",
                    "a second `news:news`: an entry has at most one (P-NEWS4); write only one, news:news[1]",
                ]
            );
            entry.element("news:news", &news("c"))
        }
    }
    let xml = builder().entries_to_string([&Page]).unwrap();
    assert_eq!(entries(&xml)[0].news.as_ref().unwrap().title, "c");
}

/// The entries, the rows that were skipped, and the values that were dropped.
fn counts<W: std::io::Write>(writer: &Writer<W>) -> (u64, u64, u64) {
    let summary = writer.summary();
    assert_eq!(summary.entries, writer.summary().entries);
    (summary.entries, summary.skipped, summary.dropped)
}

fn video_of(thumbnail: &str) -> Video {
    Video::content("/v")
        .with_thumbnail(thumbnail)
        .with_title("T")
        .with_description("D")
}

fn entries(xml: &str) -> Vec<UrlEntry> {
    let mut reader = sitemap_serde::Reader::from_str(xml);
    reader.entries().map(Result::unwrap).collect()
}

#[derive(SitemapEntry, Clone)]
#[sitemap(loc = "/{slug}", alternate = Self::links, image = "/t/{+thumb}", news = Self::article)]
struct Row {
    slug: &'static str,
    #[sitemap(lastmod)]
    updated: &'static str,
    #[sitemap(changefreq)]
    freq: &'static str,
    #[sitemap(priority)]
    rank: f64,
    #[sitemap(image)]
    pictures: Vec<&'static str>,
    #[sitemap(video)]
    videos: Vec<Video>,
    thumb: &'static str,
    links: Vec<(&'static str, &'static str)>,
    broken: bool,
}

impl Row {
    fn links(&self) -> Vec<(&'static str, &'static str)> {
        self.links.clone()
    }

    fn article(&self) -> Result<Option<sitemap_serde::News>, &'static str> {
        if self.broken { Err("no article") } else { Ok(None) }
    }
}

fn row() -> Row {
    Row {
        slug: "x",
        updated: "2024-05-06",
        freq: "daily",
        rank: 0.5,
        pictures: vec!["/a.jpg"],
        videos: vec![],
        thumb: "t.jpg",
        links: vec![("de", "/de"), ("en", "/x")],
        broken: false,
    }
}

/// One invalid value of each kind, with its error.
fn bad() -> Vec<(Row, &'static str)> {
    let video = |thumbnail: &str, url: &str| {
        let mut video = video_of(thumbnail);
        video.content_loc = Some(url.to_owned());
        video
    };
    let good = row;
    vec![
        (
            Row {
                updated: "yesterday",
                ..good()
            },
            "lastmod",
        ),
        (
            Row {
                freq: "sometimes",
                ..good()
            },
            "changefreq",
        ),
        (Row { rank: 1.5, ..good() }, "priority"),
        (
            Row {
                pictures: vec!["/a.jpg", "file:///b"],
                ..good()
            },
            "image:image[2] · image:loc",
        ),
        (
            Row {
                thumb: "../x",
                ..good()
            },
            "image:image[0] · image:loc",
        ),
        (
            Row {
                videos: vec![video("/t", "/v"), video("file:///t", "/w"), video("/t", "/y")],
                ..good()
            },
            "video:video[1] · video:thumbnail_loc",
        ),
        (
            Row {
                videos: vec![video("/t", "/v"), video("/t", "/x"), video("/t", "/y")],
                ..good()
            },
            "video:video[1] · video:content_loc",
        ),
        (
            Row {
                links: vec![("de", "/de"), ("en", "/x"), ("xx", "/xx")],
                ..good()
            },
            "xhtml:link[2] · @hreflang",
        ),
        (
            Row {
                broken: true,
                ..good()
            },
            "news:news",
        ),
    ]
}

#[test]
fn by_default_the_entry_is_an_error() {
    for (row, path) in bad() {
        let mut writer = builder().from_writer(Vec::new());
        let error = writer.write(&row).unwrap_err();
        assert_eq!(error.path(), Some(&*format!("entry 1 · {path}")), "{error}");
        assert_eq!(counts(&writer), (0, 0, 0));
    }
}

#[test]
fn a_value_is_left_out() {
    let told = Told::default();
    let mut lenient = builder();
    lenient.on_invalid(OnInvalid::DropValue).on_problem(told.tell());
    for (row, path) in bad() {
        let expected = builder().to_entries(&row).unwrap_err();
        let mut writer = lenient.from_writer(Vec::new());
        writer.write(&row).unwrap();
        assert_eq!(counts(&writer), (1, 0, 1), "{path}");
        assert_eq!(told.take(), [(expected.to_string(), "https://a.b/x".to_owned())]);
        let entries = entries(&finished(writer));
        // All other values are present: the row without its invalid values.
        let mut good = row.clone();
        if good.updated == "yesterday" {
            assert_eq!(entries[0].lastmod, None);
        } else {
            assert_eq!(entries[0].lastmod, Some("2024-05-06".parse().unwrap()));
        }
        assert_eq!(entries[0].changefreq.is_none(), good.freq == "sometimes");
        assert_eq!(entries[0].priority.is_none(), good.rank > 1.0);
        let images = 2 - usize::from(good.thumb == "../x");
        assert_eq!(entries[0].images.len(), images, "{path}");
        good.videos
            .retain(|video| video.thumbnail_loc != "file:///t" && video.content_loc.as_deref() != Some("/x"));
        let videos: Vec<_> = entries[0]
            .videos
            .iter()
            .map(|video| video.content_loc.clone().unwrap())
            .collect();
        let expected: Vec<_> = good
            .videos
            .iter()
            .map(|video| format!("https://a.b{}", video.content_loc.as_ref().unwrap()))
            .collect();
        assert_eq!(videos, expected);
        assert_eq!(entries[0].alternates.len(), 2);
    }
}

#[test]
fn an_entry_is_left_out() {
    let told = Told::default();
    let mut lenient = builder();
    lenient.on_invalid(OnInvalid::SkipEntry).on_problem(told.tell());
    let mut writer = lenient.from_writer(Vec::new());
    let mut offered = 0;
    for (bad, path) in bad() {
        writer.write(&row()).unwrap();
        assert_eq!(writer.write(&bad).unwrap(), 0, "{path}");
        offered += 2;
        let told = told.take();
        assert_eq!(told.len(), 1);
        assert!(
            told[0].0.contains(&format!("entry {offered} · {path}")),
            "{}",
            told[0].0
        );
        assert_eq!(told[0].1, "https://a.b/x");
    }
    assert_eq!(counts(&writer), (offered / 2, offered / 2, 0));
    let expected = builder().to_entries(&row()).unwrap().remove(0);
    assert!(entries(&finished(writer)).iter().all(|entry| *entry == expected));
}

/// A row without a valid loc is skipped, and its other values are not reported.
#[test]
fn a_row_with_an_invalid_loc_is_skipped() {
    let told = Told::default();
    for policy in [OnInvalid::Fail, OnInvalid::DropValue, OnInvalid::SkipEntry] {
        let mut builder = builder();
        let mut writer = builder
            .on_invalid(policy)
            .on_problem(told.tell())
            .from_writer(Vec::new());
        for (number, loc) in (1..).zip(["file:///x", "", "https://elsewhere.example/"]) {
            let mut page = UrlEntry::new(loc);
            page.images.push(Image::new("file:///i"));
            let written = writer.write(&page);
            let told = told.take();
            if policy == OnInvalid::Fail {
                assert!(written.unwrap_err().path().unwrap().ends_with("loc"));
                assert_eq!(told, []);
                continue;
            }
            assert_eq!(written.unwrap(), 0);
            let [(message, _)] = &told[..] else {
                panic!("{told:?}")
            };
            assert!(message.contains(&format!("entry {number} · ")), "{message}");
        }
        let skipped = if policy == OnInvalid::Fail { 0 } else { 3 };
        assert_eq!(counts(&writer), (0, skipped, 0));
        // Skipped rows leave nothing in the output, like errors.
        writer.write(&UrlEntry::new("/next")).unwrap();
        assert_eq!(counts(&writer), (1, skipped, 0));
        assert!(finished(writer).ends_with("<url><loc>https://a.b/next</loc></url></urlset>"));
    }
}

/// Errors that are not about the row stay errors: settings, limits, a document that is complete, and a writer that fails.
#[test]
fn no_policy_hides_an_error_that_is_not_about_the_row() {
    let page = UrlEntry::new("/x").with_images([Image::new("file:///i")]);
    for policy in [OnInvalid::Fail, OnInvalid::DropValue, OnInvalid::SkipEntry] {
        let mut settings = WriterBuilder::new();
        let mut writer = settings.base("a.b").on_invalid(policy).from_writer(Vec::new());
        assert_eq!(
            writer.write(&UrlEntry::new("/1")).unwrap_err().kind(),
            ErrorKind::Settings
        );

        let mut settings = builder();
        settings
            .on_invalid(policy)
            .limits(Limits::writing().with_entries(1));
        let mut writer = settings.from_writer(Vec::new());
        writer.write(&UrlEntry::new("/1")).unwrap();
        assert_eq!(writer.write(&page).unwrap_err().kind(), ErrorKind::Limit);
        writer.try_finish().unwrap();
        assert_eq!(
            writer.write(&page).unwrap_err().problem(),
            "the document is complete: no entry can follow the end of its root"
        );
        assert_eq!(counts(&writer), (1, 0, 0));
    }
}

/// Serde's structs are not rows: an invalid value in one stays an error.
#[test]
fn the_policy_is_for_rows() {
    let page = UrlEntry::new("/x").with_images([Image::new("file:///i")]);
    for policy in [OnInvalid::Fail, OnInvalid::DropValue, OnInvalid::SkipEntry] {
        let mut builder = builder();
        let mut writer = builder.on_invalid(policy).from_writer(Vec::new());
        assert_eq!(writer.serialize(&page).unwrap_err().rule(), Some(Rule::Img2));
        assert_eq!(counts(&writer), (0, 0, 0));
    }
}

/// The crate's own types behave like derived ones: the rest equals an entry without the value.
#[test]
fn entries_of_the_crates_types() {
    let told = Told::default();
    let mut lenient = builder();
    lenient
        .check_alternates(true)
        .on_invalid(OnInvalid::DropValue)
        .on_problem(told.tell());
    let mut page = UrlEntry::new("/x");
    page.lastmod = Some("2024-05-06".parse().unwrap());
    page.images = vec![Image::new("/a.jpg"), Image::new(""), Image::new("/b.jpg")];
    let mut video = video_of("/t");
    video.player_loc = Some(PlayerLoc::new("/x"));
    page.videos = vec![video.clone()];
    video.player_loc = Some(PlayerLoc::new("/play"));
    page.videos.push(video);
    page.alternates = vec![Alternate::new("de", "/de"), Alternate::new("en", "/en")];
    let mut writer = lenient.from_writer(Vec::new());
    writer.write(&page).unwrap();
    assert_eq!(counts(&writer), (1, 0, 3));
    let messages: Vec<String> = told.take().into_iter().map(|(message, _)| message).collect();
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert!(
        messages[0].contains("entry 1 · image:image[1] · image:loc"),
        "{messages:?}"
    );
    assert!(
        messages[1].contains("entry 1 · video:video[0] · video:player_loc"),
        "{messages:?}"
    );
    assert!(
        messages[2].contains("do not list the page itself"),
        "{messages:?}"
    );
    page.images.remove(1);
    // The video has an address of its own, too.
    page.videos[0].player_loc = None;
    page.alternates.clear();
    assert_eq!(entries(&finished(writer)), builder().to_entries(&page).unwrap());
}

/// The entries of a row are left out together.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{slug}", languages("de", "en"))]
struct Article {
    slug: &'static str,
    #[sitemap(image)]
    image: &'static str,
}

/// If an element with a namespace declaration is left out, the next one declares it again.
#[test]
fn an_element_that_is_left_out_declares_nothing() {
    let mut entry = UrlEntry::new("/2");
    entry.images = vec![Image::new("mailto:a@b.c"), Image::new("/2.png")];
    entry.alternates = vec![Alternate::new("nothing", "/nothing"), Alternate::new("de", "/de")];
    let mut builder = builder();
    let mut writer = builder.on_invalid(OnInvalid::DropValue).from_writer(Vec::new());
    // With this, the root declares no namespace of an extension.
    writer.write(&UrlEntry::new("/1")).unwrap();
    writer.write(&entry).unwrap();
    let xml = finished(writer);
    let entry = &entries(&xml)[1];
    let images: Vec<_> = entry.images.iter().map(|image| &*image.loc).collect();
    let alternates: Vec<_> = entry
        .alternates
        .iter()
        .map(|alternate| &*alternate.href)
        .collect();
    assert_eq!(images, ["https://a.b/2.png"], "{xml}");
    assert_eq!(alternates, ["https://a.b/de"], "{xml}");
}

#[test]
fn rows_of_several_entries() {
    let told = Told::default();
    let article = Article {
        slug: "x",
        image: "file:///i",
    };
    let mut lenient = builder();
    let mut writer = lenient
        .on_invalid(OnInvalid::SkipEntry)
        .on_problem(told.tell())
        .from_writer(Vec::new());
    assert_eq!(writer.write(&article).unwrap(), 0);
    assert_eq!(told.take().len(), 1);
    let mut writer = lenient.on_invalid(OnInvalid::DropValue).from_writer(Vec::new());
    assert_eq!(writer.write(&article).unwrap(), 2);
    let locs: Vec<String> = told.take().into_iter().map(|(_, loc)| loc).collect();
    assert_eq!(locs, ["https://a.b/de/x", "https://a.b/en/x"]);
    let entries = entries(&finished(writer));
    assert!(
        entries
            .iter()
            .all(|entry| entry.images.is_empty() && entry.alternates.len() == 2)
    );
}

/// A hand-written value that the program itself refuses.
struct ByHand;

impl SitemapEntry for ByHand {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<(), Error> {
        entry.loc("/x")?;
        entry.lastmod("2024")?;
        entry.lastmod("2025")?;
        entry.priority(2.0)
    }
}

#[test]
fn by_hand_and_beside_the_limits() {
    let told = Told::default();
    let mut lenient = builder();
    lenient
        .on_invalid(OnInvalid::DropValue)
        .on_problem(told.tell())
        .limits(Limits::writing().with_entries(1));
    let mut writer = lenient.from_writer(Vec::new());
    writer.write(&ByHand).unwrap();
    assert_eq!(counts(&writer), (1, 0, 2));
    assert_eq!(told.take().len(), 2);
    let full = writer.write(&ByHand).unwrap_err();
    assert_eq!(full.rule(), Some(Rule::Count));
    assert_eq!(told.take(), []);
    assert!(finished(writer).contains("<url><loc>https://a.b/x</loc><lastmod>2024</lastmod></url>"));
}

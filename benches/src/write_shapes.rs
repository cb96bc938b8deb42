//! Writing entries of every shape that programs write, side by side with the other libraries and with a loop by hand.
//!
//! Every candidate writes into a preallocated `Vec<u8>`. No other library encodes locs, so its caller encodes them first, and
//! this is timed too.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Write as _;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Serialize;
use sitemap_serde::{UrlEntry, Writer};

use crate::generated::written::{Page, Row, WRITTEN, Written};
use crate::harness::Comparison;

const ENTRIES: usize = 4_000;

/// Maximum number of news in a document.
const NEWS: usize = 1_000;

/// The maximum number of entries of a shape in a document.
fn entries_of(shape: &Written) -> Vec<UrlEntry> {
    let is_news = shape.name.starts_with("news");
    let entries = shape.entries(if is_news { NEWS } else { ENTRIES }, 1);
    // Copied, they lie in memory one after the other, for every candidate.
    entries.clone()
}
const ROUNDS: usize = 31;

const WRITE: &str = "write";
const SERIALIZE: &str = "serialize";
const STRUCT: &str = "own struct";
const DERIVED: &str = "derived";
const OTHERS: [&str; 3] = ["quick-xml serde", "sitemap-rs", "sitewriter"];
const BY_HAND: &str = "by hand";

const NAMES: [&str; 8] = [
    WRITE, SERIALIZE, STRUCT, DERIVED, OTHERS[0], OTHERS[1], OTHERS[2], BY_HAND,
];

/// The characters that RFC 3986 does not allow after a host. `%` stays, since locs may already be encoded.
const ILLEGAL: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The encoding that a caller must do for a library without it.
fn encoded(loc: &str) -> Cow<'_, str> {
    let start = loc.find("://").map_or(0, |at| at + 3);
    let end = loc[start..].find('/').map_or(loc.len(), |at| start + at);
    if loc[start..end].is_ascii() {
        return utf8_percent_encode(loc, ILLEGAL).into();
    }
    let mut url = loc[..start].to_owned();
    url += &idna::domain_to_ascii(&loc[start..end]).expect("a host");
    url.extend(utf8_percent_encode(&loc[end..], ILLEGAL));
    url.into()
}

/// Runs all comparisons, or repeats one candidate on entries of a shape.
pub(crate) fn run(repeat: Option<(&str, &str, usize)>) {
    let sink = RefCell::new(Vec::with_capacity(32 << 20));
    if let Some((name, candidate, times)) = repeat {
        let shape = WRITTEN.iter().find(|shape| shape.name == name);
        let shape = shape.unwrap_or_else(|| panic!("no shape is called {name}"));
        let entries = entries_of(shape);
        assert!(
            comparison(shape, &entries, &sink).repeat(candidate, times),
            "no candidate {candidate}"
        );
        return;
    }
    println!("Writing {ENTRIES} generated entries: ns an entry, best (median);");
    println!(
        "then how many times as fast as the fastest other by the median of the rounds, derived beside by hand,"
    );
    println!("and what a byte costs `write` beside a plain one's");
    print!("| shape | bytes |");
    for name in NAMES {
        print!(" {name} |");
    }
    println!(" write | serialize | own struct | derived : by hand | per byte |");
    println!("|{}", "---|".repeat(NAMES.len() + 7));
    let mut plain = 0.0;
    for shape in &WRITTEN {
        let entries = entries_of(shape);
        let mut comparison = comparison(shape, &entries, &sink);
        comparison.time(ROUNDS);
        let per_byte = row(shape, &comparison, plain);
        if plain == 0.0 {
            plain = per_byte;
        }
    }
}

/// One row: the times, and the missed goals. Returns the cost per byte.
fn row(shape: &Written, comparison: &Comparison<'_>, plain: f64) -> f64 {
    let per_byte = 1000.0 / comparison.rates(WRITE).1;
    print!("| {} | {} |", shape.name, comparison.bytes_per_entry(WRITE));
    for name in NAMES {
        match comparison.per_entry(name) {
            Some((best, median)) => print!(" {best:.0} ({median:.0}) |"),
            None => print!(" |"),
        }
    }
    let verdict = |reached: bool| if reached { "" } else { " MISSED" };
    for name in [WRITE, SERIALIZE, STRUCT] {
        let others = OTHERS
            .iter()
            .filter(|other| comparison.per_entry(other).is_some());
        let times = others
            .map(|other| comparison.times(name, other))
            .fold(f64::INFINITY, f64::min);
        print!(" {times:.1}{} |", verdict(times >= 1.5));
    }
    let times = comparison.times(DERIVED, BY_HAND);
    print!(" {times:.2}{} |", verdict(times >= 0.9));
    if plain > 0.0 {
        let times = per_byte / plain;
        print!(" {times:.2}{} |", verdict(!shape.is_extended || times <= 2.0));
    }
    println!();
    per_byte
}

#[derive(Serialize)]
#[serde(rename = "urlset")]
struct Urlset<'a, T> {
    #[serde(rename = "@xmlns")]
    xmlns: &'static str,
    url: &'a [T],
}

/// A page whose loc its caller has encoded.
#[derive(Serialize)]
struct EncodedPage<'a> {
    loc: Cow<'a, str>,
    lastmod: &'a str,
    changefreq: &'static str,
    priority: f32,
}

fn comparison<'a>(shape: &Written, entries: &'a [UrlEntry], sink: &'a RefCell<Vec<u8>>) -> Comparison<'a> {
    let mut comparison = Comparison::new(shape.name, entries.len());
    let mut add = |name, mut write: Write<'a>| {
        comparison.add(name, move || {
            let mut sink = sink.borrow_mut();
            sink.clear();
            write(&mut sink);
            sink.len()
        });
    };
    let pages: Vec<_> = entries.iter().map(Page::of).collect();
    let rows: Vec<_> = entries.iter().cloned().map(Row::of).collect();
    let rows_too: Vec<_> = entries.iter().cloned().map(Row::of).collect();
    add(
        WRITE,
        Box::new(move |sink| {
            let mut writer = Writer::from_writer(sink);
            for entry in entries {
                writer.write(entry).expect("a valid entry");
            }
            writer.finish().expect("a sink that takes everything");
        }),
    );
    add(
        SERIALIZE,
        Box::new(move |sink| {
            let mut writer = Writer::from_writer(sink);
            for entry in entries {
                writer.serialize(entry).expect("a valid entry");
            }
            writer.finish().expect("a sink that takes everything");
        }),
    );
    add(
        STRUCT,
        Box::new(move |sink| {
            let mut writer = Writer::from_writer(sink);
            for page in &pages {
                writer.serialize(page).expect("a valid entry");
            }
            writer.finish().expect("a sink that takes everything");
        }),
    );
    add(
        DERIVED,
        Box::new(move |sink| {
            let mut writer = Writer::from_writer(sink);
            for row in &rows {
                writer.write(row).expect("a valid entry");
            }
            writer.finish().expect("a sink that takes everything");
        }),
    );
    add(OTHERS[0], quick_xml_serde(shape, entries));
    add(OTHERS[1], sitemap_rs(shape, entries));
    if !shape.is_extended {
        add(OTHERS[2], sitewriter(shape, entries));
    }
    add(BY_HAND, Box::new(move |sink| by_hand(&rows_too, sink)));
    comparison
}

/// Writes a document.
type Write<'a> = Box<dyn FnMut(&mut Vec<u8>) + 'a>;

const CORE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const DECLARATION: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn quick_xml_serde<'a>(shape: &Written, entries: &'a [UrlEntry]) -> Write<'a> {
    fn put<T: Serialize>(url: &[T], sink: &mut Vec<u8>) {
        sink.extend_from_slice(DECLARATION);
        let urlset = Urlset { xmlns: CORE, url };
        quick_xml::se::to_utf8_io_writer(sink, &urlset).expect("a serializable document");
    }
    if !shape.is_encoded {
        let pages: Vec<_> = entries.iter().map(Page::of).collect();
        return Box::new(move |sink| put(&pages, sink));
    }
    let dates: Vec<_> = entries
        .iter()
        .map(|entry| entry.lastmod.map(|date| date.to_string()).unwrap_or_default())
        .collect();
    Box::new(move |sink| {
        let pages: Vec<_> = entries
            .iter()
            .zip(&dates)
            .map(|(entry, lastmod)| EncodedPage {
                loc: encoded(&entry.loc),
                lastmod,
                changefreq: "weekly",
                priority: entry.priority.map_or(0.5, f32::from),
            })
            .collect();
        put(&pages, sink);
    })
}

fn zoned(date: sitemap_serde::W3cDateTime) -> jiff02::Zoned {
    let text = date.to_string();
    let day = text.get(..10).unwrap_or(&text);
    let timestamp: jiff02::Timestamp = text
        .parse()
        .or_else(|_| format!("{day}T00:00:00Z").parse())
        .expect("a timestamp");
    timestamp.to_zoned(jiff02::tz::TimeZone::UTC)
}

/// An entry of sitemap-rs. Its images have no titles.
fn sitemap_rs_url(entry: &UrlEntry, loc: String, lastmod: jiff02::Zoned) -> sitemap_rs::url::Url {
    let mut builder = sitemap_rs::url::Url::builder(loc);
    builder
        .last_modified(lastmod)
        .change_frequency(sitemap_rs::url::ChangeFrequency::Weekly)
        .priority(entry.priority.map_or(0.5, f32::from));
    if !entry.images.is_empty() {
        let images = entry.images.iter();
        builder.images(
            images
                .map(|image| sitemap_rs::image::Image::new(image.loc.clone()))
                .collect(),
        );
    }
    if !entry.alternates.is_empty() {
        builder.links(entry.alternates.iter().map(|link| {
            sitemap_rs::url::Link::new(link.hreflang.clone().unwrap_or_default(), link.href.clone())
        }));
    }
    if let Some(news) = &entry.news {
        let publication = sitemap_rs::news::Publication::new(
            news.publication.name.clone(),
            news.publication.language.clone(),
        );
        builder.news(sitemap_rs::news::News::new(
            publication,
            zoned(news.publication_date),
            news.title.clone(),
        ));
    }
    if !entry.videos.is_empty() {
        let videos = entry.videos.iter().map(|video| {
            let content = video.content_loc.clone().unwrap_or_default();
            let mut builder = sitemap_rs::video::Video::builder(
                video.thumbnail_loc.clone(),
                video.title.clone(),
                video.description.clone(),
                content,
                // It asks for a player too.
                "https://www.example.com/player".to_owned(),
            );
            builder
                .duration(u16::try_from(video.duration.unwrap_or_default()).unwrap_or_default())
                .family_friendly(video.family_friendly == Some(true))
                .tags(video.tags.clone());
            if let Some(date) = video.publication_date {
                builder.publication_date(zoned(date));
            }
            builder.build().expect("a valid video")
        });
        builder.videos(videos.collect());
    }
    builder.build().expect("a valid entry")
}

fn sitemap_rs<'a>(shape: &Written, entries: &'a [UrlEntry]) -> Write<'a> {
    let date = |entry: &UrlEntry| zoned(entry.lastmod.expect("a lastmod"));
    if !shape.is_encoded {
        let urls = entries
            .iter()
            .map(|entry| sitemap_rs_url(entry, entry.loc.clone(), date(entry)));
        let set = sitemap_rs::url_set::UrlSet::new(urls.collect()).expect("not too many");
        return Box::new(move |sink| set.write(sink).expect("a sink that takes everything"));
    }
    let dates: Vec<_> = entries.iter().map(date).collect();
    Box::new(move |sink| {
        let urls = entries
            .iter()
            .zip(&dates)
            .map(|(entry, date)| sitemap_rs_url(entry, encoded(&entry.loc).into_owned(), date.clone()));
        let set = sitemap_rs::url_set::UrlSet::new(urls.collect()).expect("not too many");
        set.write(sink).expect("a sink that takes everything");
    })
}

/// Its URLs are of the crate `url`, which encodes them when it parses them.
fn sitewriter<'a>(shape: &Written, entries: &'a [UrlEntry]) -> Write<'a> {
    let dates: Vec<chrono::DateTime<chrono::Utc>> = entries
        .iter()
        .map(|entry| {
            let seconds = zoned(entry.lastmod.expect("a lastmod")).timestamp().as_second();
            chrono::DateTime::from_timestamp(seconds, 0).expect("a date")
        })
        .collect();
    let all = move || -> Vec<sitewriter::UrlEntry> {
        let of = |(entry, date): (&UrlEntry, &chrono::DateTime<chrono::Utc>)| {
            sitewriter::UrlEntry::new(
                entry.loc.parse().expect("a URL"),
                Some(*date),
                Some(sitewriter::ChangeFreq::Weekly),
                entry.priority.map(f32::from),
            )
        };
        entries.iter().zip(&dates).map(of).collect()
    };
    if shape.is_encoded {
        return Box::new(move |sink| {
            sitewriter::generate(sink, &all()).expect("a sink that takes everything");
        });
    }
    let all = all();
    Box::new(move |sink| {
        sitewriter::generate(sink, &all).expect("a sink that takes everything");
    })
}

/// A good hand-written loop: one buffer, no checks, and no allocation per entry, except for a host that needs encoding.
fn by_hand(rows: &[Row], sink: &mut Vec<u8>) {
    let mut out = String::with_capacity(64 << 10);
    let _ = write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">"
    );
    for row in rows {
        out.push_str("<url>");
        leaf(&mut out, "loc", &encoded(&row.url));
        let _ = write!(
            out,
            "<lastmod>{}</lastmod><changefreq>weekly</changefreq><priority>{:?}</priority>",
            row.updated, row.weight
        );
        for image in &row.images {
            out.push_str("<image:image>");
            leaf(&mut out, "image:loc", &encoded(&image.loc));
            if let Some(title) = &image.title {
                leaf(&mut out, "image:title", title);
            }
            out.push_str("</image:image>");
        }
        for video in &row.videos {
            out.push_str("<video:video>");
            leaf(&mut out, "video:thumbnail_loc", &encoded(&video.thumbnail_loc));
            leaf(&mut out, "video:title", &video.title);
            leaf(&mut out, "video:description", &video.description);
            if let Some(url) = &video.content_loc {
                leaf(&mut out, "video:content_loc", &encoded(url));
            }
            if let Some(duration) = video.duration {
                let _ = write!(out, "<video:duration>{duration}</video:duration>");
            }
            if let Some(date) = video.publication_date {
                let _ = write!(out, "<video:publication_date>{date}</video:publication_date>");
            }
            for tag in &video.tags {
                leaf(&mut out, "video:tag", tag);
            }
            if let Some(friendly) = video.family_friendly {
                leaf(
                    &mut out,
                    "video:family_friendly",
                    if friendly { "yes" } else { "no" },
                );
            }
            out.push_str("</video:video>");
        }
        if let Some(news) = &row.news {
            out.push_str("<news:news><news:publication>");
            leaf(&mut out, "news:name", &news.publication.name);
            leaf(&mut out, "news:language", &news.publication.language);
            out.push_str("</news:publication>");
            let _ = write!(
                out,
                "<news:publication_date>{}</news:publication_date>",
                news.publication_date
            );
            leaf(&mut out, "news:title", &news.title);
            out.push_str("</news:news>");
        }
        for link in &row.alternates {
            out.push_str("<xhtml:link rel=\"alternate\" hreflang=\"");
            push_escaped(&mut out, link.hreflang.as_deref().unwrap_or_default());
            out.push_str("\" href=\"");
            push_escaped(&mut out, &encoded(&link.href));
            out.push_str("\"/>");
        }
        out.push_str("</url>");
        if out.len() > 32 << 10 {
            sink.extend_from_slice(out.as_bytes());
            out.clear();
        }
    }
    out.push_str("</urlset>");
    sink.extend_from_slice(out.as_bytes());
}

fn leaf(out: &mut String, name: &str, text: &str) {
    out.push('<');
    out.push_str(name);
    out.push('>');
    push_escaped(out, text);
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

/// Appends a text, escaped.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        out.push_str(match special.as_bytes().first() {
            Some(b'&') => "&amp;",
            Some(b'<') => "&lt;",
            Some(b'>') => "&gt;",
            Some(b'"') => "&quot;",
            _ => "&apos;",
        });
        rest = &special[1..];
    }
    out.push_str(rest);
}

//! A page with an invalid extension is written without the smallest invalid part, and this is reported.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use serde::Serialize;
use sitemap_serde::video::PlayerLoc;
use sitemap_serde::{Mode, OnInvalid, Reader, ReaderBuilder, UrlEntry, Video, WriterBuilder};
use sitemap_tests::{Schemas, reads_all, sample};

use crate::extensions::changed::{Change, Element, FULL, apply, changes, document, tree};

/// A page that was read leniently and written without its invalid parts.
#[derive(Debug)]
struct Written {
    xml: String,
    /// The diagnostics of reading, and the errors of writing.
    told: Vec<String>,
    /// The paths of the dropped values.
    omitted: Vec<String>,
}

fn lenient(document: &str) -> Written {
    let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str(document);
    let entries: Vec<UrlEntry> = reader.entries().map(Result::unwrap).collect();
    let (mut told, mut omitted) = (Vec::new(), Vec::new());
    for diagnostic in reader.diagnostics() {
        told.push(diagnostic.to_string());
        omitted.extend(diagnostic.dropped().map(str::to_owned));
    }
    let errors = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&errors);
    let mut builder = WriterBuilder::new();
    builder.on_invalid(OnInvalid::DropValue).on_problem(move |error| {
        let omitted = error.dropped().map(str::to_owned);
        seen.lock().unwrap().push((error.to_string(), omitted));
    });
    let xml = builder.entries_to_string(&entries).unwrap();
    for (error, path) in errors.lock().unwrap().drain(..) {
        told.push(error);
        omitted.push(path.expect("an error that says what was left out"));
    }
    Written { xml, told, omitted }
}

/// The document, as strict reading and writing give it.
fn strict(document: &str) -> Option<String> {
    let entries: Result<Vec<UrlEntry>, _> = Reader::from_str(document).entries().collect();
    sitemap_serde::entries_to_string(&entries.ok()?).ok()
}

/// The index of the last child with this name.
fn child_index(entry: &Element, path: &[usize], name: &str) -> Option<usize> {
    let mut entry = entry.clone();
    let children = &entry.at(path)?.children;
    children.iter().rposition(|child| child.name == name)
}

/// The entry with the change, then without the changed part, then without each element around it.
fn smaller(entry: &Element, path: &[usize], change: &Change) -> Vec<Element> {
    let changed = |path: &[usize], change: &Change| {
        let mut changed = entry.clone();
        apply(&mut changed, path, change);
        changed
    };
    let mut smaller = vec![changed(path, change)];
    match change {
        Change::Attribute(i, Some(_)) => smaller.push(changed(path, &Change::Attribute(*i, None))),
        // If two differ, the second one is reported, as before.
        Change::AddChild(name, _) if child_index(entry, path, name).is_some() => {
            let old = [path, &[child_index(&smaller[0], path, name).unwrap_or_default()]].concat();
            let mut first = smaller[0].clone();
            apply(&mut first, &old, &Change::Remove);
            smaller.extend([first, entry.clone()]);
        }
        // The second one is left out.
        Change::Repeat | Change::RepeatLast | Change::AddChild(..) | Change::AddAttribute(_) => {
            smaller.push(entry.clone());
        }
        // Without its text, an element with attributes would have another meaning.
        Change::Text(_) => {
            let is_bare = entry
                .clone()
                .at(path)
                .is_some_and(|element| element.attributes.is_empty());
            if is_bare {
                smaller.push(changed(path, &Change::Text(String::new())));
            }
        }
        _ => {}
    }
    let around = (1..=path.len()).rev();
    smaller.extend(around.map(|len| changed(&path[..len], &Change::Remove)));
    smaller
}

/// Every change of every element of every extension, one at a time.
fn each_change(mut visit: impl FnMut(&Element, &[usize], &Change)) {
    let entry = tree(FULL);
    for child in entry.children.iter().filter(|child| child.name != "loc") {
        let small = Element {
            children: vec![entry.children[0].clone(), child.clone()],
            ..Element::new(&entry.name, "")
        };
        // The loc is never left out.
        for (path, change) in sample(changes(&small).iter().filter(|(path, _)| path[0] != 0)) {
            visit(&small, path, change);
        }
    }
}

#[test]
fn the_smallest_thing_is_left_out_and_said() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    each_change(|entry, path, change| {
        let smaller = smaller(entry, path, change);
        let written = lenient(&document(&smaller[0]));
        count += usize::from(!written.omitted.is_empty());
        // Values that lenient reading repairs are no longer invalid.
        let is_repaired = written.omitted.is_empty() && !written.told.is_empty();
        let expected = || smaller.iter().find_map(|entry| strict(&document(entry)));
        let is_right = is_repaired || expected().as_ref() == Some(&written.xml);
        if !is_right || !written.xml.contains("<loc>https://example.com/page</loc>") {
            wrong.push(format!("{path:?} {change:?}\n{written:#?}\n"));
        }
    });
    assert!(count > if reads_all() { 2_000 } else { 250 }, "{count}");
    assert!(
        wrong.is_empty(),
        "{} of {count}\n{}",
        wrong.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn the_schemas_find_nothing_wrong_with_the_rest() {
    let Some(schemas) = Schemas::of("the_schemas_find_nothing_wrong_with_the_rest") else {
        return;
    };
    let mut documents = HashSet::new();
    each_change(|entry, path, change| {
        let mut changed = entry.clone();
        apply(&mut changed, path, change);
        let written = lenient(&document(&changed));
        if !written.omitted.is_empty() {
            documents.insert(written.xml);
        }
    });
    assert!(documents.len() > 30, "{}", documents.len());
    let mut documents: Vec<String> = documents.into_iter().collect();
    documents.sort();
    assert_eq!(schemas.check(&documents), Ok(()));
}

/// The valid words of a list stay. An element that depends on its text is dropped with it, so the rest never means the opposite.
#[test]
fn what_is_left_does_not_say_something_else() {
    const COUNTRY: &str = "is not the code of a country";
    let video = |inner: &str| {
        let parts = "<video:thumbnail_loc>https://e.com/t.jpg</video:thumbnail_loc><video:title>T</video:title>\
            <video:description>D</video:description><video:content_loc>https://e.com/v.mp4</video:content_loc>";
        format!("<video:video>{parts}{inner}</video:video>")
    };
    let restriction = |relationship: &str, countries: &str| {
        video(&format!(
            r#"<video:restriction relationship="{relationship}">{countries}</video:restriction>"#
        ))
    };
    let platform = |platforms: &str| {
        video(&format!(
            r#"<video:platform relationship="deny">{platforms}</video:platform>"#
        ))
    };
    let news = |inner: &str| {
        format!(
            "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>\
             <news:publication_date>2026-01-01</news:publication_date><news:title>T</news:title>{inner}</news:news>"
        )
    };
    let of_countries = |word: &str, advice: &str, at: &str| {
        format!(
            "`{word}` {COUNTRY} (P-VID7); {advice}, entry 1 · video:video[0] · video:restriction · $text{at}, loc `https://e.com/`"
        )
    };
    let as_codes = "write countries as ISO 3166 codes, such as `GB IE US`, with spaces between";
    let of_platforms = |word: &str, at: &str| {
        format!(
            "`{word}` is not one of `web`, `mobile`, `tv` (P-VID8); write one of these, or leave it out, \
             entry 1 · video:video[0] · video:platform · $text{at}, loc `https://e.com/`"
        )
    };
    let table = [
        (
            restriction("allow", "GB UK IE"),
            restriction("allow", "GB IE"),
            vec![of_countries("UK", "write `GB`", "[1]")],
        ),
        (
            restriction("deny", "XX gb FR"),
            restriction("deny", "FR"),
            vec![
                of_countries("XX", as_codes, "[0]"),
                of_countries("gb", "write `GB`", "[1]"),
            ],
        ),
        (restriction("allow", "UK"), video(""), vec![of_countries("UK", "write `GB`", "")]),
        (restriction("deny", "XX YY"), video(""), vec![of_countries("XX", as_codes, "")]),
        // The document's own declarations stay.
        (restriction("allow", ""), restriction("allow", ""), vec![]),
        (platform("web phone tv"), platform("web tv"), vec![of_platforms("phone", "[1]")]),
        (platform("phone"), video(""), vec![of_platforms("phone", "")]),
        (
            video(r#"<video:price currency="EUR" type="rent">free</video:price>"#),
            video(""),
            vec![
                "warning[sitemap-video.xsd]: `free` is not a decimal number of at least 0: write digits, with a point among them at most \
                 (sitemap-video.xsd), at line 1, column 454 (byte 453), entry 1 · video:video[0] · video:price[0] · $text"
                    .to_owned(),
            ],
        ),
        (
            news("<news:genres>Blog, Gossip, Satire</news:genres>"),
            news("<news:genres>Blog, Satire</news:genres>"),
            vec![
                "`Gossip` is not one of `PressRelease`, `Satire`, `Blog`, `OpEd`, `Opinion`, `UserGenerated` (sitemap-news.xsd); write one of \
                 these, or leave it out, entry 1 · news:news · news:genres[1], loc `https://e.com/`"
                    .to_owned(),
            ],
        ),
        (news("<news:genres>Gossip</news:genres>"), news(""), vec![
                "`Gossip` is not one of `PressRelease`, `Satire`, `Blog`, `OpEd`, `Opinion`, `UserGenerated` (sitemap-news.xsd); write one of \
                 these, or leave it out, entry 1 · news:news · news:genres, loc `https://e.com/`"
                    .to_owned(),
            ]),
        (
            news("<news:stock_tickers>NASDAQ:AMAT, x, BOM:500325</news:stock_tickers>"),
            news("<news:stock_tickers>NASDAQ:AMAT, BOM:500325</news:stock_tickers>"),
            vec![
                "`x` is not a stock ticker: a stock ticker is an exchange and a symbol with `:` between, letters and digits (sitemap-news.xsd); write one \
                 such as `NASDAQ:AMAT`, entry 1 · news:news · news:stock_tickers[1], loc `https://e.com/`"
                    .to_owned(),
            ],
        ),
    ];
    let document = |inner: &str| {
        format!(
            r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"><url><loc>https://e.com/</loc>{inner}</url></urlset>"#
        )
    };
    for (given, kept, told) in table {
        let written = lenient(&document(&given));
        let expected = strict(&document(&kept)).unwrap();
        assert_eq!((written.xml, written.told), (expected, told), "{given}");
    }
}

/// The loc may come before the videos or after them.
#[test]
fn each_video_that_is_its_page_is_left_out() {
    #[derive(Serialize)]
    struct LocLast<'a> {
        #[serde(rename = "video:video")]
        videos: &'a [Video],
        loc: &'a str,
    }
    let page = "https://example.com/page";
    let mut entry = UrlEntry::new(page);
    let url = |path: &str| format!("https://example.com{path}");
    entry.videos = ["/1.mp4", "/page", "/3.mp4", "/page", "/5.mp4", "/page", "/7.mp4"]
        .map(|path| {
            Video::content(url(path))
                .with_thumbnail(url("/thumbnail.jpg"))
                .with_title("Title")
                .with_description("Description")
        })
        .into();
    entry.videos[4].player_loc = Some(PlayerLoc::new(page));
    let last = LocLast {
        videos: &entry.videos,
        loc: page,
    };
    let errors = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&errors);
    let mut builder = WriterBuilder::new();
    builder
        .on_invalid(OnInvalid::DropValue)
        .on_problem(move |error| seen.lock().unwrap().push(error.to_string()));
    let mut written = Vec::new();
    for is_last in [false, true] {
        let mut writer = builder.from_writer(Vec::new());
        if is_last {
            writer.serialize(&last).unwrap();
        } else {
            writer.write(&entry).unwrap();
        }
        let xml = writer.finish().unwrap();
        let read: UrlEntry = Reader::from_slice(&xml).entries().next().unwrap().unwrap();
        let kept = read.videos.into_iter().map(|video| video.content_loc.unwrap());
        written.push((
            kept.collect::<Vec<_>>(),
            std::mem::take(&mut *errors.lock().unwrap()),
        ));
    }
    let problem = |field: &str| {
        format!(
            "`{page}` is the page's own loc: a video and its player have an address of their own (P-VID2); \
             correct it, or leave it out, entry 1 · video:video{field}, loc `{page}`"
        )
    };
    let content = |index: usize| problem(&format!("[{index}] · video:content_loc"));
    let all = |player: &str| vec![content(1), content(3), problem(player), content(5)];
    assert_eq!(written[0].1, all("[4] · video:player_loc · $text"));
    assert_eq!(written[0].0, ["/1.mp4", "/3.mp4", "/5.mp4", "/7.mp4"].map(url));
    // A player that is found after its video drops the video.
    assert_eq!(written[1].1, all("[4] · video:player_loc"));
    assert_eq!(written[1].0, ["/1.mp4", "/3.mp4", "/7.mp4"].map(url));
}

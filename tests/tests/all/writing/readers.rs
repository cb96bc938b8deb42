//! For any input, every reader finds the written values: xml-rs, quick-xml, this crate and libxml2.

use std::fs;
use std::process::Command;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sitemap_serde::__internals::Event;
use sitemap_serde::{
    Alternate, ChangeFreq, Image, IndexEntry, Kind, News, Priority, Reader, Rule, UrlEntry, Video,
    W3cDateTime, WriterBuilder, news::Publication,
};
use sitemap_tests::{CORE, cases, files, program, xml_events};

const BASE: &str = "https://www.example.com";

const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
const VIDEO: &str = "http://www.google.com/schemas/sitemap-video/1.1";
const NEWS: &str = "http://www.google.com/schemas/sitemap-news/0.9";
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// Every character that XML can hold, with special ones more often.
fn character() -> impl Strategy<Value = char> {
    prop_oneof![
        4 => proptest::char::range(' ', '~'),
        2 => proptest::sample::select("&<>\"' \t%;/?#[]\u{7F}\u{85}\u{A0}\u{2028}\u{FEFF}\u{FFFD}".chars().collect::<Vec<_>>()),
        2 => any::<char>().prop_filter("XML can hold it", |&c| is_xml_char(c)),
    ]
}

fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

/// Text without white space at its ends, because XML's white space around a value is not kept.
fn text(most: usize) -> impl Strategy<Value = String> {
    (character(), vec(character(), 0..most - 2), character()).prop_map(|(first, middle, last)| {
        let ends = [first, last].map(|c| if " \t\r\n".contains(c) { '.' } else { c });
        format!("{}{}{}", ends[0], String::from_iter(middle), ends[1])
    })
}

/// The path and query of a URL, from any characters.
fn path() -> impl Strategy<Value = String> {
    prop_oneof![4 => vec(character(), 0..40), 1 => vec(character(), 0..400)]
        .prop_map(|chars| format!("/{}", String::from_iter(chars)))
}

fn date() -> impl Strategy<Value = W3cDateTime> {
    let form = "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9]))?";
    form.prop_map(|text| text.parse().expect("a W3C Datetime"))
}

fn core() -> impl Strategy<Value = UrlEntry> {
    (
        path(),
        option::of(date()),
        option::of(proptest::sample::select(ChangeFreq::ALL.to_vec())),
        option::of(prop_oneof![
            (0.0..=1.0).prop_map(|number: f64| Priority::try_from(number).expect("from 0 to 1")),
            "0?\\.[0-9]{1,12}|[01]|1\\.0{0,5}".prop_map(|text| text.parse().expect("a decimal")),
        ]),
    )
        .prop_map(|(path, lastmod, changefreq, priority)| {
            let mut entry = UrlEntry::new(path);
            entry.lastmod = lastmod;
            entry.changefreq = changefreq;
            entry.priority = priority;
            entry
        })
}

fn image() -> impl Strategy<Value = Image> {
    (path(), option::of(text(300)), option::of(text(30))).prop_map(|(path, caption, title)| {
        let mut image = Image::new(format!("https://cdn.example.net{path}"));
        image.caption = caption;
        image.title = title;
        image
    })
}

fn entry() -> impl Strategy<Value = UrlEntry> {
    (
        core(),
        vec(image(), 0..3),
        option::of((text(90), text(2000))),
        option::of((text(50), text(50))),
        vec(
            (proptest::sample::select(vec!["en", "pt-BR", "x-default"]), path()),
            0..3,
        ),
    )
        .prop_map(|(mut entry, images, video, news, alternates)| {
            entry.images = images;
            entry.videos = video
                .map(|(title, description)| {
                    Video::content("https://example.com/content")
                        .with_thumbnail("https://example.com/thumbnail")
                        .with_title(title)
                        .with_description(description)
                })
                .into_iter()
                .collect();
            entry.news = news.map(|(name, title)| {
                Box::new(News::new(
                    Publication::new(name, "en"),
                    "2026-05-01".parse().expect("a date"),
                    title,
                ))
            });
            entry.alternates = alternates
                .into_iter()
                .map(|(hreflang, path)| Alternate::new(hreflang, format!("https://example.com{path}")))
                .collect();
            entry
        })
}

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

/// The expected encoding of a path, by another encoder. A `%` that starts no triplet must be found first.
fn encoded(site: &str, path: &str) -> String {
    let path = path.trim_end_matches([' ', '\t', '\r', '\n']);
    let mut whole = site.to_owned();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('%') {
        whole.extend(utf8_percent_encode(before, ILLEGAL));
        let is_triplet = after.len() >= 2 && after.bytes().take(2).all(|b| b.is_ascii_hexdigit());
        whole.push_str(if is_triplet { "%" } else { "%25" });
        rest = after;
    }
    whole.extend(utf8_percent_encode(rest, ILLEGAL));
    match whole.split_once('#') {
        None => whole,
        Some((before, fragment)) => format!("{before}#{}", fragment.replace('#', "%23")),
    }
}

/// The expected events of a document.
#[derive(Default)]
struct Events(Vec<Event>);

impl Events {
    fn open(&mut self, namespace: &str, local: &str, attributes: &[(&str, &str)]) {
        self.0.push(Event::Start {
            name: (namespace.to_owned(), local.to_owned()),
            attributes: attributes
                .iter()
                .map(|&(name, value)| (String::new(), name.to_owned(), value.to_owned()))
                .collect(),
        });
    }

    fn close(&mut self) {
        self.0.push(Event::End);
    }

    fn leaf(&mut self, namespace: &str, local: &str, text: &str) {
        self.open(namespace, local, &[]);
        self.0.push(Event::Text(text.to_owned()));
        self.close();
    }

    fn optional(&mut self, namespace: &str, local: &str, text: Option<impl ToString>) {
        if let Some(text) = text {
            self.leaf(namespace, local, &text.to_string());
        }
    }

    fn entry(&mut self, entry: &UrlEntry) {
        self.open(CORE, "url", &[]);
        self.leaf(CORE, "loc", &encoded(BASE, &entry.loc));
        self.optional(CORE, "lastmod", entry.lastmod);
        self.optional(CORE, "changefreq", entry.changefreq);
        self.optional(CORE, "priority", entry.priority);
        for image in &entry.images {
            self.open(IMAGE, "image", &[]);
            self.leaf(IMAGE, "loc", &encoded("", &image.loc));
            self.optional(IMAGE, "caption", image.caption.as_ref());
            self.optional(IMAGE, "title", image.title.as_ref());
            self.close();
        }
        for video in &entry.videos {
            self.open(VIDEO, "video", &[]);
            self.leaf(VIDEO, "thumbnail_loc", &video.thumbnail_loc);
            self.leaf(VIDEO, "title", &video.title);
            self.leaf(VIDEO, "description", &video.description);
            self.optional(VIDEO, "content_loc", video.content_loc.as_ref());
            self.close();
        }
        if let Some(news) = &entry.news {
            self.open(NEWS, "news", &[]);
            self.open(NEWS, "publication", &[]);
            self.leaf(NEWS, "name", &news.publication.name);
            self.leaf(NEWS, "language", &news.publication.language);
            self.close();
            self.leaf(NEWS, "publication_date", &news.publication_date.to_string());
            self.leaf(NEWS, "title", &news.title);
            self.close();
        }
        for alternate in &entry.alternates {
            let hreflang = alternate.hreflang.as_deref().expect("an alternate in a language");
            let href = encoded("", &alternate.href);
            let attributes = [("rel", "alternate"), ("hreflang", hreflang), ("href", &href)];
            self.open(XHTML, "link", &attributes);
            self.close();
        }
        self.close();
    }
}

/// The events of a document that the writer has not indented.
fn expected(entries: &[UrlEntry]) -> Vec<Event> {
    let mut events = Events::default();
    events.open(CORE, "urlset", &[]);
    for entry in entries {
        events.entry(entry);
    }
    events.close();
    events.0
}

/// What quick-xml reads.
fn of_quick_xml(document: &str) -> Vec<Event> {
    use quick_xml::events::Event as Quick;
    use quick_xml::name::ResolveResult;

    let mut reader = quick_xml::reader::NsReader::from_str(document);
    reader.config_mut().expand_empty_elements = true;
    let mut events = Vec::new();
    loop {
        let (namespace, event) = reader.read_resolved_event().expect("well-formed");
        let namespace = match namespace {
            ResolveResult::Bound(namespace) => namespace.as_ref().to_owned(),
            _ => String::new(),
        };
        match event {
            Quick::Start(tag) => events.push(Event::Start {
                name: (namespace, tag.local_name().as_ref().to_owned()),
                attributes: tag
                    .attributes()
                    .map(|attribute| attribute.expect("an attribute"))
                    .filter(|attribute| !attribute.key.as_ref().starts_with("xmlns"))
                    .map(|attribute| {
                        let value = quick_xml::escape::unescape(&attribute.value).expect("known entities");
                        (
                            String::new(),
                            attribute.key.as_ref().to_owned(),
                            value.into_owned(),
                        )
                    })
                    .collect(),
            }),
            Quick::End(_) => events.push(Event::End),
            // The line end after the declaration is not part of the document.
            Quick::Text(_) if events.is_empty() => {}
            Quick::Text(text) => events.push(Event::Text((*text).to_owned())),
            Quick::GeneralRef(name) => {
                let reference = format!("&{};", &*name);
                let text = quick_xml::escape::unescape(&reference).expect("a known entity");
                events.push(Event::Text(text.into_owned()));
            }
            Quick::Eof => break,
            _ => {}
        }
    }
    xml_events::joined(events)
}

fn urls(entry: &UrlEntry) -> impl Iterator<Item = &str> {
    let images = entry.images.iter().map(|image| image.loc.as_str());
    let alternates = entry.alternates.iter().map(|link| link.href.as_str());
    images.chain(alternates).chain([entry.loc.as_str()])
}

/// Control characters, and white space or format characters at either end, do not belong to a URL (P-LOC). XML's white space around it is
/// allowed.
fn holds_what_nobody_sees(url: &str) -> bool {
    let url = url.trim_matches([' ', '\t', '\r', '\n']);
    url.contains(char::is_control)
        || url.starts_with(sitemap_tests::is_invisible)
        || url.ends_with(sitemap_tests::is_invisible)
}

fn written(builder: &WriterBuilder, entries: &[UrlEntry]) -> (Vec<UrlEntry>, String) {
    let mut writer = builder.from_writer(Vec::new());
    let mut kept = Vec::new();
    for entry in entries {
        match writer.write(entry) {
            Ok(_) => kept.push(entry.clone()),
            // A host without its scheme, and without a path.
            Err(error) if entry.loc.starts_with("//") => {
                assert_eq!(error.rule(), Some(Rule::Loc), "{error}");
            }
            Err(error) if urls(entry).any(holds_what_nobody_sees) => {
                let rule = error.rule();
                assert!(
                    matches!(rule, Some(Rule::Loc | Rule::Img2 | Rule::Alt2)),
                    "{error}"
                );
            }
            Err(error) => {
                assert_eq!(error.rule(), Some(Rule::LocLen), "{error}");
                assert!(encoded(BASE, &entry.loc).len() > 2048, "{error}");
            }
        }
    }
    (
        kept,
        String::from_utf8(writer.finish().expect("a sink that takes everything")).expect("UTF-8"),
    )
}

/// The expected entries: their URLs are absolute and encoded.
fn resolved(entries: &[UrlEntry]) -> Vec<UrlEntry> {
    let mut entries = entries.to_vec();
    for entry in &mut entries {
        entry.loc = encoded(BASE, &entry.loc);
        for image in &mut entry.images {
            image.loc = encoded("", &image.loc);
        }
        for alternate in &mut entry.alternates {
            alternate.href = encoded("", &alternate.href);
        }
    }
    entries
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn every_reader_finds_what_was_written(entries in vec(entry(), 0..4)) {
        let mut builder = WriterBuilder::new();
        let (kept, document) = written(builder.base(BASE), &entries);
        let expected = expected(&kept);
        let (by_xml_rs, end) = xml_events::of_xml_rs(document.as_bytes());
        prop_assert_eq!(end, Ok(()));
        prop_assert_eq!(&by_xml_rs, &expected, "xml-rs reads {}", document);
        prop_assert_eq!(&of_quick_xml(&document), &expected, "quick-xml reads {}", document);
        let here: Vec<UrlEntry> = Reader::from_str(&document).entries().collect::<Result<_, _>>().unwrap();
        let resolved = resolved(&kept);
        prop_assert_eq!(&here, &resolved);
        // Only the indentation differs.
        let (_, pretty) = written(builder.pretty(true), &entries);
        let here: Vec<UrlEntry> = Reader::from_str(&pretty).entries().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(&here, &resolved);
        let (by_xml_rs, end) = xml_events::of_xml_rs(pretty.as_bytes());
        prop_assert_eq!(end, Ok(()));
        let blank = |event: &Event| matches!(event, Event::Text(text) if text.trim_matches([' ', '\n']).is_empty());
        prop_assert_eq!(by_xml_rs.into_iter().filter(|event| !blank(event)).collect::<Vec<_>>(), expected);
    }
}

/// libxml2 and the published schemas, on documents of the core's elements.
#[test]
fn the_core_schemas_find_nothing_wrong() {
    let test = "the_core_schemas_find_nothing_wrong";
    let (Some(shared), Some(xmllint)) = (files(test), program(test, "xmllint")) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let validate = |schema: &str, documents: &[String]| {
        let mut command = Command::new(&xmllint);
        command
            .args(["--noout", "--nonet", "--schema"])
            .arg(shared.join("xsd").join(schema));
        for (i, document) in documents.iter().enumerate() {
            let file = folder.path().join(format!("{i}.xml"));
            fs::write(&file, document).expect("room for a file");
            command.arg(file);
        }
        let output = command.output().expect("xmllint runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), said)
    };
    let batches = vec((vec(core(), 1..5), any::<bool>()), 50);
    TestRunner::new(cases(6))
        .run(&batches, |batch| {
            let mut builder = WriterBuilder::new();
            builder.base(BASE);
            let mut urlsets = Vec::new();
            let mut indexes = Vec::new();
            for (mut entries, pretty) in batch {
                // Ensures that no value is empty, because the schema does not allow it (P-EMPTY).
                entries.push(UrlEntry::new("/"));
                let (kept, document) = written(builder.pretty(pretty), &entries);
                urlsets.push(document);
                let mut index = builder.clone().kind(Kind::SitemapIndex).from_writer(Vec::new());
                for entry in kept {
                    let mut sitemap = IndexEntry::new(entry.loc);
                    sitemap.lastmod = entry.lastmod;
                    index.write(&sitemap).unwrap();
                }
                indexes.push(String::from_utf8(index.finish().unwrap()).unwrap());
            }
            for (schema, documents) in [("sitemap.xsd", &urlsets), ("siteindex.xsd", &indexes)] {
                let (valid, said) = validate(schema, documents);
                let problems: Vec<_> = said
                    .lines()
                    .filter(|line| !line.ends_with(" validates"))
                    .take(3)
                    .collect();
                prop_assert!(valid, "{problems:#?}");
            }
            Ok(())
        })
        .unwrap();
    // Proves that they check: a priority that no writer here writes.
    let wrong =
        format!("<urlset xmlns=\"{CORE}\"><url><loc>{BASE}/</loc><priority>1.5</priority></url></urlset>");
    let (valid, said) = validate("sitemap.xsd", &[wrong]);
    assert!(!valid && said.contains("priority"), "{said}");
}

//! Reading documents of every shape that is published, side by side with quick-xml.

use std::path::Path;

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sitemap_serde::iter::Field;
use sitemap_serde::{Reader, Record, UrlEntry};

use crate::generated::shapes::SHAPES;
use crate::harness::Comparison;

const ROUNDS: usize = 9;

const VALUES: &str = "values";
const SERDE: &str = "serde";
const RECORDS: &str = "records";
const ENTRIES: &str = "entries";
const STREAM: &str = "stream";
const STRUCT: &str = "own struct";

/// The wanted multiples of others' speed: on every shape, and on the plain one.
const WANTED: [(&str, &str, f64, f64); 4] = [
    (RECORDS, VALUES, 3.0, 5.0),
    (ENTRIES, VALUES, 1.4, 2.5),
    (STREAM, VALUES, 1.4, 2.5),
    (STRUCT, SERDE, 4.0, 6.0),
];

/// The same elements for both; a name has a prefix to this crate and none to quick-xml.
#[derive(Deserialize)]
#[expect(dead_code, reason = "read, not looked at")]
struct Page {
    loc: String,
    lastmod: Option<String>,
    changefreq: Option<String>,
    priority: Option<f32>,
    #[serde(default, rename = "image:image", alias = "image")]
    images: Vec<Image>,
    #[serde(default, rename = "xhtml:link", alias = "link")]
    links: Vec<Link>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read, not looked at")]
struct Image {
    #[serde(rename = "image:loc", alias = "loc")]
    loc: String,
    #[serde(rename = "image:title", alias = "title")]
    title: Option<String>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read, not looked at")]
struct Link {
    #[serde(rename = "@hreflang")]
    hreflang: Option<String>,
    #[serde(rename = "@href")]
    href: String,
}

/// The shape of a document that quick-xml's serde reads.
#[derive(Deserialize)]
struct Document<T> {
    #[serde(default = "Vec::new")]
    url: Vec<T>,
}

fn attributes(tag: &BytesStart<'_>) -> usize {
    tag.attributes()
        .map(|attribute| {
            let value = attribute
                .expect("an attribute")
                .normalized_value(XmlVersion::Explicit1_0);
            value.expect("a value").len()
        })
        .sum()
}

/// Reads all values, with the work that an event loop needs for them.
fn values(xml: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut bytes = 0;
    loop {
        bytes += match reader.read_event().expect("well-formed") {
            Event::Start(tag) | Event::Empty(tag) => attributes(&tag),
            Event::Text(text) => text.xml10_content().len(),
            Event::CData(text) => text.xml10_content().len(),
            Event::GeneralRef(name) => match name.resolve_char_ref().expect("a reference") {
                Some(c) => c.len_utf8(),
                None => resolve_predefined_entity(&name).map_or(0, str::len),
            },
            Event::Eof => break bytes,
            _ => 0,
        };
    }
}

/// All values of all records.
fn records(xml: &str) -> usize {
    fn sum<'r>(fields: impl Iterator<Item = Field<'r>>) -> usize {
        fields.map(|field| field.text().len() + sum(field.fields())).sum()
    }
    let mut reader = Reader::from_str(xml);
    let mut record = Record::new();
    let mut bytes = 0;
    while reader.read_record(&mut record).expect("a sitemap") {
        bytes += sum(record.fields());
    }
    bytes
}

fn entries(xml: &str) -> usize {
    let entries: Vec<UrlEntry> = Reader::from_str(xml).entries().filter_map(Result::ok).collect();
    entries.len()
}

fn stream(xml: &str) -> usize {
    let mut reader = Reader::from_reader(xml.as_bytes());
    reader
        .entries()
        .filter_map(Result::ok)
        .map(|entry| entry.loc.len())
        .sum()
}

fn own<T: DeserializeOwned>(xml: &str) -> usize {
    sitemap_serde::from_str::<Vec<T>>(xml).map_or(0, |pages| pages.len())
}

fn their<T: DeserializeOwned>(xml: &str) -> usize {
    quick_xml::de::from_str::<Document<T>>(xml).map_or(0, |document| document.url.len())
}

fn comparison<'a>(title: &str, xml: &'a str, entries_count: usize) -> Comparison<'a> {
    let mut comparison = Comparison::new(title, entries_count);
    let mut add = |name, work: fn(&'a str) -> usize| {
        comparison.add(name, move || {
            std::hint::black_box(work(xml));
            xml.len()
        });
    };
    add(VALUES, values);
    add(SERDE, their::<Page>);
    add(RECORDS, records);
    add(ENTRIES, entries);
    add(STREAM, stream);
    add(STRUCT, own::<Page>);
    comparison
}

/// One row: the rates, and the missed goals.
fn row(title: &str, comparison: &mut Comparison<'_>, plain: bool) {
    comparison.time(ROUNDS);
    print!("| {title} |");
    for name in [VALUES, SERDE, RECORDS, ENTRIES, STREAM, STRUCT] {
        let (best, median) = comparison.rates(name);
        print!(" {best:.0} ({median:.0}) |");
    }
    for (name, other, every, on_plain) in WANTED {
        let times = comparison.times(name, other);
        let wanted = if plain { on_plain } else { every };
        let verdict = if times >= wanted { "" } else { " MISSED" };
        print!(" {times:.1}{verdict} |");
    }
    println!();
}

fn head(title: &str) {
    println!("{title}, MB/s: best (median); then how many times as fast by the median of the rounds");
    print!("| shape |");
    for name in [VALUES, SERDE, RECORDS, ENTRIES, STREAM, STRUCT] {
        print!(" {name} |");
    }
    for (name, other, ..) in WANTED {
        print!(" {name} : {other} |");
    }
    println!("\n|---|---|---|---|---|---|---|---|---|---|---|");
}

/// The published files below the shared folder, if it exists.
fn published() -> Vec<String> {
    fn collect(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|end| end == "xml")
                && let Ok(text) = std::fs::read_to_string(&path)
                && Reader::from_str(&text).entries().all(|entry| entry.is_ok())
            {
                found.push(text);
            }
        }
    }
    let mut found = Vec::new();
    if let Some(shared) = std::env::var_os("SITEMAP_SHARED") {
        collect(&Path::new(&shared).join("corpus/real"), &mut found);
    }
    found
}

/// Runs all comparisons, or repeats one candidate on a document of a shape.
pub(crate) fn run(repeat: Option<(&str, &str, usize)>) {
    let size = |name: &str| {
        if name.contains("links") || name.contains("attribute") {
            4_000
        } else {
            15_000
        }
    };
    if let Some((name, candidate, times)) = repeat {
        let shape = SHAPES.iter().find(|shape| shape.name == name);
        let xml = shape
            .unwrap_or_else(|| panic!("no shape is called {name}"))
            .document(size(name), 1);
        assert!(
            comparison(name, &xml, size(name)).repeat(candidate, times),
            "no candidate {candidate}"
        );
        return;
    }
    head("Reading generated documents");
    for shape in SHAPES {
        let xml = shape.document(size(shape.name), 1);
        row(
            shape.name,
            &mut comparison(shape.name, &xml, size(shape.name)),
            shape.name == "plain",
        );
    }
    let files = published();
    if files.is_empty() {
        println!("SITEMAP_SHARED is not set: there are no published files to read");
        return;
    }
    println!();
    head("Reading published files");
    let all: usize = files.iter().map(String::len).sum();
    let mut together = Comparison::new("all", 1);
    for (name, work) in [
        (VALUES, values as fn(&str) -> usize),
        (SERDE, their::<Page>),
        (RECORDS, records),
        (ENTRIES, entries),
        (STREAM, stream),
        (STRUCT, own::<Page>),
    ] {
        let files = &files;
        together.add(name, move || {
            for text in files {
                std::hint::black_box(work(text));
            }
            all
        });
    }
    row(&format!("all {} files", files.len()), &mut together, false);
}

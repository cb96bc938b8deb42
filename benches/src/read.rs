//! Reading, side by side with quick-xml, xml-rs and the method of the crate `sitemap`.

use std::fmt::Write;

use serde::Deserialize;
use sitemap_serde::{Reader, Record, UrlEntry};

use crate::harness::{Comparison, Target};

const ROUNDS: usize = 25;

/// 50,000 urls with all four fields, indented as most files are: some 10 MB.
pub(crate) fn plain(entries: usize) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for i in 0..entries {
        let (category, month, day, second) = (i % 97, i % 12 + 1, i % 28 + 1, i % 60);
        let _ = write!(
            xml,
            "  <url>\n    <loc>https://www.example.com/catalog/category-{category}/product-{i}</loc>\n    \
             <lastmod>2024-{month:02}-{day:02}T12:30:{second:02}+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n    \
             <priority>0.{}</priority>\n  </url>\n",
            i % 10
        );
    }
    xml.push_str("</urlset>\n");
    xml
}

/// 20,000 urls, each with four alternates and two images: some 12 MB.
fn extended(entries: usize) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    for i in 0..entries {
        let _ = write!(
            xml,
            "  <url>\n    <loc>https://www.example.com/en/page-{i}</loc>\n    <lastmod>2024-05-06</lastmod>\n"
        );
        for language in ["en", "de", "fr", "ja"] {
            let _ = writeln!(
                xml,
                "    <xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"https://www.example.com/{language}/page-{i}\"/>"
            );
        }
        for image in 0..2 {
            let _ = writeln!(
                xml,
                "    <image:image><image:loc>https://cdn.example.com/{i}/{image}.jpg</image:loc></image:image>"
            );
        }
        xml.push_str("  </url>\n");
    }
    xml.push_str("</urlset>\n");
    xml
}

/// The shape of a document that quick-xml's serde reads.
#[derive(Deserialize)]
struct Document {
    url: Vec<Page>,
}

/// A user's own entry, as both read it.
#[derive(Deserialize)]
#[expect(dead_code, reason = "read, not looked at")]
struct Page {
    loc: String,
    lastmod: Option<String>,
    changefreq: Option<String>,
    priority: Option<f32>,
}

const EVENTS: &str = "quick-xml, bare event loop";
const SERDE: &str = "quick-xml serde, strings unchecked";
const SERDE_READER: &str = "quick-xml serde, from_reader";
const RECORDS: &str = "Reader::read_record";
const ENTRIES: &str = "Reader::entries into a Vec";
const FROM_STR: &str = "from_str::<Vec<UrlEntry>>";
const STREAM: &str = "Reader::entries from io::Read";
const STRUCT: &str = "from_str::<Vec<a struct>>";

fn quick_xml_events(xml: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut events = 0;
    while !matches!(
        reader.read_event().expect("well-formed"),
        quick_xml::events::Event::Eof
    ) {
        events += 1;
    }
    events
}

fn records(xml: &str) -> usize {
    let mut reader = Reader::from_str(xml);
    let mut record = Record::new();
    let mut bytes = 0;
    while reader.read_record(&mut record).expect("a sitemap") {
        bytes += record.loc().len();
    }
    bytes
}

fn entries(xml: &str) -> usize {
    let entries: Vec<UrlEntry> = Reader::from_str(xml)
        .entries()
        .collect::<Result<_, _>>()
        .expect("a sitemap");
    entries.len()
}

fn read<'a, T: Deserialize<'a>>(xml: &'a str) -> usize {
    sitemap_serde::from_str::<Vec<T>>(xml).expect("a sitemap").len()
}

fn candidates<'a>(comparison: &mut Comparison<'a>, xml: &'a str) {
    let mut add = |name, work: fn(&'a str) -> usize| {
        comparison.add(name, move || {
            std::hint::black_box(work(xml));
            xml.len()
        });
    };
    add(EVENTS, quick_xml_events);
    add(SERDE, |xml| {
        quick_xml::de::from_str::<Document>(xml)
            .expect("a sitemap")
            .url
            .len()
    });
    add(SERDE_READER, |xml| {
        quick_xml::de::from_reader::<_, Document>(xml.as_bytes())
            .expect("a sitemap")
            .url
            .len()
    });
    add("xml-rs, bare event loop", |xml| {
        xml_rs::EventReader::new(xml.as_bytes()).into_iter().count()
    });
    add(RECORDS, records);
    add(ENTRIES, entries);
    add(FROM_STR, read::<UrlEntry>);
    add(STREAM, |xml| {
        let mut reader = Reader::from_reader(xml.as_bytes());
        reader
            .entries()
            .map(|entry| entry.expect("a sitemap").loc.len())
            .sum()
    });
    add(STRUCT, read::<Page>);
}

/// Runs the comparisons, or repeats one candidate on the plain file or on the file with extensions.
pub(crate) fn run(repeat: Option<(&str, usize)>, with_extensions: bool) {
    let (xml, extended) = (plain(50_000), extended(20_000));
    let mut comparison = Comparison::new(format!("Reading 50,000 urls, {} bytes", xml.len()), 50_000);
    candidates(&mut comparison, &xml);
    let title = format!(
        "Reading 20,000 urls with 4 alternates and 2 images each, {} bytes",
        extended.len()
    );
    let mut extended_comparison = Comparison::new(title, 20_000);
    candidates(&mut extended_comparison, &extended);
    if let Some((name, times)) = repeat {
        let comparison = if with_extensions {
            &mut extended_comparison
        } else {
            &mut comparison
        };
        assert!(comparison.repeat(name, times), "no candidate {name}");
        return;
    }
    let target = |name, times, others| Target { name, times, others };
    comparison.run(
        ROUNDS,
        &[
            target(RECORDS, 2.0, &[EVENTS]),
            target(ENTRIES, 6.0, &[SERDE]),
            target(ENTRIES, 1.0, &[EVENTS]),
            target(FROM_STR, 6.0, &[SERDE]),
            target(STREAM, 6.0, &[SERDE_READER]),
            target(STRUCT, 7.0, &[SERDE]),
        ],
    );
    extended_comparison.run(ROUNDS, &[]);
    extended_comparison.print_rates(&comparison, &[RECORDS, ENTRIES, FROM_STR, STREAM], 0.5);
}

//! Filters of a reader, in every way of reading.

use std::sync::{Arc, Mutex};

use chrono::{DateTime, Months, TimeDelta, Utc};
use serde::Deserialize;
use sitemap_serde::diff::{Diff, Input};
use sitemap_serde::lint::Linter;
use sitemap_serde::{Filter, FromSitemapEntry, Mode, Reader, ReaderBuilder, Record, UrlEntry, W3cDateTime};

#[derive(Debug, Deserialize)]
struct Entry {
    loc: String,
}

#[derive(Debug, FromSitemapEntry)]
struct Page {
    #[sitemap(loc)]
    loc: String,
}

/// The entries of a document: the text after the host, and the lastmod.
const ENTRIES: [(&str, &str); 9] = [
    ("1", "2026-05-01"),
    ("?a&amp;b", "2026-05-02"),
    ("3", ""),
    ("4", "<lastmod></lastmod>"),
    ("5", "yesterday"),
    ("6", "2026"),
    ("7", "2025"),
    ("8", "2026/5/20"),
    ("9", "2026-05-01T23:00:00-02:00"),
];

fn document(kind: &str, entry: &str) -> String {
    let entries = ENTRIES.map(|(loc, lastmod)| {
        let lastmod = match lastmod {
            "" => String::new(),
            lastmod if lastmod.starts_with('<') => lastmod.to_owned(),
            lastmod => format!("<lastmod>{lastmod}</lastmod>"),
        };
        // In different orders, and with white space.
        if lastmod.len() % 2 == 0 {
            format!("<{entry}>{lastmod}<loc> https://example.com/{loc} </loc></{entry}>\n")
        } else {
            format!("<{entry}><loc>https://example.com/{loc}</loc>\n{lastmod}</{entry}>\n")
        }
    });
    format!(
        "<{kind} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{}</{kind}>",
        entries.concat()
    )
}

fn filters() -> Vec<(Filter, &'static str)> {
    let since = |date: &str| Filter::new().since(date.parse::<W3cDateTime>().unwrap());
    vec![
        (Filter::new(), "1?3456789"),
        (since("2026-05-02"), "?345689"),
        (since("2026-05-02").undated(false), "?689"),
        (since("2026-05-02T00:30:00Z").undated(false), "?689"),
        (since("2026-05-02T01:30:00Z").undated(false), "?68"),
        (since("2027").undated(false), ""),
        (Filter::new().undated(false), "1?3456789"),
        (Filter::new().locs(|loc| loc == "https://example.com/?a&b"), "?"),
        (
            Filter::new()
                .locs(|loc| loc < "https://example.com/7")
                .locs(|loc| !loc.ends_with('3')),
            "1456",
        ),
        (
            since("2026-05-02").undated(false).locs(|loc| !loc.contains('?')),
            "689",
        ),
    ]
}

fn first(loc: &str) -> char {
    loc.trim()
        .strip_prefix("https://example.com/")
        .unwrap()
        .chars()
        .next()
        .unwrap()
}

#[test]
fn every_way_of_reading_skips_the_same_entries() {
    for (kind, entry) in [("urlset", "url"), ("sitemapindex", "sitemap")] {
        let xml = document(kind, entry);
        for mode in [Mode::Strict, Mode::Lenient, Mode::Correcting] {
            for (filter, expected) in filters() {
                let context = format!("{kind} {mode:?} {filter:?}");
                let mut builder = ReaderBuilder::new();
                builder.mode(mode);
                let reader = || {
                    let mut reader = builder.from_str(&xml);
                    reader.filter(filter.clone());
                    reader
                };
                let mut record = Record::new();
                let (mut records, mut by_record) = (reader(), String::new());
                while records.read_record(&mut record).unwrap() {
                    by_record.push(first(record.loc()));
                    let number = usize::try_from(record.number()).unwrap();
                    assert_eq!(
                        first(record.loc()),
                        first(&format!("https://example.com/{}", ENTRIES[number - 1].0))
                    );
                }
                assert_eq!(by_record, expected, "{context}");
                let mut stream = builder.from_reader(xml.as_bytes());
                stream.filter(filter.clone());
                let streamed = stream
                    .deserialize::<Entry>()
                    .map(|entry| first(&entry.unwrap().loc));
                assert_eq!(streamed.collect::<String>(), expected, "{context}");
                let read = reader()
                    .read::<Page>()
                    .map(|page| first(&page.unwrap().loc))
                    .collect::<String>();
                assert_eq!(read, expected, "{context}");
                if kind == "urlset" {
                    // An invalid value is an error only in an entry that is kept.
                    let has_invalid = expected.contains('5') || expected.contains('8');
                    let entries: Vec<_> = reader().entries().collect();
                    assert_eq!(entries.len(), expected.len(), "{context}");
                    let is_error = mode == Mode::Strict && has_invalid;
                    assert_eq!(entries.iter().any(Result::is_err), is_error, "{context}");
                    let mut kept = reader();
                    let diagnosed = kept.entries().with_diagnostics().map(|item| item.unwrap());
                    let diagnosed: Vec<(UrlEntry, _)> = diagnosed.collect();
                    let locs: String = diagnosed.iter().map(|(entry, _)| first(&entry.loc)).collect();
                    assert_eq!(locs, expected, "{context}");
                    let found = diagnosed.iter().any(|(_, found)| !found.is_empty());
                    assert_eq!(found, has_invalid, "{context}");
                }
            }
        }
    }
}

#[test]
fn texts_and_feeds_are_filtered_too() {
    let text = "https://example.com/1\nhttps://example.com/2\n";
    let feed = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link href=\"https://example.com/1\"/><updated>2026-05-01T00:00:00Z</updated></entry>\
                <entry><link href=\"https://example.com/2\"/><updated>2025-05-01T00:00:00Z</updated></entry></feed>";
    for document in [text, feed] {
        let mut reader = ReaderBuilder::new().other_formats(true).from_str(document);
        reader.filter(Filter::new().locs(|loc| loc.ends_with('2')));
        let locs: Vec<String> = reader.entries().map(|entry| entry.unwrap().loc).collect();
        assert_eq!(locs, ["https://example.com/2"]);
    }
    let mut reader = ReaderBuilder::new().other_formats(true).from_str(feed);
    reader.filter(Filter::new().since("2026-01-01".parse().unwrap()));
    assert_eq!(reader.entries().count(), 1);
}

/// An entry that cannot be judged is an error as ever, and what is skipped is counted once.
#[test]
fn broken_entries_are_errors_and_skipped_ones_are_counted() {
    let xml = "<urlset><url></url><url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc></url></urlset>";
    let filter = Filter::new()
        .locs(|loc| loc.ends_with('2'))
        .since("2026".parse().unwrap());
    let mut reader = Reader::from_str(xml);
    reader.filter(filter.clone());
    let entries: Vec<_> = reader
        .entries()
        .map(|entry| entry.map(|entry| entry.loc).map_err(|error| error.entry()))
        .collect();
    assert_eq!(entries, [Err(Some(1)), Ok("https://example.com/2".to_owned())]);
    assert_eq!((filter.skipped(), filter.undated_kept()), (1, 1));
    let found: Vec<_> = {
        let mut linter = Linter::new();
        linter.filter(filter.clone());
        linter
            .check(xml.as_bytes())
            .iter()
            .filter_map(sitemap_serde::Diagnostic::entry)
            .collect()
    };
    assert_eq!((found, filter.skipped()), (vec![1], 2));
    let mut diff = Diff::new();
    diff.filter(filter.clone());
    let changes = Arc::new(Mutex::new(Vec::new()));
    let summary = diff.run(
        &mut [Input::from_slice("old.xml", b"<urlset/>")],
        &mut [Input::from_slice("new.xml", xml.as_bytes())],
        |change| {
            changes.lock().unwrap().push(change.loc().to_owned());
            Ok(())
        },
    );
    assert_eq!(
        (summary.unwrap().added, &*changes.lock().unwrap()),
        (1, &vec!["https://example.com/2".to_owned()])
    );
}

/// A lastmod is kept until the last instant of its year, month, day, minute or second: all six precisions against all six, in zones on both
/// sides, next to the edge.
#[test]
fn instants_are_compared_in_every_precision_and_zone() {
    const ZONES: [(&str, i64); 5] = [
        ("Z", 0),
        ("+09:00", 540),
        ("-05:00", -300),
        ("+05:45", 345),
        ("-00:00", 0),
    ];
    let mut values: Vec<(W3cDateTime, i128, i128)> = Vec::new();
    let mut push = |text: String, offset: i64, end: fn(DateTime<Utc>) -> DateTime<Utc>| {
        let padded = match text.len() {
            4 => format!("{text}-01-01T00:00:00Z"),
            7 => format!("{text}-01T00:00:00Z"),
            10 => format!("{text}T00:00:00Z"),
            _ => {
                let local = &text[..text.len() - 6 + 5 * usize::from(text.ends_with('Z'))];
                let seconds = if local.len() == 16 { ":00" } else { "" };
                format!("{local}{seconds}Z")
            }
        };
        let local: DateTime<Utc> = padded.parse().unwrap();
        let start = local - TimeDelta::minutes(offset);
        let nanos = |time: DateTime<Utc>| {
            i128::from(time.timestamp()) * 1_000_000_000 + i128::from(time.timestamp_subsec_nanos())
        };
        values.push((text.parse().unwrap(), nanos(start), nanos(end(start))));
    };
    for text in ["2025", "2026", "2027"] {
        push(text.to_owned(), 0, |start| {
            start.checked_add_months(Months::new(12)).unwrap()
        });
    }
    for text in ["2026-04", "2026-05", "2026-12"] {
        push(text.to_owned(), 0, |start| {
            start.checked_add_months(Months::new(1)).unwrap()
        });
    }
    for text in [
        "2026-04-30",
        "2026-05-01",
        "2026-05-02",
        "2025-12-31",
        "2026-01-01",
    ] {
        push(text.to_owned(), 0, |start| start + TimeDelta::days(1));
    }
    for date in [
        "2026-04-30",
        "2026-05-01",
        "2026-05-02",
        "2025-12-31",
        "2026-01-01",
    ] {
        for (zone, offset) in ZONES {
            for time in ["00:00", "15:00", "23:59"] {
                push(format!("{date}T{time}{zone}"), offset, |start| {
                    start + TimeDelta::minutes(1)
                });
                push(format!("{date}T{time}:30{zone}"), offset, |start| {
                    start + TimeDelta::seconds(1)
                });
                push(format!("{date}T{time}:30.5{zone}"), offset, |start| {
                    start + TimeDelta::nanoseconds(1)
                });
            }
        }
    }
    let mut kept = 0;
    for (since, instant, _) in &values {
        let filter = Filter::new().since(*since);
        for (lastmod, _, end) in &values {
            let keeps = filter.keeps("https://example.com/", Some(&lastmod.to_string()));
            assert_eq!(keeps, end > instant, "{lastmod} since {since}");
            kept += u32::from(keeps);
        }
    }
    assert!(kept > 1_000);
    // The ends of the years.
    for (since, lastmod, keeps) in [
        ("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59Z", false),
        ("9999-12-31T23:59:59-23:59", "9999", false),
        ("0000-01-01T00:00:00+23:59", "0000", true),
        ("0000-01-01T00:00:00+23:59", "0000-01-01T00:00:00Z", true),
        ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00+23:59", false),
    ] {
        let filter = Filter::new().since(since.parse().unwrap());
        assert_eq!(
            filter.keeps("https://example.com/", Some(lastmod)),
            keeps,
            "{lastmod} since {since}"
        );
    }
}

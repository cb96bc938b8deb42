//! Entries that do not fit into a document, and entries after its end.

use std::collections::BTreeMap;

use sitemap_serde::{
    EntryWriter, Error, ErrorKind, IndexEntry, Kind, Limits, Rule, UrlEntry, Writer, WriterBuilder,
};
use sitemap_tests::{CORE, Problem, checked_outcomes, grouped};

use super::written::Calls;

/// The loc belongs to the entry that does not fit, if it is refused for its size.
fn is_full(error: &Error, rule: &'static str, entry: u64, loc: Option<&str>, message: &str) {
    let loc = loc.map_or_else(String::new, |loc| format!(", loc `{loc}`"));
    assert_eq!(
        Problem::of(error),
        Problem {
            kind: ErrorKind::Limit,
            place: None,
            entry: Some(entry),
            path: Some(format!("entry {entry}")),
            rule: Some(rule),
            message: format!("{message}, entry {entry}{loc}"),
        }
    );
}

#[test]
fn entry_50_001() {
    let mut writer = Writer::from_writer(Vec::new());
    for i in 0..50_000 {
        writer
            .serialize(&UrlEntry::new(format!("https://example.com/{i}")))
            .unwrap();
    }
    let message = "the document is full: it has 50,000 `url` entries, and 50,000 are allowed (P-COUNT); finish it and write this \
                   entry to the next one";
    for offered in [50_001, 50_003] {
        let error = writer
            .serialize(&UrlEntry::new("https://example.com/x"))
            .unwrap_err();
        is_full(&error, "P-COUNT", offered, None, message);
        let error = writer
            .write(&Calls(|_: &mut EntryWriter<'_>| Ok(())))
            .unwrap_err();
        is_full(&error, "P-COUNT", offered + 1, None, message);
    }
    assert_eq!(writer.summary().entries, 50_000);
    let document = writer.finish().unwrap();
    let entries = checked_outcomes(&document);
    assert_eq!(entries.len(), 50_000);
    assert_eq!(entries[49_999].as_ref().unwrap().loc, "https://example.com/49999");
    assert!(document.ends_with(b"<url><loc>https://example.com/49999</loc></url></urlset>"));

    let mut sitemaps = WriterBuilder::new()
        .kind(Kind::SitemapIndex)
        .limits(Limits::writing().with_entries(1))
        .from_writer(Vec::new());
    sitemaps
        .serialize(&IndexEntry::new("https://example.com/1.xml"))
        .unwrap();
    is_full(
        &sitemaps
            .serialize(&IndexEntry::new("https://example.com/2.xml"))
            .unwrap_err(),
        "P-COUNT",
        2,
        None,
        "the document is full: it has 1 `sitemap` entries, and 1 are allowed (P-COUNT); finish it and write this entry to the \
         next one",
    );
    // Through `to_string` it is the same.
    let too_many: Vec<_> = (0..50_001)
        .map(|i| UrlEntry::new(format!("https://example.com/{i}")))
        .collect();
    is_full(
        &sitemap_serde::to_string(&too_many).unwrap_err(),
        "P-COUNT",
        50_001,
        None,
        message,
    );
    assert_eq!(
        sitemap_serde::to_string(&too_many[..50_000])
            .unwrap()
            .into_bytes(),
        document
    );
}

/// An entry that is `bytes` long in a compact document.
fn entry_of(bytes: usize) -> UrlEntry {
    let rest = bytes - "<url><loc>https://example.com/</loc></url>".len();
    UrlEntry::new(format!("https://example.com/{}", "x".repeat(rest)))
}

#[test]
fn byte_52_428_801() {
    let frame =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\"></urlset>").len();
    let mut rest = 52_428_800 - frame;
    let mut writer = Writer::from_writer(Vec::new());
    let large = entry_of(2000);
    while rest > 4000 {
        writer.serialize(&large).unwrap();
        rest -= 2000;
    }
    let entries = writer.summary().entries;
    let message = |bytes: u64| {
        format!(
            "the document is full: with this entry it would have {} bytes, and 52,428,800 are allowed (P-SIZE); finish it \
             and write this entry to the next one",
            grouped(bytes)
        )
    };
    // Two more that are one byte too large together.
    writer.serialize(&entry_of(rest - 1000)).unwrap();
    for (offered, more) in [(2, 1), (3, 2), (4, 1000)] {
        let entry = entry_of(1000 + more);
        let error = writer.serialize(&entry).unwrap_err();
        is_full(
            &error,
            "P-SIZE",
            entries + offered,
            Some(&entry.loc),
            &message(52_428_800 + more as u64),
        );
    }
    writer.serialize(&entry_of(1000)).unwrap();
    let error = writer.serialize(&UrlEntry::new("http://a")).unwrap_err();
    is_full(
        &error,
        "P-SIZE",
        entries + 6,
        Some("http://a"),
        &message(52_428_800 + 30),
    );
    assert_eq!(writer.summary().entries, entries + 2);
    let document = writer.finish().unwrap();
    assert_eq!(document.len(), 52_428_800);
    assert!(document.ends_with(b"x</loc></url></urlset>"));
}

#[test]
fn the_size_is_exact_in_every_layout() {
    for pretty in [false, true] {
        for kind in [Kind::UrlSet, Kind::SitemapIndex] {
            for stylesheet in [false, true] {
                let mut builder = WriterBuilder::new();
                builder.pretty(pretty).kind(kind);
                if stylesheet {
                    builder.stylesheet("/sitemap.css?a&b");
                }
                let entry = |path: &str| {
                    BTreeMap::from([
                        ("loc", format!("https://example.com/?a&{path}")),
                        ("lastmod", "2024".to_owned()),
                    ])
                };
                let whole = |count: usize| {
                    let mut writer = builder.from_writer(Vec::new());
                    for _ in 0..count {
                        writer.serialize(&entry("é")).unwrap();
                    }
                    writer.finish().unwrap()
                };
                for count in 1..4 {
                    let document = whole(count);
                    let limit = document.len() as u64;
                    let mut exact = builder.clone();
                    exact.limits(Limits::writing().with_bytes(limit));
                    let mut writer = exact.from_writer(Vec::new());
                    for _ in 0..count {
                        writer.serialize(&entry("é")).unwrap();
                    }
                    assert_eq!(
                        writer.serialize(&entry("é")).unwrap_err().rule(),
                        Some(Rule::Size)
                    );
                    assert_eq!(writer.finish().unwrap(), document);

                    exact.limits(Limits::writing().with_bytes(limit - 1));
                    let mut writer = exact.from_writer(Vec::new());
                    for _ in 1..count {
                        writer.serialize(&entry("é")).unwrap();
                    }
                    let error = writer.serialize(&entry("é")).unwrap_err();
                    let allowed = limit - 1;
                    let message = match count {
                        // It would not fit into another document either.
                        1 => format!(
                            "the entry is too large: a document of it alone would have {limit} bytes, and {allowed} are \
                             allowed (P-SIZE); leave it out, or shorten it"
                        ),
                        _ => format!(
                            "the document is full: with this entry it would have {limit} bytes, and {allowed} are allowed \
                             (P-SIZE); finish it and write this entry to the next one"
                        ),
                    };
                    let loc = "https://example.com/?a&%C3%A9";
                    is_full(&error, "P-SIZE", count as u64, Some(loc), &message);
                    assert_eq!(writer.finish().unwrap(), whole(count - 1));
                }
            }
        }
    }
}

/// A refused entry goes unchanged to the next file.
#[test]
fn a_refused_entry_is_written_to_the_next_document() {
    let pages: Vec<UrlEntry> = (0..7)
        .map(|i| UrlEntry::new(format!("https://example.com/{i}")))
        .collect();
    let size_of_three = sitemap_serde::to_vec(&pages[..3]).unwrap().len() as u64;
    let mut builder = WriterBuilder::new();
    for limits in [
        Limits::writing().with_entries(2),
        Limits::writing().with_bytes(size_of_three - 1),
    ] {
        builder.limits(limits);
        let mut documents = Vec::new();
        let mut writer = builder.from_writer(Vec::new());
        for page in &pages {
            if let Err(error) = writer.serialize(page) {
                assert_eq!(error.kind(), ErrorKind::Limit);
                documents.push(writer.finish().unwrap());
                writer = builder.from_writer(Vec::new());
                writer.serialize(page).unwrap();
            }
        }
        documents.push(writer.finish().unwrap());
        let read: Vec<Vec<UrlEntry>> = documents
            .iter()
            .map(|document| sitemap_serde::from_slice(document).unwrap())
            .collect();
        assert_eq!(read.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2, 1]);
        assert_eq!(read.concat(), pages);
    }
}

#[test]
fn nothing_follows_the_end() {
    let mut writer = Writer::from_writer(Vec::new());
    writer.serialize(&UrlEntry::new("https://example.com/")).unwrap();
    writer.try_finish().unwrap();
    let problem = Problem::of(
        &writer
            .serialize(&UrlEntry::new("https://example.com/2"))
            .unwrap_err(),
    );
    assert_eq!(
        problem.message,
        "the document is complete: no entry can follow the end of its root; write it to a new document, entry 2"
    );
    assert_eq!((problem.kind, problem.entry), (ErrorKind::Data, Some(2)));
    assert_eq!(writer.summary().entries, 1);
    writer.flush().unwrap();
    writer.try_finish().unwrap();
    let once = writer.get_ref().clone();
    assert_eq!(writer.finish().unwrap(), once);
    assert!(once.ends_with(b"</url></urlset>"));
}

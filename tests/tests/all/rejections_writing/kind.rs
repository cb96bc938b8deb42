//! Fields that one kind of document has and the other lacks.

use std::collections::BTreeMap;

use sitemap_serde::{
    EntryWriter, IndexEntry, Kind, Result, Rule, SitemapEntry, SitemapIndex, UrlEntry, UrlSet, Writer,
    WriterBuilder,
};
use sitemap_tests::{CORE, Problem, finished};

use super::{changefreq, is_refused_by, lastmod, priority};

const PAGE_IN_INDEX: &str = "a `url` entry in a sitemapindex: a sitemapindex lists `sitemap` entries (P-NS); write it to a urlset, with \
     `Kind::UrlSet` or the type `UrlSet`";
const SITEMAP_IN_URLSET: &str = "a `sitemap` entry in a urlset: a urlset lists `url` entries (P-NS); write it to a sitemapindex, with \
     `Kind::SitemapIndex` or the type `SitemapIndex`";

/// An entry without a kind.
struct Either(&'static str);

impl SitemapEntry for Either {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.loc(self.0)
    }
}

/// The way to write the entries of one test.
#[derive(Clone, Copy, Debug)]
enum Way {
    Write,
    Serialize,
}

fn put(writer: &mut Writer<Vec<u8>>, way: Way, name: char, loc: &str) -> Result<()> {
    match (way, name) {
        (Way::Write, 'u') => writer.write(&UrlEntry::new(loc)).map(drop),
        (Way::Write, 's') => writer.write(&Box::new(IndexEntry::new(loc))).map(drop),
        (Way::Write, _) => writer.write(&Either("https://example.com/e")).map(drop),
        (Way::Serialize, 'u') => writer.serialize(&UrlEntry::new(loc)),
        (Way::Serialize, 's') => writer.serialize(&Some(IndexEntry::new(loc))),
        (Way::Serialize, _) => writer.serialize(&BTreeMap::from([("loc", "https://example.com/e")])),
    }
}

/// Every sequence of up to four entries: `u` is a page, `s` a sitemap, `e` either, `b` an invalid sitemap and `c` an invalid
/// page. The first written entry decides the kind, and the errors for later entries refer to it.
#[test]
fn the_first_entry_that_is_written_decides() {
    let mut sequences = vec![String::new()];
    let mut all = Vec::new();
    for _ in 0..4 {
        sequences = sequences
            .iter()
            .flat_map(|sequence| "usebc".chars().map(move |name| format!("{sequence}{name}")))
            .collect();
        all.extend(sequences.clone());
    }
    for (way, kind, sequence) in all.iter().flat_map(|sequence| {
        [Way::Write, Way::Serialize].into_iter().flat_map(move |way| {
            [None, Some(Kind::UrlSet), Some(Kind::SitemapIndex)].map(|kind| (way, kind, sequence))
        })
    }) {
        let mut builder = WriterBuilder::new();
        if let Some(kind) = kind {
            builder.kind(kind);
        }
        let mut writer = builder.from_writer(Vec::new());
        let (mut decided, mut entries) = (kind, String::new());
        for (row, name) in (1..).zip(sequence.chars()) {
            let (name, loc) = match name {
                'b' => ('s', "no URL"),
                'c' => ('u', "no URL"),
                name => (name, "https://example.com/e"),
            };
            let asks = match name {
                's' => Some(Kind::SitemapIndex),
                'u' => Some(Kind::UrlSet),
                _ => None,
            };
            let result = put(&mut writer, way, name, loc);
            match (asks, decided) {
                (Some(Kind::UrlSet), Some(Kind::SitemapIndex)) => {
                    assert_eq!(
                        result.unwrap_err().to_string(),
                        format!("{PAGE_IN_INDEX}, entry {row}")
                    );
                }
                (Some(Kind::SitemapIndex), Some(Kind::UrlSet)) => {
                    assert_eq!(
                        result.unwrap_err().to_string(),
                        format!("{SITEMAP_IN_URLSET}, entry {row}")
                    );
                }
                _ if loc == "no URL" => {
                    assert_eq!(result.unwrap_err().rule(), Some(Rule::Loc));
                }
                _ => {
                    result.unwrap();
                    let is_kind = decided.or(asks).unwrap_or_default();
                    decided = Some(is_kind);
                    let tag = is_kind.entry();
                    entries.extend(["<", tag, "><loc>", loc, "</loc></", tag, ">"]);
                }
            }
        }
        let root = decided.unwrap_or_default().root();
        assert_eq!(
            finished(writer),
            format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"{CORE}\">{entries}</{root}>"
            ),
            "{sequence} {kind:?} {way:?}"
        );
    }
}

#[test]
fn a_sequence_is_a_urlset_whatever_its_entries_are_called() {
    let entries = [IndexEntry::new("https://example.com/2.xml")];
    assert_eq!(
        sitemap_serde::to_string(&entries).unwrap_err().to_string(),
        format!("{SITEMAP_IN_URLSET}, entry 1")
    );
}

#[test]
fn entries_of_the_other_kind() {
    let mut builder = WriterBuilder::new();
    builder.kind(Kind::UrlSet);
    is_refused_by(
        &builder,
        &IndexEntry::new("https://example.com/2.xml"),
        "P-NS",
        "entry 2",
        SITEMAP_IN_URLSET,
    );
    let mut builder = WriterBuilder::new();
    builder.kind(Kind::SitemapIndex);
    is_refused_by(
        &builder,
        &UrlEntry::new("https://example.com/2"),
        "P-NS",
        "entry 2",
        PAGE_IN_INDEX,
    );
    for (found, error) in [
        (
            "sitemap",
            sitemap_serde::to_string(&UrlSet::from(vec![IndexEntry::new("https://example.com/")])),
        ),
        (
            "url",
            sitemap_serde::to_string(&SitemapIndex::from(vec![UrlEntry::new("https://example.com/")])),
        ),
    ] {
        let problem = Problem::of(&error.unwrap_err());
        assert_eq!((problem.rule, problem.entry), (Some("P-NS"), Some(1)));
        assert!(problem.message.starts_with(&format!("a `{found}` entry in a ")));
    }
}

#[test]
fn elements_that_an_index_does_not_have() {
    let mut builder = WriterBuilder::new();
    builder.kind(Kind::SitemapIndex);
    let message = |name: &str| {
        format!(
            "a `{name}` in an index: a `sitemap` entry has a loc and a lastmod, nothing else (P-INDEXTAGS); leave it out, or list the page in a urlset"
        )
    };
    is_refused_by(
        &builder,
        &changefreq("daily"),
        "P-INDEXTAGS",
        "entry 2 · changefreq",
        &message("changefreq"),
    );
    is_refused_by(
        &builder,
        &priority(0.5),
        "P-INDEXTAGS",
        "entry 2 · priority",
        &message("priority"),
    );
    let mut writer = builder.from_writer(Vec::new());
    writer.serialize(&lastmod("2024")).unwrap();
    assert_eq!(
        finished(writer),
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{CORE}\"><sitemap>\
             <loc>https://example.com/2</loc><lastmod>2024</lastmod></sitemap></sitemapindex>"
        )
    );
}

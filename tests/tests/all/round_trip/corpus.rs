//! Published sitemaps in `SITEMAP_SHARED`: read, written and read again. Counts the failures of each rule.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use sitemap_serde::{Error, ErrorKind, IndexEntry, Kind, Limits, Reader, UrlEntry, Writer, WriterBuilder};

use sitemap_tests::{of_sample, reads_all};

use crate::round_trip::independent::{self, Element};

/// The number of elements of each extension in an entry.
type Counts = [usize; 6];

fn counts_of(entry: &UrlEntry) -> Counts {
    [
        entry.images.len(),
        entry.videos.len(),
        usize::from(entry.news.is_some()),
        entry.alternates.len(),
        usize::from(entry.mobile),
        usize::from(entry.page_map.is_some()),
    ]
}

/// A URL with its triplets decoded, which is equal before and after writing.
fn resolved(url: &mut String) {
    let bytes = mem::take(url).into_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let triplet = bytes.get(i + 1..i + 3).and_then(|hex| {
            let hex = std::str::from_utf8(hex).ok()?;
            u8::from_str_radix(hex, 16).ok()
        });
        match triplet.filter(|_| bytes[i] == b'%') {
            Some(byte) => {
                out.push(byte);
                i += 3;
            }
            None => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    *url = String::from_utf8_lossy(&out).into_owned();
}

fn normalized(mut entry: UrlEntry) -> UrlEntry {
    resolved(&mut entry.loc);
    for image in &mut entry.images {
        resolved(&mut image.loc);
    }
    for video in &mut entry.videos {
        resolved(&mut video.thumbnail_loc);
        if let Some(url) = &mut video.content_loc {
            resolved(url);
        }
        if let Some(player) = &mut video.player_loc {
            resolved(&mut player.loc);
        }
        if let Some(gallery) = &mut video.gallery_loc {
            resolved(&mut gallery.loc);
        }
        if let Some(url) = video
            .uploader
            .as_mut()
            .and_then(|uploader| uploader.info.as_mut())
        {
            resolved(url);
        }
        for segment in &mut video.content_segments {
            resolved(&mut segment.loc);
        }
    }
    for link in &mut entry.alternates {
        resolved(&mut link.href);
    }
    entry
}

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .limits(Limits::writing().with_entries(u64::MAX).with_bytes(u64::MAX))
        .from_writer(Vec::new())
}

/// The rule in an error, or its text.
fn rule(error: &Error) -> String {
    assert_eq!(error.kind(), ErrorKind::Data, "{error}");
    match error.rule() {
        Some(rule) => rule.to_string(),
        None => error.to_string(),
    }
}

/// Everything found.
#[derive(Debug, Default)]
struct Summary {
    urlsets: usize,
    indexes: usize,
    read: usize,
    written: usize,
    elements: Counts,
    /// Entries, by the rule that they break.
    unread: BTreeMap<String, usize>,
    unwritten: BTreeMap<String, usize>,
    /// Files that are no sitemaps.
    left: Vec<String>,
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn published_sitemaps_are_equal_after_writing() {
    let Some(folder) = sitemap_tests::files("round_trip") else {
        return;
    };
    let mut summary = Summary::default();
    for (name, bytes) in sitemap_tests::corpus_sample(&folder) {
        let done = match Reader::from_slice(&bytes).kind() {
            Ok(Kind::UrlSet) => urlset_says_the_same(&name, &bytes, &mut summary),
            Ok(Kind::SitemapIndex) => index_says_the_same(&bytes).map(|()| summary.indexes += 1),
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            assert!(independent::is_no_sitemap(&bytes), "{name}: {error}");
            summary.left.push(format!("{name}: {error}"));
        }
    }
    println!("{summary:#?}");
    assert!(
        summary.urlsets > of_sample(150) && summary.indexes > of_sample(20),
        "the corpus is smaller than it was"
    );
    // A sample has no PageMap.
    assert!(!reads_all() || summary.elements.iter().all(|count| *count > 0));
}

/// Reads a urlset, writes the valid entries, and reads them again. Each entry is compared with quick-xml's result.
fn urlset_says_the_same(name: &str, bytes: &[u8], summary: &mut Summary) -> Result<(), Error> {
    let mut reader = Reader::from_slice(bytes);
    let mut entries = Vec::new();
    let mut between = 0;
    for entry in reader.entries() {
        match entry {
            Err(error) if error.ends_reading() => return Err(error),
            Err(error) if error.entry().is_none() => between += 1,
            entry => entries.push(entry),
        }
    }
    summary.urlsets += 1;
    let root = independent::root(bytes).unwrap_or_else(|| panic!("{name}: quick-xml cannot read it"));
    let expected: Vec<&Element> = root
        .children
        .iter()
        .filter(|child| {
            child.namespace == root.namespace && matches!(child.local.as_str(), "url" | "sitemap")
        })
        .collect();
    assert_eq!(entries.len(), expected.len(), "{name}");
    // No other element in their namespace is skipped.
    let own = root
        .children
        .iter()
        .filter(|child| child.namespace == root.namespace);
    assert_eq!(between, own.count() - expected.len(), "{name}");

    let mut writer = writer();
    let mut kept = Vec::new();
    for (number, (entry, expected)) in entries.into_iter().zip(expected).enumerate() {
        let broken = independent::broken(expected);
        let (refused, list) = match entry {
            Ok(entry) => {
                summary.read += 1;
                let counts = counts_of(&entry);
                assert_eq!(counts, independent::counts(expected), "{name}, entry {number}");
                for (sum, count) in summary.elements.iter_mut().zip(counts) {
                    *sum += count;
                }
                let refused = writer.write(&entry).err();
                if refused.is_none() {
                    kept.push(entry);
                }
                assert_eq!(writer.summary().entries, kept.len() as u64);
                (refused, &mut summary.unwritten)
            }
            Err(error) => (Some(error), &mut summary.unread),
        };
        match refused {
            Some(error) => {
                let rule = rule(&error);
                assert!(
                    broken.contains(rule.as_str()),
                    "{name}: {error}; it breaks {broken:?}"
                );
                *list.entry(rule).or_default() += 1;
            }
            None => assert_eq!(broken, BTreeSet::new(), "{name}, entry {number} is written"),
        }
    }
    summary.written += kept.len();
    let first = writer.finish().unwrap();
    is_the_same_again(name, &first, &kept);
    Ok(())
}

/// Returns `true` if the written document has the entries, and is the same when written again.
fn is_the_same_again(name: &str, document: &[u8], entries: &[UrlEntry]) {
    let again: Vec<UrlEntry> = Reader::from_slice(document)
        .entries()
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(again.len(), entries.len(), "{name}");
    let mut writer = writer();
    for (again, entry) in again.iter().zip(entries) {
        if again != entry {
            assert_eq!(normalized(again.clone()), normalized(entry.clone()), "{name}");
        }
        // Compared as written, not only as equal values.
        let digits = |entry: &UrlEntry| format!("{:?} {:?}", entry.priority, entry.lastmod);
        assert_eq!(digits(again), digits(entry), "{name}");
        writer.write(again).unwrap();
    }
    assert!(
        writer.finish().unwrap() == document,
        "{name}: the second document differs from the first"
    );
}

fn index_says_the_same(bytes: &[u8]) -> Result<(), Error> {
    let mut entries: Vec<IndexEntry> = Vec::new();
    for entry in Reader::from_slice(bytes).deserialize::<IndexEntry>() {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) if error.kind() == ErrorKind::Data => {}
            Err(error) => return Err(error),
        }
    }
    let write = |entries: &[IndexEntry]| {
        let mut writer = WriterBuilder::new()
            .kind(Kind::SitemapIndex)
            .from_writer(Vec::new());
        let kept: Vec<_> = entries
            .iter()
            .filter(|entry| writer.write(*entry).is_ok())
            .cloned()
            .collect();
        (writer.finish().unwrap(), kept)
    };
    let (first, kept) = write(&entries);
    let again: Vec<IndexEntry> = Reader::from_slice(&first)
        .deserialize()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(again.len(), kept.len());
    assert!(write(&again).0 == first);
    Ok(())
}

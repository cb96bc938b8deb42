//! The heap that reading a stream needs: the same for every document, with any number of entries.

use std::io::{self, Read};

use sitemap_serde::{Reader, Record, UrlEntry};

/// P-SIZE allows 200 times this size. A reader of streams never holds all of it.
const MOST: u64 = 256 << 10;

const FEW: usize = 2_000;

const MANY: usize = 10 * FEW;

const PLAIN: &str = "  <url>\n    <loc>https://www.example.com/category/product-#</loc>\n    \
    <lastmod>2024-05-06T12:30:00+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.5</priority>\n  \
    </url>\n";

const EXTENDED: &str = "  <url>\n    <loc>https://www.example.com/en/page-#?a=1&amp;b=2</loc>\n    \
    <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://www.example.com/de/page-#\"/>\n    \
    <xhtml:link rel=\"alternate\" hreflang=\"fr\" href=\"https://www.example.com/fr/page-#\"/>\n    \
    <image:image><image:loc>https://cdn.example.com/#.jpg</image:loc><image:title>Nr. #</image:title></image:image>\n    \
    <image:image><image:loc>https://cdn.example.com/2.jpg</image:loc></image:image>\n    \
    <news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>\
    <news:publication_date>2024-05-06</news:publication_date><news:title>T</news:title></news:news>\n  </url>\n";

/// Generates a document while it is read, so that it is never in memory.
pub(super) struct Generated {
    entry: &'static str,
    left: usize,
    piece: Vec<u8>,
    done: usize,
}

impl Generated {
    pub(super) fn new(entry: &'static str, entries: usize) -> Self {
        let start = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
            xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
            xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n";
        Generated {
            entry,
            left: entries + 1,
            piece: start.into(),
            done: 0,
        }
    }
}

impl Read for Generated {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < into.len() {
            if self.done == self.piece.len() {
                if self.left == 0 {
                    break;
                }
                self.left -= 1;
                self.done = 0;
                self.piece = match self.left {
                    0 => b"</urlset>".to_vec(),
                    left => self.entry.replace('#', &format!("{left:08}")).into(),
                };
            }
            let n = (&self.piece[self.done..]).read(&mut into[filled..])?;
            self.done += n;
            filled += n;
        }
        Ok(filled)
    }
}

/// The peak of allocated bytes while this number of entries was read.
#[track_caller]
fn peak(entry: &'static str, entries: usize, read: fn(Generated) -> usize) -> u64 {
    let mut found = 0;
    let info = allocation_counter::measure(|| found = read(Generated::new(entry, entries)));
    assert_eq!(found, entries);
    assert_eq!(info.bytes_current, 0, "all is freed");
    info.bytes_max
}

fn checked(document: Generated) -> usize {
    let mut reader = Reader::from_reader(document);
    reader.entries().flatten().count()
}

fn records(document: Generated) -> usize {
    let mut reader = Reader::from_reader(document);
    let mut record = Record::new();
    let mut found = 0;
    while reader.read_record(&mut record).unwrap() {
        found += 1;
    }
    found
}

#[test]
fn ten_times_the_entries_need_the_same_memory() {
    for (name, entry, read) in [
        ("entries, plain", PLAIN, checked as fn(Generated) -> usize),
        ("records, plain", PLAIN, records),
        ("entries, extended", EXTENDED, checked),
        ("records, extended", EXTENDED, records),
    ] {
        let (few, many) = (peak(entry, FEW, read), peak(entry, MANY, read));
        println!("{name}: {few} bytes for {FEW} entries, {many} for {MANY}");
        assert!(many < MOST, "{name}: {many}");
        assert_eq!(few, many, "{name}");
    }
}

/// The memory for learned entries is bounded, even if each has another layout.
#[test]
fn different_entries_need_no_more_memory() {
    struct Mixed(Generated, u64);

    impl Read for Mixed {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let n = self.0.read(into)?;
            for b in &mut into[..n] {
                if *b == b' ' {
                    self.1 = self.1.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    *b = if self.1 >> 63 == 0 { b' ' } else { b'\t' };
                }
            }
            Ok(n)
        }
    }

    let all = peak(EXTENDED, MANY, |document| {
        Reader::from_reader(Mixed(document, 7))
            .entries()
            .flatten()
            .count()
    });
    println!("{all} bytes");
    assert!(all < MOST, "{all}");
}

/// A sequence is allocated once with the right size, and no value is copied.
#[test]
fn through_serde_an_entry_takes_what_it_takes_without() {
    type Read = fn(&str) -> Vec<UrlEntry>;

    /// The allocations for one more entry, and their bytes.
    fn of_one_more(read: Read) -> (u64, u64) {
        let allocated = |entries| {
            let mut text = String::new();
            Generated::new(EXTENDED, entries)
                .read_to_string(&mut text)
                .unwrap();
            let mut found = 0;
            let info = allocation_counter::measure(|| found = read(&text).len());
            assert_eq!(found, entries);
            (info.count_total, info.bytes_total)
        };
        // Both are between two growths of the vector of entries.
        let (few, many) = (allocated(10), allocated(11));
        (many.0 - few.0, many.1 - few.1)
    }

    let serde = of_one_more(|text| sitemap_serde::from_str(text).unwrap());
    let without = of_one_more(|text| {
        Reader::from_str(text)
            .entries()
            .collect::<Result<_, _>>()
            .unwrap()
    });
    println!("{without:?} allocations and bytes for an entry, {serde:?} through serde");
    assert_eq!(serde, without);
}

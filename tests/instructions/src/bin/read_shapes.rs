//! Reads a document of every shape in three ways, each in its own function, which the profiler looks for. Prints the order of
//! reading. `costs.rs` counts the instructions.

use serde::Deserialize;
use sitemap_serde::iter::Field;
use sitemap_serde::source::SliceSource;
use sitemap_serde::{Reader, Record, UrlEntry};
use sitemap_tests::shapes::SHAPES;

/// A user's own entry.
#[derive(Deserialize)]
struct Page {
    loc: String,
    lastmod: Option<String>,
    changefreq: Option<String>,
    priority: Option<f32>,
}

/// Continues reading, and returns the number of bytes in all values.
fn records(mut reader: Reader<SliceSource<'_>>) -> usize {
    fn sum<'r>(fields: impl Iterator<Item = Field<'r>>) -> usize {
        fields.map(|field| field.text().len() + sum(field.fields())).sum()
    }
    let mut record = Record::new();
    let mut bytes = 0;
    while reader.read_record(&mut record).expect("a sitemap") {
        bytes += sum(record.fields());
    }
    bytes
}

/// Continues reading, and returns the number of entries.
fn entries(mut reader: Reader<SliceSource<'_>>) -> usize {
    let entries: Vec<UrlEntry> = reader.entries().collect::<Result<_, _>>().expect("a sitemap");
    entries.len()
}

/// Continues reading, and returns the number of bytes in all values.
fn structs(mut reader: Reader<SliceSource<'_>>) -> usize {
    let pages: Vec<Page> = reader.deserialize().collect::<Result<_, _>>().expect("a sitemap");
    let len = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    pages
        .iter()
        .map(|page| {
            let priority = usize::from(page.priority.is_some());
            page.loc.len() + len(&page.lastmod) + len(&page.changefreq) + priority
        })
        .sum()
}

/// The measured work.
#[inline(never)]
fn measured(read: fn(Reader<SliceSource<'_>>) -> usize, reader: Reader<SliceSource<'_>>) -> usize {
    std::hint::black_box(read(reader))
}

/// The work after the measurement.
#[inline(never)]
fn printed(shape: &str, way: &str, bytes: usize, read: usize) {
    println!("{shape} | {way} | {bytes} | {read}");
}

fn main() {
    for shape in SHAPES {
        let document = shape.document(40, 7);
        for (way, read) in [
            ("records", records as fn(Reader<SliceSource<'_>>) -> usize),
            ("entries", entries),
            ("structs", structs),
        ] {
            // Learning from the first entries is not measured.
            let mut reader = Reader::from_str(&document);
            let mut record = Record::new();
            for _ in 0..12 {
                assert!(reader.read_record(&mut record).expect("an entry"));
            }
            let rest = document.len() - usize::try_from(record.byte_range().end).unwrap_or_default();
            let read = measured(read, reader);
            printed(shape.name, way, rest, read);
        }
    }
}

//! Reads a valid document of every shape strictly and leniently, as records and as entries. Each way has its own function, which
//! the profiler looks for. `costs.rs` compares them.

use sitemap_serde::source::SliceSource;
use sitemap_serde::{Mode, Reader, ReaderBuilder, Record, UrlEntry};
use sitemap_tests::shapes::SHAPES;

/// Continues reading, and returns the number of records.
fn records(mut reader: Reader<SliceSource<'_>>) -> usize {
    let mut record = Record::new();
    let mut count = 0;
    while reader.read_record(&mut record).expect("a sitemap") {
        count += 1;
    }
    count
}

/// Continues reading, and returns the number of entries.
fn entries(mut reader: Reader<SliceSource<'_>>) -> usize {
    let entries: Vec<UrlEntry> = reader.entries().collect::<Result<_, _>>().expect("a sitemap");
    assert!(reader.diagnostics().is_empty());
    entries.len()
}

/// The measured work.
#[inline(never)]
fn measured(read: fn(Reader<SliceSource<'_>>) -> usize, reader: Reader<SliceSource<'_>>) -> usize {
    std::hint::black_box(read(reader))
}

/// The work after the measurement.
#[inline(never)]
fn printed(shape: &str, way: &str, mode: Mode) {
    println!("{shape} | {way} | {mode:?}");
}

fn main() {
    for shape in SHAPES {
        let document = shape.document(80, 7);
        for (way, read) in [
            ("records", records as fn(Reader<SliceSource<'_>>) -> usize),
            ("entries", entries),
        ] {
            for mode in [Mode::Strict, Mode::Lenient] {
                // Learning from the first entries is not measured.
                let mut reader = ReaderBuilder::new().mode(mode).from_str(&document);
                let mut record = Record::new();
                for _ in 0..12 {
                    assert!(reader.read_record(&mut record).expect("an entry"));
                }
                assert_eq!(measured(read, reader), 68);
                printed(shape.name, way, mode);
            }
        }
    }
}

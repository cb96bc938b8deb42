//! Reads documents with refused entries, each in its own function, which the profiler looks for. `costs.rs` counts the
//! instructions.

use sitemap_serde::source::SliceSource;
use sitemap_serde::{Reader, Record};
use sitemap_tests::refused::{ENTRIES, IMAGES, RECORDS};

/// Reads to the end, and returns the numbers of accepted and refused entries.
fn records(mut reader: Reader<SliceSource<'_>>) -> (usize, usize) {
    let mut record = Record::new();
    let mut counts = (0, 0);
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => counts.0 += 1,
            Ok(false) => return counts,
            Err(_) => counts.1 += 1,
        }
    }
}

/// Reads to the end, and returns the numbers of accepted and refused entries.
fn entries(mut reader: Reader<SliceSource<'_>>) -> (usize, usize) {
    let mut counts = (0, 0);
    for entry in reader.entries() {
        match entry {
            Ok(_) => counts.0 += 1,
            Err(_) => counts.1 += 1,
        }
    }
    counts
}

/// The measured work.
#[inline(never)]
fn measured(
    read: fn(Reader<SliceSource<'_>>) -> (usize, usize),
    reader: Reader<SliceSource<'_>>,
) -> (usize, usize) {
    std::hint::black_box(read(reader))
}

/// The work after the measurement.
#[inline(never)]
fn printed(name: &str) {
    println!("{name}");
}

fn main() {
    for (all, read) in [
        (
            &RECORDS[..],
            records as fn(Reader<SliceSource<'_>>) -> (usize, usize),
        ),
        (&ENTRIES[..], entries),
        (&IMAGES[..], entries),
    ] {
        for (i, refused) in all.iter().enumerate() {
            let document = refused.document(80);
            // Learning from the first entries is not measured.
            let mut reader = Reader::from_str(&document);
            let mut record = Record::new();
            for _ in 0..16 {
                let _ = reader.read_record(&mut record);
            }
            let expected = if i == 0 { (64, 0) } else { (0, 64) };
            assert_eq!(measured(read, reader), expected, "{}", refused.name);
            printed(refused.name);
        }
    }
}

//! Batches compared with `Reader::entries`, on the shapes of published sitemaps, in MB/s of XML, with the speedup.
//!
//! `cargo bench -p sitemap-arrow` prints all shapes. `set FOLDER ROWS` writes a set of plain rows in the folder, and reads it back. The
//! name of a shape, `entries` or `batches`, and a number repeat that work, for a profiler.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use sitemap_arrow::{BatchReaderBuilder, Entries, Input};
use sitemap_serde::{Reader, Writer};
use sitemap_site::SitemapSet;
use sitemap_tests::shapes::{SHAPES, Shape};

/// The number of entries of a document, and of rounds. The candidates take turns in each round.
const ENTRIES: usize = 20_000;
const ROUNDS: usize = 9;

fn entries(document: &'static [u8]) -> usize {
    // Streams on both sides: batches are read from them.
    let mut reader = Reader::from_reader(document);
    let each = |entry: sitemap_serde::Result<_>| drop(black_box(entry.unwrap()));
    reader.entries().map(each).fold(0, |count, ()| count + 1)
}

fn batches(document: &'static [u8]) -> usize {
    let reader =
        BatchReaderBuilder::new().read([Input::bytes("https://www.example.com/sitemap.xml", document)]);
    reader.map(|batch| black_box(batch.unwrap()).num_rows()).sum()
}

/// Only the columns of a table of pages.
fn core(document: &'static [u8]) -> usize {
    let mut builder = BatchReaderBuilder::new();
    let reader = match builder.columns(["loc", "lastmod_at"]) {
        Ok(builder) => builder.read([Input::bytes("https://www.example.com/sitemap.xml", document)]),
        Err(error) => panic!("{error}"),
    };
    reader.map(|batch| black_box(batch.unwrap()).num_rows()).sum()
}

/// The time for a document with this number of entries.
fn time(entries: usize, work: impl FnOnce() -> usize) -> Duration {
    let start = Instant::now();
    assert_eq!(work(), entries);
    start.elapsed()
}

#[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
fn rate(bytes: usize, times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    bytes as f64 / times[times.len() / 2].as_secs_f64() / 1e6
}

fn compare(shape: &Shape) {
    let document: &'static [u8] = shape.document(ENTRIES, 1).into_bytes().leak();
    let written: Vec<_> = BatchReaderBuilder::new()
        .read([Input::bytes("a", document)])
        .map(|batch| Entries::try_from(&batch.unwrap()).unwrap())
        .collect();
    let write = || {
        let mut writer = Writer::from_writer(std::io::sink());
        written
            .iter()
            .map(|entries| entries.rows().filter(|row| writer.write(row).is_ok()).count())
            .sum()
    };
    // A document has at most 1,000 news, and not all titles are short enough to be written.
    let writable = write();
    let mut times: [Vec<Duration>; 4] = Default::default();
    for _ in 0..ROUNDS {
        times[0].push(time(ENTRIES, || entries(document)));
        times[1].push(time(ENTRIES, || batches(document)));
        times[2].push(time(ENTRIES, || core(document)));
        times[3].push(time(writable, write));
    }
    let [by_entries, by_batches, by_core, by_write] =
        times.each_mut().map(|times| rate(document.len(), times));
    println!(
        "{:38} entries {by_entries:5.0} MB/s, batches {by_batches:5.0} ({:.2}), two columns {by_core:5.0} ({:.2}), written {by_write:5.0}",
        shape.name,
        by_batches / by_entries,
        by_core / by_entries
    );
}

/// Writes batches as a compressed set, and reads its parts as batches.
fn set(folder: &str, rows: usize) -> Result<(), Box<dyn std::error::Error>> {
    let document: &'static [u8] = Shape::of("plain").document(ENTRIES, 1).into_bytes().leak();
    let batches: Vec<_> = BatchReaderBuilder::new()
        .read([Input::bytes("a", document)])
        .collect::<Result<_, _>>()?;
    let set = SitemapSet::directory(folder, "https://www.example.com")
        .gzip(6)
        .open()?;
    let start = Instant::now();
    let mut part = set.task_writer("pages", "all")?;
    for _ in 0..rows / ENTRIES {
        for batch in &batches {
            Entries::try_from(batch)?.write_to_part(&mut part)?;
        }
    }
    let written = start.elapsed();
    let summary = set.commit(&[part.finish()?])?;
    println!(
        "{summary}; rows written in {written:?}, published after {:?}",
        start.elapsed()
    );
    let mut parts = Vec::new();
    for file in std::fs::read_dir(Path::new(folder).join("current"))? {
        parts.extend(Some(file?.path()).filter(|path| path.extension().is_some_and(|end| end == "gz")));
    }
    let start = Instant::now();
    let mut read = 0;
    for batch in BatchReaderBuilder::new().read(parts) {
        read += black_box(batch?).num_rows();
    }
    println!("{read} rows read in {:?}", start.elapsed());
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    match &arguments[..] {
        [work, folder, rows] if work == "set" => {
            if let Err(error) = set(folder, rows.parse().unwrap_or_default()) {
                panic!("{error}");
            }
        }
        [shape, work, times] => {
            let document: &'static [u8] = Shape::of(shape).document(500, 1).into_bytes().leak();
            let work = if work == "entries" { entries } else { batches };
            for _ in 0..times.parse().unwrap_or(1) {
                black_box(work(document));
            }
        }
        [wanted] => SHAPES
            .iter()
            .filter(|shape| shape.name == wanted)
            .for_each(compare),
        _ => SHAPES.iter().for_each(compare),
    }
}

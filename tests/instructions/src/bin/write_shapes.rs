//! Writes a document of every shape in four ways, each in its own function, which the profiler looks for. Prints the order of
//! writing. `costs.rs` counts the instructions.

use sitemap_serde::Writer;
use sitemap_tests::written::{Page, Row, WRITTEN};

/// Writes into preallocated memory.
type Out = Writer<Vec<u8>>;

/// Number of entries to write first, so that learning from them is not counted.
const FIRST: usize = 12;
const COUNTED: usize = 28;

/// The measured work.
#[inline(never)]
fn measured(write: &mut dyn FnMut(&mut Out), writer: &mut Out) {
    write(writer);
}

/// The work after the measurement.
#[inline(never)]
fn printed(shape: &str, way: &str, bytes: u64) {
    println!("{shape} | {way} | {bytes}");
}

fn count<T>(shape: &str, way: &str, items: &[T], write: fn(&mut Out, &T)) {
    let mut writer = Writer::from_writer(Vec::with_capacity(1 << 20));
    let (first, counted) = items.split_at(FIRST);
    for item in first {
        write(&mut writer, item);
    }
    let before = writer.summary().bytes;
    measured(
        &mut |writer| counted.iter().for_each(|item| write(writer, item)),
        &mut writer,
    );
    printed(shape, way, writer.summary().bytes - before);
    assert_eq!(writer.summary().entries, (FIRST + COUNTED) as u64);
}

fn main() {
    for shape in WRITTEN {
        let entries = shape.entries(FIRST + COUNTED, 7);
        count(shape.name, "written", &entries, |writer, entry| {
            writer.write(entry).expect("a valid entry");
        });
        count(shape.name, "serialized", &entries, |writer, entry| {
            writer.serialize(entry).expect("a valid entry");
        });
        let pages: Vec<_> = entries.iter().map(Page::of).collect();
        count(shape.name, "struct", &pages, |writer, page| {
            writer.serialize(page).expect("a valid entry");
        });
        let rows: Vec<_> = entries.iter().cloned().map(Row::of).collect();
        count(shape.name, "derived", &rows, |writer, row| {
            writer.write(row).expect("a valid entry");
        });
    }
}

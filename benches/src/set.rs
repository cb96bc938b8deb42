//! Sets of files beside what any of them has to do: writing one endless file and hashing it, and compressing the same bytes.
//!
//! Each candidate writes to a new folder of the temporary files and syncs what it has written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_serde::{Limits, Result, SitemapEntry, W3cDateTime, WriterBuilder, convert::EntryWriter};
use sitemap_site::{Key, SitemapSet};

use crate::harness::{Comparison, Target};

const BASE: &str = "https://www.example.com";
const ENTRIES: u32 = 10_000_000;
const ROUNDS: usize = 3;

/// A row of a table.
struct Product {
    id: u32,
    updated: W3cDateTime,
}

impl SitemapEntry for Product {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.loc_template(|loc| {
            loc.literal("/catalog/category/product-")?;
            loc.simple("id", self.id)
        })?;
        entry.lastmod(self.updated)
    }
}

fn products(entries: u32) -> impl Iterator<Item = Product> {
    let days: Vec<W3cDateTime> = (1..=28)
        .map(|day| {
            format!("2026-02-{day:02}T12:30:00Z")
                .parse()
                .expect("a W3C Datetime")
        })
        .collect();
    (0..entries).map(move |id| Product {
        id,
        updated: days[id as usize % days.len()],
    })
}

/// Hashes what goes to a file, on the same thread.
struct Hashed<W> {
    inner: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn builder() -> WriterBuilder {
    let mut builder = WriterBuilder::new();
    builder.base(BASE).location(format!("{BASE}/sitemap.xml"));
    builder
}

fn set(folder: &Path, entries: u32, gzip: bool) -> usize {
    let set = SitemapSet::directory(folder, BASE)
        .gzip(gzip)
        .open()
        .expect("a folder");
    let mut writer = set.part_writer("products", "all").expect("a writer");
    for product in products(entries) {
        writer
            .write(Some(&Key::from(product.id)), &product)
            .expect("an entry");
    }
    let list = writer.finish().expect("a list");
    let summary = set.commit(&[list]).expect("a set");
    usize::try_from(summary.bytes).expect("less than the memory")
}

fn endless(folder: &Path, entries: u32) -> usize {
    fs::create_dir_all(folder).expect("a folder");
    let file = File::create(folder.join("endless.xml")).expect("a file");
    let mut builder = builder();
    builder.limits(Limits::writing().with_entries(u64::MAX).with_bytes(u64::MAX));
    let mut writer = builder.from_writer(Hashed {
        inner: file,
        hasher: blake3::Hasher::new(),
    });
    for product in products(entries) {
        writer.write(&product).expect("an entry");
    }
    let hashed = writer.finish().expect("a file");
    std::hint::black_box(hashed.hasher.finalize());
    hashed.inner.sync_all().expect("a disk");
    usize::try_from(hashed.inner.metadata().expect("a file").len()).expect("less than the memory")
}

/// Compresses the bytes of one part as often as the set has parts.
fn compress(folder: &Path, part: &[u8], times: u32) -> usize {
    fs::create_dir_all(folder).expect("a folder");
    for time in 0..times {
        let file = File::create(folder.join(time.to_string())).expect("a file");
        let mut encoder = GzEncoder::new(file, Compression::new(6));
        encoder.write_all(part).expect("a file");
        encoder.finish().and_then(|file| file.sync_all()).expect("a disk");
    }
    part.len() * times as usize
}

/// Peak of the memory of this program, in kB.
fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.unwrap_or("VmHWM unknown").to_owned()
}

pub(crate) fn run(entries: Option<u32>) {
    let entries = entries.unwrap_or(ENTRIES);
    let root = tempfile::tempdir().expect("a folder");
    let fresh = || {
        let _ = fs::remove_dir_all(root.path().join("new"));
        root.path().join("new")
    };
    set(&fresh(), entries / 10, false);
    let tenth = peak();
    set(&fresh(), entries, false);
    println!(
        "memory: {tenth} after {} entries, {} after {entries}",
        entries / 10,
        peak()
    );

    let mut plain = Comparison::new(format!("a set of {entries} entries"), entries as usize);
    plain.add("SitemapSet", || set(&fresh(), entries, false));
    plain.add("one endless file, hashed", || endless(&fresh(), entries));
    let target = |name, others| Target {
        name,
        times: 0.9,
        others,
    };
    plain.run(ROUNDS, &[target("SitemapSet", &["one endless file, hashed"])]);

    let mut writer = builder().from_writer(Vec::new());
    for product in products(50_000) {
        writer.write(&product).expect("an entry");
    }
    let part = writer.finish().expect("a part");
    let parts = (entries / 200_000).max(1);
    let entries = parts * 50_000;
    let mut gzip = Comparison::new(
        format!("a set of {entries} entries, compressed"),
        entries as usize,
    );
    gzip.add("SitemapSet, gzip", || set(&fresh(), entries, true));
    gzip.add("flate2 alone, on the bytes of a part", || {
        compress(&fresh(), &part, parts)
    });
    gzip.run(
        ROUNDS,
        &[target(
            "SitemapSet, gzip",
            &["flate2 alone, on the bytes of a part"],
        )],
    );
}

//! Sets of files, compared with the unavoidable work (writing and hashing one endless file, compressing the same bytes) and with
//! other libraries that write files and their index.
//!
//! Each candidate writes to a new folder of the temporary files; removing the folder of the candidate before is not timed. Sets, the
//! endless file and the compressed files are synced, each file when it is complete or all at the end, so that all of it is on the disk
//! when the candidate is done.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_serde::{EntryWriter, Limits, Result, SitemapEntry, W3cDateTime, WriterBuilder};
use sitemap_site::SitemapSet;

use crate::harness::{Comparison, Target};

const BASE: &str = "https://www.example.com";
const ENTRIES: u32 = 10_000_000;
const ROUNDS: usize = 5;
/// P-COUNT.
const MOST: usize = 50_000;

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

/// Hashes a file's bytes while they are written, on the same thread.
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
        .gzip(gzip.then_some(6))
        .open()
        .expect("a folder");
    let mut writer = set.task_writer("products", "all").expect("a writer");
    for product in products(entries) {
        writer.write(product.id, &product).expect("an entry");
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

/// The texts of this number of parts.
fn texts(parts: u32) -> Vec<Vec<u8>> {
    let mut rows = products(parts * 50_000);
    let part = |_| {
        let mut writer = builder().from_writer(Vec::new());
        for product in rows.by_ref().take(MOST) {
            writer.write(&product).expect("an entry");
        }
        writer.finish().expect("a part")
    };
    (0..parts).map(part).collect()
}

/// Compresses the texts, a file each, at the set's level.
fn compress(folder: &Path, texts: &[Vec<u8>]) -> usize {
    fs::create_dir_all(folder).expect("a folder");
    for (number, text) in texts.iter().enumerate() {
        let file = File::create(folder.join(number.to_string())).expect("a file");
        let mut encoder = GzEncoder::new(file, Compression::new(6));
        encoder.write_all(text).expect("a file");
        encoder.finish().and_then(|file| file.sync_all()).expect("a disk");
    }
    texts.iter().map(Vec::len).sum()
}

/// The code that users of sitemap-rs write by hand, because no other Rust crate offers it: files of 50,000 entries, and an index.
/// It has no hashes, no sync and no commit.
fn sitemap_rs_by_hand(folder: &Path, entries: u32) -> usize {
    use sitemap_rs::sitemap::Sitemap;
    use sitemap_rs::sitemap_index::SitemapIndex;
    use sitemap_rs::url::Url;
    use sitemap_rs::url_set::UrlSet;

    fs::create_dir_all(folder).expect("a folder");
    let days: Vec<jiff02::Zoned> = (1..=28)
        .map(|day| {
            let time: jiff02::Timestamp = format!("2026-02-{day:02}T12:30:00Z").parse().expect("a time");
            time.to_zoned(jiff02::tz::TimeZone::UTC)
        })
        .collect();
    let mut rows = (0..entries as usize).peekable();
    let mut sitemaps = Vec::new();
    let mut bytes = 0;
    while rows.peek().is_some() {
        let urls = rows.by_ref().take(MOST).map(|id| {
            Url::builder(format!("{BASE}/catalog/category/product-{id}"))
                .last_modified(days[id % days.len()].clone())
                .build()
                .expect("a valid entry")
        });
        let urls = UrlSet::new(urls.collect()).expect("not too many");
        let name = format!("sitemap-products-{}.xml", sitemaps.len() + 1);
        let path = folder.join(&name);
        let mut file = BufWriter::new(File::create(&path).expect("a file"));
        urls.write(&mut file).expect("a file");
        file.flush().expect("a file");
        bytes += fs::metadata(&path).expect("a file").len();
        sitemaps.push(Sitemap::new(format!("{BASE}/{name}"), None));
    }
    let index = File::create(folder.join("sitemap.xml")).expect("a file");
    let index_of = SitemapIndex::new(sitemaps).expect("not too many");
    index_of.write(BufWriter::new(index)).expect("a file");
    usize::try_from(bytes).expect("less than the memory")
}

/// `SitemapAndIndexStream` of the npm package `sitemap`, the only other library that starts new files by itself (only by count).
/// No hash, no sync.
const NPM: &str = "
const { createWriteStream } = require('node:fs');
const { Readable } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const { SitemapAndIndexStream, SitemapStream } = require('sitemap');
const [folder, base, entries] = process.argv.slice(1);
const stream = new SitemapAndIndexStream({
  limit: 50000,
  getSitemapStream: (i) => {
    const name = `sitemap-products-${i + 1}.xml`;
    const sitemap = new SitemapStream({ hostname: base });
    const file = sitemap.pipe(createWriteStream(`${folder}/${name}`));
    return [`${base}/${name}`, sitemap, file];
  },
});
function* products() {
  for (let id = 0; id < Number(entries); id++) {
    const day = String(id % 28 + 1).padStart(2, '0');
    yield { url: `/catalog/category/product-${id}`, lastmod: `2026-02-${day}T12:30:00Z` };
  }
}
pipeline(Readable.from(products()), stream, createWriteStream(`${folder}/sitemap.xml`))
  .catch((error) => { console.error(error); process.exit(1); });
";

/// The path of the npm package `sitemap`, if it is installed.
fn npm() -> Option<PathBuf> {
    let modules = PathBuf::from(std::env::var_os("SITEMAP_READERS")?).join("node_modules");
    modules.join("sitemap").is_dir().then_some(modules)
}

fn npm_sitemap(folder: &Path, entries: u32, modules: &Path) -> usize {
    fs::create_dir_all(folder).expect("a folder");
    let status = Command::new("node")
        .args(["-e", NPM])
        .arg(folder)
        .args([BASE, &entries.to_string()])
        .env("NODE_PATH", modules)
        .status();
    assert!(status.is_ok_and(|status| status.success()), "node has failed");
    let files = fs::read_dir(folder).expect("a folder");
    let sizes = files.map(|file| file.expect("a file").metadata().expect("a file").len());
    usize::try_from(sizes.sum::<u64>()).expect("less than the memory")
}

/// Peak of the memory of this program, in kB.
fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.unwrap_or("VmHWM unknown").to_owned()
}

/// Removes the previous candidate's files, and waits until the disk has written its unsynced data and freed its blocks.
fn settle(folder: &Path) {
    if folder.exists() {
        fs::remove_dir_all(folder).expect("a folder");
    }
    if cfg!(unix) {
        let synced = Command::new("sync").status();
        assert!(synced.is_ok_and(|status| status.success()), "sync has failed");
    }
}

/// Runs all comparisons with this number of entries, or only `plain`, `gzip` or `scripts`, or one candidate once.
pub(crate) fn run(entries: Option<u32>, only: Option<&str>) {
    let entries = entries.unwrap_or(ENTRIES);
    let root = tempfile::tempdir().expect("a folder");
    let folder = &root.path().join("new");
    let prepare = || settle(folder);
    if only.is_none() {
        set(folder, entries / 10, false);
        let tenth = peak();
        prepare();
        set(folder, entries, false);
        println!(
            "memory: {tenth} after {} entries, {} after {entries}",
            entries / 10,
            peak()
        );
    }
    let parts = (entries / 200_000).max(1);
    let texts = std::cell::LazyCell::new(|| texts(parts));
    let few = (entries / 20).max(1);
    let modules = npm();
    let new = |title: &str, entries: u32| {
        let mut comparison = Comparison::new(format!("a set of {entries} entries{title}"), entries as usize);
        comparison.prepare(prepare);
        comparison
    };

    let mut plain = new("", entries);
    plain.add("SitemapSet", || set(folder, entries, false));
    plain.add("one endless file, hashed", || endless(folder, entries));
    plain.add("sitemap-rs, files and index by hand", || {
        sitemap_rs_by_hand(folder, entries)
    });

    let mut gzip = new(", compressed", parts * 50_000);
    gzip.add("SitemapSet, gzip", || set(folder, parts * 50_000, true));
    gzip.add("flate2 alone, on the same bytes", || compress(folder, &texts));

    let mut scripts = new(", another language's", few);
    scripts.add("SitemapSet, few", || set(folder, few, false));
    if let Some(modules) = &modules {
        scripts.add("npm sitemap, SitemapAndIndexStream", || {
            npm_sitemap(folder, few, modules)
        });
    }

    let is_wanted = |name: &str| only.is_none_or(|only| only == name);
    if let Some(only) = only.filter(|only| !["plain", "gzip", "scripts"].contains(only)) {
        let found = [&mut plain, &mut gzip, &mut scripts]
            .into_iter()
            .any(|comparison| comparison.repeat(only, 1));
        assert!(found, "no candidate {only}");
        return;
    }
    let target = |name, others| Target {
        name,
        times: 0.9,
        others,
    };
    if is_wanted("plain") {
        plain.run(
            ROUNDS,
            &[
                target("SitemapSet", &["one endless file, hashed"]),
                target("SitemapSet", &["sitemap-rs, files and index by hand"]),
            ],
        );
    }
    if is_wanted("gzip") {
        gzip.run(
            ROUNDS,
            &[target("SitemapSet, gzip", &["flate2 alone, on the same bytes"])],
        );
    }
    if !is_wanted("scripts") {
        return;
    }
    if modules.is_some() {
        scripts.run(
            ROUNDS,
            &[target("SitemapSet, few", &["npm sitemap, SitemapAndIndexStream"])],
        );
    } else {
        println!("skipped: SITEMAP_READERS has no npm package `sitemap`");
    }
}

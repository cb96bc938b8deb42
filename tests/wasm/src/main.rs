//! The format in WebAssembly: a failure is a panic, which ends the module with a trap. `run` starts it in Node, which has 32-bit
//! addresses, no clock and no files.

use std::io::{self, Cursor, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_serde::lint::Linter;
use sitemap_serde::{Mode, Reader, ReaderBuilder, Rule, SitemapEntry, UrlEntry, WriterBuilder};

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", priority = 0.8)]
struct Product {
    slug: String,
}

#[derive(serde::Deserialize)]
struct Page {
    loc: String,
    priority: Option<f32>,
}

fn main() {
    let rows = ["lamp & shade", "caf\u{e9}"].map(|slug| Product { slug: slug.into() });
    let xml = WriterBuilder::new()
        .base("https://example.com")
        .entries_to_string(&rows)
        .unwrap();
    let locs = [
        "https://example.com/products/lamp%20%26%20shade",
        "https://example.com/products/caf%C3%A9",
    ];
    assert_eq!(read_locs(Reader::from_str(&xml).entries()), locs);
    let pages: Vec<Page> = sitemap_serde::from_str(&xml).unwrap();
    assert_eq!((pages[1].loc.as_str(), pages[1].priority), (locs[1], Some(0.8)));

    let mut compressed = GzEncoder::new(Vec::new(), Compression::fast());
    compressed.write_all(xml.as_bytes()).unwrap();
    let compressed = compressed.finish().unwrap();
    assert_eq!(
        read_locs(Reader::from_reader(Cursor::new(compressed)).entries()),
        locs
    );

    let japanese = b"<?xml version=\"1.0\" encoding=\"Shift_JIS\"?>\
        <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>http://e.com/\x93\xfa</loc></url></urlset>";
    let entry: UrlEntry = Reader::from_slice(japanese).entries().next().unwrap().unwrap();
    assert_eq!(entry.loc, "http://e.com/\u{65e5}");

    let broken = xml.replace("%26", "&").replace("</urlset>", "");
    let mut lenient = ReaderBuilder::new().mode(Mode::Lenient).from_str(&broken);
    assert_eq!(lenient.entries().flatten().count(), 2);
    assert_eq!(lenient.diagnostics().len(), 2);

    let invalid = xml.replace("0.8", "1.8");
    let findings = Linter::new()
        .now("2026-05-01".parse().unwrap())
        .check(invalid.as_bytes());
    assert!(findings.iter().any(|finding| finding.rule() == Rule::Prio));

    long_stream();
}

fn read_locs(entries: impl Iterator<Item = sitemap_serde::Result<UrlEntry>>) -> Vec<String> {
    entries.map(|entry| entry.unwrap().loc).collect()
}

/// Repeats a comment.
struct Comments {
    comment: Vec<u8>,
    at: usize,
}

impl Read for Comments {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = (&self.comment[self.at..]).read(buf)?;
        self.at = (self.at + read) % self.comment.len();
        Ok(read)
    }
}

/// Positions in a document are 64 bits wide: a position beyond 4 GiB is reported correctly with 32-bit addresses.
fn long_stream() {
    let start = b"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    let comment = format!("<!--{}-->", " ".repeat((1 << 19) - 7)).into_bytes();
    let comments = (1 << 32) + comment.len() as u64;
    let end = b"<url><loc>/</loc></url></urlset>";
    let stream = start
        .chain(Comments { comment, at: 0 }.take(comments))
        .chain(&end[..]);
    let error = Reader::from_reader(stream).entries().next().unwrap().unwrap_err();
    let expected = start.len() as u64 + comments + "<url><loc>".len() as u64;
    assert_eq!(
        error.position().map(|position| position.byte()),
        Some(expected),
        "{error}"
    );
}

//! Makes a document that repeats a short sequence of broken pieces, and reads it in every way that tolerates them. `linear.rs`
//! counts the instructions.

use sitemap_serde::diff::{Diff, Input};
use sitemap_serde::format::sniff;
use sitemap_serde::lint::Linter;
use sitemap_serde::robots::Robots;
use sitemap_serde::{Mode, ReaderBuilder};
use sitemap_tests::Random;

/// The pieces that break documents.
const PIECES: [&str; 44] = [
    "<",
    ">",
    "</",
    "/>",
    "&",
    ";",
    "&amp;",
    "&#",
    "&x;",
    "\"",
    "'",
    "=",
    " ",
    "\n",
    "\0",
    "é",
    "\u{A0}",
    "<!--",
    "-->",
    "--",
    "<![CDATA[",
    "]]>",
    "]",
    "<?",
    "?>",
    "<?xml ",
    "<!",
    "<!DOCTYPE ",
    "<url>",
    "</url>",
    "<loc>",
    "</loc>",
    "<lastmod>",
    "<x>",
    "</x>",
    "<x y='",
    "<p:x ",
    " xmlns:p='u'",
    "<image:image>",
    "</urlset>",
    "<urlset>",
    "https://example.com/",
    "/x",
    "2024",
];

/// The document of a seed: its start, and a sequence of pieces repeated this many times.
fn document(seed: u64, times: usize) -> String {
    let mut random = Random::new(seed);
    let begins = [
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>",
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/</loc>",
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>",
        "<rss><channel><item><link>https://example.com/",
        "https://example.com/\n",
        "",
    ];
    let begin = begins[random.below(begins.len())];
    let sequence: String = (0..=random.below(4))
        .map(|_| PIECES[random.below(PIECES.len())])
        .collect();
    format!("{begin}{}", sequence.repeat(times))
}

/// Every way of reading that tolerates errors.
fn read(document: &str) -> usize {
    let mut builder = ReaderBuilder::new();
    builder
        .mode(Mode::Lenient)
        .location("https://example.com/sitemap.xml");
    let mut slice = builder.from_str(document);
    let entries = slice.entries().with_diagnostics().flatten().count();
    let mut stream = builder.from_reader(document.as_bytes());
    std::hint::black_box(stream.entries().flatten().count());
    std::hint::black_box(Linter::new().check(document.as_bytes()));
    std::hint::black_box(Robots::parse(document.as_bytes()));
    std::hint::black_box(sniff(document.as_bytes()));
    let [mut old, mut new] = ["old", "new"].map(|name| [Input::from_slice(name, document.as_bytes())]);
    let _ = std::hint::black_box(Diff::new().run(&mut old, &mut new, |_| Ok(())));
    entries
}

/// The measured work.
#[inline(never)]
fn measured(document: &str) -> usize {
    read(document)
}

/// The work after the measurement.
#[inline(never)]
fn printed(seed: u64, document: &str, entries: usize) {
    println!(
        "{seed}: {entries} entries of {:?}…",
        document.chars().take(100).collect::<String>()
    );
}

fn main() {
    for seed in std::env::args().skip(1) {
        let seed = seed.parse().expect("a seed");
        for times in [120, 240] {
            let document = document(seed, times);
            let entries = measured(&document);
            printed(seed, &document, entries);
        }
    }
}

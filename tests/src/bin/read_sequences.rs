//! Makes a document of a short sequence of broken pieces, again and again, and reads it in every way that takes what it finds: what
//! `tests/linear.rs` counts the instructions of.

use sitemap_serde::diff::{Diff, Documents};
use sitemap_serde::format::sniff;
use sitemap_serde::lint::Linter;
use sitemap_serde::robots::Robots;
use sitemap_serde::{Mode, ReaderBuilder};
use sitemap_tests::Random;

/// What documents are broken with.
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

/// The document of a seed: what it begins with, and a sequence of pieces so many times.
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

/// Everything that reads what it finds.
fn read(document: &str) -> usize {
    let mut builder = ReaderBuilder::new();
    builder
        .mode(Mode::Lenient)
        .location("https://example.com/sitemap.xml");
    let mut slice = builder.from_str(document);
    let entries = slice.entries_with_diagnostics().flatten().count();
    let mut stream = builder.from_reader(document.as_bytes());
    std::hint::black_box(stream.entries().flatten().count());
    std::hint::black_box(Linter::new().check(document.as_bytes()));
    std::hint::black_box(Robots::parse(document.as_bytes()));
    std::hint::black_box(sniff(document.as_bytes()));
    let (mut old, mut new) = (Documents::new(), Documents::new());
    old.add("old", || Ok(document.as_bytes()));
    new.add("new", || Ok(document.as_bytes()));
    let _ = std::hint::black_box(Diff::new().run(&mut old, &mut new, |_| Ok(())));
    entries
}

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok());
    let (seed, times) = (arguments.next().unwrap_or(0), arguments.next().unwrap_or(100));
    let document = document(seed, usize::try_from(times).unwrap_or(100));
    let entries = read(&document);
    println!(
        "{seed}: {entries} entries of {:?}…",
        document.chars().take(100).collect::<String>()
    );
}

//! The heap that one large entry needs, with any damage: a few bytes for each of its bytes.

use sitemap_serde::lint::{Input, Linter};
use sitemap_serde::{Limits, Mode, ReaderBuilder, Record};
use sitemap_tests::{CORE, Chunks, Random};

/// The maximum for each byte of an entry, including its text in the window of a stream.
const PER_BYTE: u64 = 16;

/// The maximum for each different name of an element outside the schema. There are at most 65,536.
const PER_NAME: u64 = 220;

/// The maximum for memory that does not grow with the entry: the window, the stored diagnostics, and the scanner's knowledge of
/// the next entry.
const FIXED: u64 = 640 << 10;

const PIECES: [&str; 40] = [
    "<loc>",
    "</loc>",
    "<loc/>",
    "<loc>http://e.com/1</loc>",
    "<loc>#</loc>",
    "<Loc/>",
    "<lastmod>",
    "<lastmod/>",
    "<lastmod>x</lastmod>",
    "<lastmod>a&amp;amp;b</lastmod>",
    "<priority>0.5</priority>",
    "<a/>",
    "<a>",
    "</a>",
    "<a b=''/>",
    "<a><b/></a>",
    "<shop:a/>",
    "<shop:>",
    "<o:z>",
    "</o:z>",
    "<image:image/>",
    "<image:image>",
    "</image:image>",
    "<image:loc>x</image:loc>",
    "<news:news/>",
    "<xhtml:link href='/x'/>",
    "<xhtml:link href=x/>",
    "&amp;",
    "&",
    "&x;",
    "<",
    ">",
    "x",
    " ",
    "<!-- -->",
    "<!--",
    "<![CDATA[&amp;]]>",
    "<?x?>",
    "<x y='",
    "\0",
];

/// A document with one entry, which repeats these pieces up to a length.
fn document(pieces: &str, len: usize) -> String {
    let mut document = format!(
        "<urlset xmlns=\"{CORE}\" xmlns:o='urn:o' xmlns:shop='urn:shop' xmlns:xhtml='http://www.w3.org/1999/xhtml' \
         xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
         xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'><url><loc>http://e.com/</loc>"
    );
    let mut i = 0;
    while document.len() < len {
        document += &pieces.replace('#', &i.to_string());
        i += 1;
    }
    document + "</url></urlset>"
}

/// The peak of heap bytes while a document is read as records, from a slice and from a stream, and as typed entries.
fn most(builder: &ReaderBuilder, document: &str) -> u64 {
    let typed = allocation_counter::measure(|| {
        let mut reader = builder.from_str(document);
        for entry in reader.entries() {
            if entry.is_err_and(|error| error.ends_reading()) {
                break;
            }
        }
    });
    let slice = allocation_counter::measure(|| {
        let (mut reader, mut record) = (builder.from_str(document), Record::new());
        while let Ok(true) = reader.read_record(&mut record) {}
    });
    let stream = allocation_counter::measure(|| {
        let mut reader = builder.from_reader(Chunks::new(document.as_bytes(), 1448));
        let mut record = Record::new();
        while let Ok(true) = reader.read_record(&mut record) {}
    });
    slice.bytes_max.max(stream.bytes_max).max(typed.bytes_max)
}

/// The peak of heap bytes while a document is checked and its findings are dropped at once.
fn most_of_lint(document: &str) -> u64 {
    let used = allocation_counter::measure(|| {
        let mut found = 0_u64;
        let mut lint = Linter::new().start(|_, _| found += 1);
        let source = || Ok(Chunks::new(document.as_bytes(), 1448));
        lint.document(Input::new("a.xml", source)).unwrap();
        let summary = lint.finish().unwrap();
        assert_eq!(summary.counts.values().sum::<u64>(), found);
    });
    used.bytes_max
}

#[track_caller]
fn check(pieces: &str, len: usize, names: u64) {
    let document = document(pieces, len);
    let allowed = PER_BYTE * document.len() as u64 + PER_NAME * names + FIXED;
    let used = most_of_lint(&document);
    assert!(
        used <= allowed,
        "lint, {len} bytes of {pieces:?}: {used} bytes, and {allowed} are allowed"
    );
    for mode in [Mode::Strict, Mode::Lenient, Mode::Correcting] {
        for limits in [Limits::reading(), Limits::reading().with_entry_bytes(len / 2)] {
            let mut builder = ReaderBuilder::new();
            builder.mode(mode).limits(limits).namespace("shop", "urn:shop");
            if mode != Mode::Strict {
                builder.location("http://e.com/sitemap.xml");
            }
            let used = most(&builder, &document);
            assert!(
                used <= allowed,
                "{mode:?}, {len} bytes of {pieces:?}: {used} bytes, and {allowed} are allowed"
            );
        }
    }
}

#[test]
fn an_entry_takes_a_few_bytes_for_each_of_its_own() {
    // Slightly more than a power of two, so that doubling buffers have just grown.
    for pieces in sitemap_tests::sample(PIECES) {
        check(pieces, 134_000, 0);
    }
    check("<a#/>", 200_000, 26_000);
}

#[test]
fn an_entry_of_any_sequence_takes_a_few_bytes_for_each_of_its_own() {
    let mut random = Random::new(12);
    for _ in 0..sitemap_tests::rounds(12) {
        let pieces: String = (0..2 + random.below(4))
            .map(|_| PIECES[random.below(PIECES.len())])
            .collect();
        check(&pieces, 130_000 + random.below(100_000), 0);
    }
}

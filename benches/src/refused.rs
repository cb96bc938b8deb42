//! What entries cost that are refused, beside the same number that are taken: a program that skips them asks for no message.

use std::fmt::Write as _;

use sitemap_serde::{Reader, Record};

use crate::harness::{Comparison, Target};

const ENTRIES: usize = 44_000;
const ROUNDS: usize = 15;

/// A document whose entries have these children.
fn document(children: &str) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                   <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                   xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n"
        .to_owned();
    for i in 0..ENTRIES {
        let number = format!("category-{}/product-{i}", i % 97);
        let children = children.replace('#', &number);
        let _ = writeln!(xml, "  <url>\n    {children}\n  </url>");
    }
    xml.push_str("</urlset>\n");
    xml
}

const TAKEN: &str = "<loc>https://www.example.com/catalog/#</loc>\n    <lastmod>2024-05-06T12:30:15+00:00</lastmod>\n    \
                     <changefreq>weekly</changefreq>\n    <priority>0.8</priority>";

/// How many are taken, and how many refused.
fn count<T>(results: impl Iterator<Item = sitemap_serde::Result<T>>) -> (usize, usize) {
    results.fold((0, 0), |(taken, refused), result| match result {
        Ok(_) => (taken + 1, refused),
        Err(_) => (taken, refused + 1),
    })
}

fn records(xml: &str) -> (usize, usize) {
    let mut reader = Reader::from_str(xml);
    let mut record = Record::new();
    let mut next = || match reader.read_record(&mut record) {
        Ok(found) => found.then_some(Ok(())),
        Err(error) => Some(Err(error)),
    };
    count(std::iter::from_fn(&mut next))
}

fn entries(xml: &str) -> (usize, usize) {
    count(Reader::from_str(xml).entries())
}

pub(crate) fn run(only: Option<(&str, usize)>) {
    let with = |from: &str, to: &str| document(&TAKEN.replace(from, to));
    let of_records = [
        ("records: taken", document(TAKEN)),
        (
            "records: no loc",
            with("<loc>https://www.example.com/catalog/#</loc>", "<x>#</x>"),
        ),
        (
            "records: two lastmods",
            with("<changefreq>weekly</changefreq>", "<lastmod>2024-05-06</lastmod>"),
        ),
        (
            "records: an element in the loc",
            with("catalog/#</loc>", "<b>#</b></loc>"),
        ),
        (
            "records: Loc for loc",
            with("<loc>https://www.example.com/catalog/#</loc>", "<Loc>#</Loc>"),
        ),
    ];
    let of_entries = [
        ("entries: taken", document(TAKEN)),
        (
            "entries: no loc",
            with("<loc>https://www.example.com/catalog/#</loc>", "<x>#</x>"),
        ),
        (
            "entries: a relative loc",
            with("https://www.example.com/catalog/#", "/catalog/#"),
        ),
        (
            "entries: no such day",
            with("2024-05-06T12:30:15+00:00", "2024-02-30"),
        ),
        (
            "entries: a date and time without its T",
            with("2024-05-06T12:30:15+00:00", "2024-05-06 12:30:15"),
        ),
        ("entries: an unknown changefreq", with("weekly", "wekly")),
        ("entries: a priority above 1", with("0.8", "8")),
        (
            "entries: an image without a loc",
            with(
                "<priority>0.8</priority>",
                "<image:image><image:title>#</image:title></image:image>",
            ),
        ),
        (
            "entries: an image with a relative loc",
            with(
                "<priority>0.8</priority>",
                "<image:image><image:loc>#</image:loc></image:image>",
            ),
        ),
    ];
    let mut comparisons = [
        comparison("records that are refused", &of_records, records),
        comparison("entries that are refused", &of_entries, entries),
    ];
    if let Some((name, times)) = only {
        let found = comparisons
            .iter_mut()
            .any(|comparison| comparison.repeat(name, times));
        assert!(found, "no candidate {name}");
        return;
    }
    for (comparison, all) in comparisons.iter_mut().zip([&of_records[..], &of_entries]) {
        let [(taken, _), refused @ ..] = all else { return };
        let targets: Vec<_> = refused
            .iter()
            .map(|(name, _)| Target {
                name,
                times: 0.5,
                others: std::slice::from_ref(taken),
            })
            .collect();
        comparison.run(ROUNDS, &targets);
    }
}

fn comparison<'a>(
    title: &str,
    documents: &'a [(&'static str, String)],
    read: fn(&str) -> (usize, usize),
) -> Comparison<'a> {
    let mut comparison = Comparison::new(title, ENTRIES);
    for (i, (name, xml)) in documents.iter().enumerate() {
        comparison.add(name, move || {
            let expected = if i == 0 { (ENTRIES, 0) } else { (0, ENTRIES) };
            assert_eq!(read(xml), expected, "{name}");
            xml.len()
        });
    }
    comparison
}

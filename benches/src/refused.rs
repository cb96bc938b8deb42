//! The cost of refused entries, compared with the same number of accepted ones. A program that skips them asks for no message.

use sitemap_serde::{Reader, Record};

use crate::generated::refused::{self, Refused};
use crate::harness::{Comparison, Target};

const ENTRIES: usize = 44_000;
const ROUNDS: usize = 15;

/// The numbers of accepted and refused items.
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
    let documents = |all: &[Refused]| -> Vec<(&'static str, String)> {
        let document = |refused: &Refused| (refused.name, refused.document(ENTRIES));
        all.iter().map(document).collect()
    };
    let (of_records, of_entries) = (documents(&refused::RECORDS), documents(&refused::ENTRIES));
    let of_images = documents(&refused::IMAGES);
    let mut comparisons = [
        comparison("records that are refused", &of_records, records),
        comparison("entries that are refused", &of_entries, entries),
        comparison("entries with an image that are refused", &of_images, entries),
    ];
    if let Some((name, times)) = only {
        let found = comparisons
            .iter_mut()
            .any(|comparison| comparison.repeat(name, times));
        assert!(found, "no candidate {name}");
        return;
    }
    for (comparison, all) in comparisons
        .iter_mut()
        .zip([&of_records[..], &of_entries, &of_images])
    {
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

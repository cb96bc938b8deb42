//! The severities of findings are the ones on their rule's page, including its exceptions.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sitemap_serde::lint::{Linter, Severity};
use sitemap_serde::{Diagnostic, Rule};
use sitemap_tests::Random;

use crate::lint::{linter, page, search_console};

type Severities = BTreeSet<(Rule, Severity)>;

/// A news sitemap is recognized by its namespace on the root, in any spelling, and may be empty.
#[test]
fn an_empty_news_sitemap_is_a_note() {
    let core = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
    let news = "xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\"";
    let note = "note[P-EMPTY]: the news sitemap has no entries (P-EMPTY); it may be empty when nothing was published for two days, as Google says; \
        otherwise see why, at line 1, column 1 (byte 0)";
    let error = "error[P-EMPTY]: the document has no entries: a urlset has at least one (P-EMPTY); leave it out of the index until it has \
        some, at line 1, column 1 (byte 0)";
    for (root, expected) in [
        (format!("<urlset {core} {news}></urlset>"), note),
        (format!("<urlset {news} {core}>\n</urlset>"), note),
        (format!("<urlset {core} {news}/>"), note),
        (
            format!(
                "<urlset {core} {news} xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"/>"
            ),
            note,
        ),
        // A root with all namespaces may be about any pages.
        (
            format!(
                "<urlset {core} {news} xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\"/>"
            ),
            error,
        ),
        (format!("<urlset {core}/>"), error),
        (format!("<urlset {core}><!-- {news} --></urlset>"), error),
    ] {
        let document = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{root}");
        let found = Linter::new().check(document.as_bytes());
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, [expected], "{root}");
    }
}

/// The severities of the findings in the snapshots, except for the test that sets severities.
fn of_snapshots() -> Severities {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/lint/snapshots");
    let mut seen = Severities::new();
    for snapshot in fs::read_dir(folder).unwrap() {
        let path = snapshot.unwrap().path();
        if path
            .to_string_lossy()
            .contains("rules_are_switched_off_and_raised")
        {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        for line in text.lines() {
            let line = line.rsplit_once("]: ").map_or("", |(start, _)| start);
            let severity = [Severity::Note, Severity::Warning, Severity::Error]
                .into_iter()
                .find(|severity| line.contains(&format!("{severity}[")));
            let Some(severity) = severity else { continue };
            let (_, rule) = line.split_once(&format!("{severity}[")).unwrap();
            let rule = rule.split(']').next().unwrap();
            seen.insert((rule.parse().unwrap(), severity));
        }
    }
    seen
}

/// Documents that break single rules.
fn documents() -> impl Iterator<Item = Vec<u8>> {
    // Search Console does not report lines that look like rows.
    let rows = b"https://example.com/a,2026-05-01\nhttps://example.com/b,2026-05-02\n";
    let documents = search_console::cases().into_iter().map(|(document, _)| document);
    documents
        .filter(|document| document.len() < 10_000)
        .chain([rows.to_vec()])
}

/// The severities in documents as they are, and with some bytes removed.
fn of_damaged_documents() -> Severities {
    let mut seen = Severities::new();
    let mut linter = Linter::new();
    linter.now("2026-05-10T12:00:00Z".parse().unwrap());
    let mut look = |document: &[u8]| {
        let found = linter.check(document);
        seen.extend(found.iter().map(|found| (found.rule(), found.severity())));
    };
    for (number, document) in documents().enumerate() {
        look(&document);
        let mut random = Random::new(number as u64);
        for _ in 0..40 {
            let mut damaged = document.clone();
            let from = random.below(damaged.len());
            let len = 1 + random.below(40);
            damaged.drain(from..(from + len).min(document.len()));
            look(&damaged);
        }
    }
    seen
}

#[test]
fn severities_are_those_of_the_pages() {
    let mut stated = Severities::new();
    for page in Rule::ALL.iter().copied() {
        stated.insert((page, page.severity()));
        for (severity, when) in page.exceptions() {
            assert!(when.starts_with("if ") && !when.ends_with('.'), "{when}");
            assert!(stated.insert((page, severity)), "{page}: {severity} twice");
        }
    }
    let seen: Severities = of_snapshots().union(&of_damaged_documents()).copied().collect();
    let unstated: Vec<_> = seen.difference(&stated).collect();
    let unseen: Vec<_> = stated.difference(&seen).collect();
    assert!(
        unstated.is_empty() && unseen.is_empty(),
        "not stated: {unstated:?}, not seen: {unseen:?}"
    );
}

/// A finding gives one piece of advice: if the message names a replacement, it is the suggestion.
#[test]
fn advice_and_suggestion_are_one() {
    let mut checked = 0;
    for document in documents() {
        for found in linter().check(&document) {
            let (Some(advice), Some(suggestion)) = (found.advice(), found.suggestion()) else {
                continue;
            };
            let value = format!("write `{}`", suggestion.value());
            let is_whole = !advice.starts_with("write `") || advice.contains(&value);
            assert!(is_whole, "{found}: {suggestion:?}");
            checked += 1;
        }
    }
    assert!(checked > 3, "{checked}");
}

/// The lint and [`Field::meant`](sitemap_serde::Field::meant) guess the same meaning for an unknown element. `sitemap repair` reports it by
/// the latter.
#[test]
fn unknown_elements_have_one_meaning() {
    let mut meant = 0;
    for name in [
        "lastmodified",
        "last_modified",
        "lastmode",
        "modified",
        "updated",
        "date",
        "link",
        "href",
        "frequency",
        "change_freq",
        "prio",
        "prioritty",
        "images",
        "video",
        "news",
        "hreflang",
        "price",
        "x",
    ] {
        let document = page(&format!("<{name}>x</{name}>"));
        let mut record = sitemap_serde::Record::new();
        sitemap_serde::Reader::from_str(&document)
            .read_record(&mut record)
            .unwrap();
        let expected = record
            .fields()
            .find(|field| field.name() == name)
            .and_then(|field| field.meant());
        let found: Vec<Diagnostic> = linter()
            .check(document.as_bytes())
            .into_iter()
            .filter(|found| found.rule() == Rule::Ns)
            .collect();
        let advice: Vec<_> = found.iter().filter_map(Diagnostic::advice).collect();
        let expected_advice = expected.map_or("remove it: crawlers ignore it".to_owned(), |meant| {
            format!("did you mean `{meant}`?")
        });
        assert_eq!(advice, [expected_advice], "{name}");
        meant += usize::from(expected.is_some());
    }
    assert!(meant > 10, "{meant}");
}

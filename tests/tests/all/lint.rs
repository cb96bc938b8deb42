//! The findings of a lint: for every rule, the smallest document that breaks it. All messages are in `snapshots/`.

#![expect(clippy::too_many_lines, reason = "a table of cases is as long as it is")]

mod broken;
mod documents;
mod edges;
mod engines;
mod folder;
mod jobs;
mod languages;
mod markup;
mod other_maps;
mod pages;
mod response;
mod schemas;
mod search_console;
mod sets;
mod severities;
mod stylesheets;
mod values;

use std::fmt::Write as _;

use sitemap_serde::lint::{Input, Linter, Summary};
use sitemap_serde::{Diagnostic, Rule};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const ROOT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
    xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
    xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
    xmlns:pagemap=\"http://www.google.com/schemas/sitemap-pagemap/1.0\">\n";
const INDEX: &str = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";

/// A urlset of entries, each on a line.
fn urlset(entries: &str) -> String {
    format!("{HEAD}{ROOT}{entries}</urlset>\n")
}

/// A urlset of one entry, on line 3.
fn page(children: &str) -> String {
    urlset(&format!("<url><loc>https://example.com/</loc>{children}</url>\n"))
}

/// An entry with only a loc, on its own line.
fn entry(loc: &str) -> String {
    format!("<url><loc>{loc}</loc></url>\n")
}

fn index(entries: &str) -> String {
    format!("{HEAD}{INDEX}{entries}</sitemapindex>\n")
}

/// All diagnostics of a document, as displayed.
fn found_by(linter: &Linter, document: impl AsRef<[u8]>) -> Vec<String> {
    let document = document.as_ref();
    let diagnostics = linter.check(document);
    // The result is the same in pieces.
    let mut streamed = Vec::new();
    let mut lint = linter.start(|_, diagnostic| streamed.push(diagnostic));
    lint.document(Input::new("the document", || {
        Ok(sitemap_tests::Trickle::new(document))
    }))
    .unwrap();
    let summary = lint.finish().unwrap();
    assert_eq!(diagnostics, streamed);
    for found in &diagnostics {
        let names = found.rule().search_console();
        assert!(
            found.search_console().is_none_or(|name| names.contains(&name)),
            "{found}"
        );
    }
    is_summed(&summary, &diagnostics);
    diagnostics.iter().map(Diagnostic::to_string).collect()
}

fn is_summed(summary: &Summary, diagnostics: &[Diagnostic]) {
    for ((rule, severity), count) in &summary.counts {
        let found = diagnostics
            .iter()
            .filter(|found| (found.rule(), found.severity()) == (*rule, *severity));
        assert_eq!(found.count() as u64, *count);
    }
    assert_eq!(summary.counts.values().sum::<u64>(), diagnostics.len() as u64);
    assert_eq!(
        summary.worst(),
        diagnostics.iter().map(Diagnostic::severity).max()
    );
}

/// A linter without the notes that most documents would get.
fn linter() -> Linter {
    let mut linter = Linter::new();
    linter.level(Rule::Ignored, None).level(Rule::XDefault, None);
    linter.now("2026-05-10T12:00:00Z".parse().unwrap());
    linter
}

fn found(document: impl AsRef<[u8]>) -> Vec<String> {
    found_by(&linter(), document)
}

/// The findings in each document, under its name: the text of a snapshot.
fn messages(cases: &[(&str, String)]) -> String {
    let cases = cases.iter().map(|(name, document)| (*name, found(document)));
    listed(cases)
}

/// Messages under the name of their case.
fn listed<'a>(cases: impl IntoIterator<Item = (&'a str, Vec<String>)>) -> String {
    let mut text = String::new();
    for (name, found) in cases {
        let _ = writeln!(text, "# {name}");
        for message in found {
            let _ = writeln!(text, "{message}");
        }
        text.push('\n');
    }
    text
}

#[test]
fn a_good_document_has_nothing_wrong() {
    assert_eq!(found(page("<lastmod>2026-05-01</lastmod>")), Vec::<String>::new());
    assert_eq!(
        found(index(
            "<sitemap><loc>https://example.com/1.xml.gz</loc></sitemap>\n"
        )),
        Vec::<String>::new()
    );
}

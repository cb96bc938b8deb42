//! Every rejected document: its error and position, the entries before it, and the entries after it.

#![expect(
    clippy::items_after_statements,
    reason = "a type that one test needs stands beside what is tested with it"
)]

mod around;
mod cut_off;
mod doctype;
mod encodings;
mod input;
mod limits;
mod loc;
mod misplaced;
mod not_xml;
mod root;
mod values;

use std::io::{self, Read};

use serde::Deserialize;
use serde::de::IgnoredAny;
use sitemap_serde::{Document, ErrorKind, UrlEntry, UrlSet};
use sitemap_tests::{CORE, Problem, checked_outcomes, marked, outcomes, read, with_every_reader};

/// The expected result for a refused document.
struct Rejection<'a> {
    /// The document, with the mark `‸` where the error is.
    document: &'a str,
    kind: ErrorKind,
    rule: Option<&'static str>,
    path: Option<&'a str>,
    /// The message without its position and path, which are appended.
    message: &'a str,
    /// The locs that are read before the error, and after it.
    before: &'a [&'a str],
    after: &'a [&'a str],
}

impl Rejection<'_> {
    fn problem(&self) -> (String, Problem) {
        let document = marked(self.document);
        let (line, column, byte) = document.place;
        let path = self.path.map(|path| format!(", {path}")).unwrap_or_default();
        let problem = Problem {
            kind: self.kind,
            place: Some(document.place),
            entry: self.path.map(|path| {
                let number = path.strip_prefix("entry ").expect("a path begins with its entry");
                number.split(' ').next().unwrap().parse().unwrap()
            }),
            path: self.path.map(str::to_owned),
            rule: match self.kind {
                ErrorKind::Syntax | ErrorKind::Eof => self.rule.or(Some("XML")),
                _ => self.rule,
            },
            message: format!(
                "{}, at line {line}, column {column} (byte {byte}){path}",
                self.message
            ),
        };
        (document.text, problem)
    }

    /// Reads it as pages in every way: entry by entry, validated or through serde, and as a whole.
    fn assert(&self) {
        let (document, problem) = self.problem();
        let outcomes = outcomes::<UrlEntry>(&document);
        self.assert_outcomes(&outcomes, &problem);
        assert_eq!(checked_outcomes(&document), outcomes);
        assert_eq!(read::<Vec<UrlEntry>>(&document), Err(problem.clone()));
        assert_eq!(read::<UrlSet>(&document), Err(problem.clone()));
        assert_eq!(read::<Document>(&document), Err(problem));
    }

    fn assert_outcomes(&self, outcomes: &[Result<UrlEntry, Problem>], problem: &Problem) {
        let told: Vec<Result<&str, &Problem>> = outcomes
            .iter()
            .map(|outcome| outcome.as_ref().map(|entry| entry.loc.as_str()))
            .collect();
        let mut expected: Vec<Result<&str, &Problem>> = self.before.iter().map(|&loc| Ok(loc)).collect();
        expected.push(Err(problem));
        expected.extend(self.after.iter().map(|&loc| Ok(loc)));
        assert_eq!(told, expected);
    }
}

/// The message for an HTML page.
const HTML: &str = "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page";
/// The same for a page with a title.
const TITLED_HTML: &str = "this is an HTML page with the title `404`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page";

const FIRST: &str = "https://example.com/1";
const THIRD: &str = "https://example.com/3";

/// A document with this text between two valid entries.
fn between(middle: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n  \
         <url><loc>{FIRST}</loc></url>\n  <!-- é -->{middle}\n  <url><loc>{THIRD}</loc></url>\n</urlset>\n"
    )
}

/// A second entry that breaks a rule. The third is still read.
#[track_caller]
fn breaks(entry: &str, rule: &'static str, path: &str, message: &str) {
    Rejection {
        document: &between(entry),
        kind: ErrorKind::Data,
        rule: Some(rule),
        path: Some(path),
        message,
        before: &[FIRST],
        after: &[THIRD],
    }
    .assert();
}

/// A second entry that is not XML. Nothing is read after it.
#[track_caller]
fn ends(entry: &str, kind: ErrorKind, rule: Option<&'static str>, path: Option<&str>, message: &str) {
    Rejection {
        document: &between(entry),
        kind,
        rule,
        path,
        message,
        before: &[FIRST],
        after: &[],
    }
    .assert();
}

/// A whole document without anything readable.
#[track_caller]
fn is_none(document: &str, kind: ErrorKind, rule: Option<&'static str>, message: &str) {
    Rejection {
        document,
        kind,
        rule,
        path: None,
        message,
        before: &[],
        after: &[],
    }
    .assert();
    // It also has no kind, and a second call returns an error that refers to the first.
    let document = document.replace('‸', "");
    with_every_reader!(document.as_bytes(), reader => {
        let first = Problem::of(&reader.kind().unwrap_err());
        let again = Problem::of(&reader.kind().unwrap_err());
        assert_eq!(
            again.message,
            "the document's root could not be read, as an error before this one says"
        );
        assert!(reader.entries().find_map(Result::ok).is_none());
        first
    });
}

/// `IgnoredAny` that can be compared.
#[derive(Debug, PartialEq)]
struct IgnoredAny2;

impl<'de> Deserialize<'de> for IgnoredAny2 {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| IgnoredAny2)
    }
}

/// Returns `good` bytes with an interruption before each, then fails once, then ends.
struct Failing<'a> {
    good: &'a [u8],
    failed: bool,
    interrupted: bool,
}

impl<'a> Failing<'a> {
    fn after(good: &'a [u8]) -> Self {
        Failing {
            good,
            failed: false,
            interrupted: false,
        }
    }
}

impl Read for Failing<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.good.is_empty() && !self.failed {
            self.failed = true;
            return Err(io::Error::new(
                io::ErrorKind::ConnectionReset,
                "the cable was pulled",
            ));
        }
        let n = 7.min(into.len());
        self.good.read(&mut into[..n])
    }
}

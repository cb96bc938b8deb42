//! Shared parts of the tests: documents, and the ways to read them, which must all agree.

mod cases;
mod corpus;
mod outside;
mod random;
pub mod refused;
mod schemas;
pub mod shapes;
pub mod written;
pub mod xml_events;

pub use cases::{cases, reads_all, rounds, sample};
pub use corpus::{corpus, corpus_sample, of_sample};
pub use outside::{files, program, readers, skip};
pub use random::{Chunks, Random};
pub use schemas::{NAMESPACES, Schemas};

use std::fmt::Debug;
use std::io::{self, Read};

use serde::de::DeserializeOwned;
use sitemap_serde::{Error, ErrorKind, Kind, Limits, Reader, Rule, SitemapIndex, UrlEntry, Writer};

/// The schema's namespace.
pub const CORE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Formats a number as in messages: `52,428,800`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// Returns `true` if the character is invisible: white space, and Unicode's format characters (general category Cf).
pub fn is_invisible(c: char) -> bool {
    c.is_whitespace()
        || matches!(c,
        '\u{AD}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{890}' | '\u{891}' | '\u{8E2}' | '\u{180E}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}' | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0001}' | '\u{E0020}'..='\u{E007F}')
}

/// Limits after a change.
pub fn limited(mut limits: Limits, change: impl FnOnce(&mut Limits)) -> Limits {
    change(&mut limits);
    limits
}

/// Returns a urlset around `entries`.
pub fn urlset(entries: &str) -> String {
    format!("<urlset xmlns=\"{CORE}\">{entries}</urlset>")
}

/// Returns a urlset as it is written with default settings.
pub fn written_urlset(entries: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", urlset(entries))
}

/// Finishes a writer, and returns its document.
///
/// # Panics
/// If finishing fails.
pub fn finished(writer: Writer<Vec<u8>>) -> String {
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

/// Returns a sitemapindex around `entries`.
pub fn index(entries: &str) -> String {
    format!("<sitemapindex xmlns=\"{CORE}\">{entries}</sitemapindex>")
}

/// A reader that returns one byte at a time, or more for a large document.
#[derive(Debug)]
pub struct Trickle<'a> {
    rest: &'a [u8],
    step: usize,
}

impl<'a> Trickle<'a> {
    /// Makes a reader of `document`.
    pub fn new(document: &'a [u8]) -> Self {
        let step = if document.len() < 100_000 { 1 } else { 1021 };
        Trickle { rest: document, step }
    }
}

impl Read for Trickle<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let step = self.step.min(into.len());
        self.rest.read(&mut into[..step])
    }
}

/// All parts of an error, for comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The kind.
    pub kind: ErrorKind,
    /// Line, column, byte.
    pub place: Option<(u64, u64, u64)>,
    /// The number of the entry.
    pub entry: Option<u64>,
    /// The path to the field.
    pub path: Option<String>,
    /// The broken rule.
    pub rule: Option<&'static str>,
    /// The whole text, from `Display`.
    pub message: String,
}

impl Problem {
    /// Reads the parts of `error`, and checks them against one another.
    ///
    /// # Panics
    /// If the parts disagree.
    pub fn of(error: &Error) -> Self {
        let message = error.to_string();
        assert_eq!(
            format!("{error:?}"),
            format!("Error({:?}: {message})", error.kind())
        );
        if let Some(position) = error.position() {
            assert_eq!(position.entry(), error.entry(), "{message}");
            assert!(position.line() > 0 && position.column() > 0, "{message}");
            assert!(message.contains(&format!(", at {position}")), "{message}");
        }
        if let Some(path) = error.path() {
            let loc = error
                .loc()
                .map_or_else(String::new, |loc| format!(", loc `{loc}`"));
            assert!(message.ends_with(&format!(", {path}{loc}")), "{message}");
        }
        match error.rule() {
            Some(Rule::Xml) => assert!(matches!(error.kind(), ErrorKind::Syntax | ErrorKind::Eof)),
            // Exactly once. Other tests cover quoted texts that contain the rule's name.
            Some(rule) => assert_eq!(message.matches(&format!("({rule}")).count(), 1, "{message}"),
            None => {}
        }
        Problem {
            kind: error.kind(),
            place: error
                .position()
                .map(|position| (position.line(), position.column(), position.byte())),
            entry: error.entry(),
            path: error.path().map(str::to_owned),
            rule: error.rule().map(Rule::as_str),
            message,
        }
    }
}

/// Returns the common value of all `results`. Each has the name of its way of reading.
///
/// # Panics
/// If two of them differ.
pub fn agreed<T: PartialEq + Debug>(results: Vec<(&'static str, T)>) -> T {
    let mut results = results.into_iter();
    let (first_way, first) = results.next().expect("at least one way to read");
    for (way, result) in results {
        assert_eq!(result, first, "{way} on the left, {first_way} on the right");
    }
    first
}

/// Runs the same code with a [`Reader`] of the document over each kind of source, and returns the common result.
#[macro_export]
macro_rules! with_every_reader {
    ($document:expr, $reader:ident => $work:expr) => {{
        let document: &[u8] = $document;
        let mut results = Vec::new();
        {
            #[allow(unused_mut)]
            let mut $reader = ::sitemap_serde::Reader::from_slice(document);
            results.push(("from_slice", $work));
        }
        {
            #[allow(unused_mut)]
            let mut $reader = ::sitemap_serde::Reader::from_reader(document);
            results.push(("from_reader", $work));
        }
        {
            #[allow(unused_mut)]
            let mut $reader = ::sitemap_serde::Reader::from_reader($crate::Trickle::new(document));
            results.push(("from_reader, bit by bit", $work));
        }
        if let Ok(text) = ::std::str::from_utf8(document) {
            #[allow(unused_mut)]
            let mut $reader = ::sitemap_serde::Reader::from_str(text);
            results.push(("from_str", $work));
        }
        $crate::agreed(results)
    }};
}

/// Returns all items of an iterator over entries, with errors as [`Problem`]s.
///
/// # Panics
/// If an item follows the end, or if there is no end.
pub fn drain<T>(mut entries: impl Iterator<Item = Result<T, Error>>) -> Vec<Result<T, Problem>> {
    let mut outcomes = Vec::new();
    for outcome in entries.by_ref() {
        outcomes.push(outcome.map_err(|error| Problem::of(&error)));
        assert!(outcomes.len() < 1_000_000, "the iterator does not end");
    }
    assert!(entries.next().is_none() && entries.next().is_none());
    outcomes
}

/// Returns the results of [`Reader::deserialize`], from every kind of source.
pub fn outcomes<T: DeserializeOwned + PartialEq + Debug>(
    document: impl AsRef<[u8]>,
) -> Vec<Result<T, Problem>> {
    with_every_reader!(document.as_ref(), reader => drain(reader.deserialize::<T>()))
}

/// Returns the results of [`Reader::entries`], from every kind of source.
pub fn checked_outcomes(document: impl AsRef<[u8]>) -> Vec<Result<UrlEntry, Problem>> {
    with_every_reader!(document.as_ref(), reader => drain(reader.entries()))
}

/// Reads the whole document as a `T`, from every kind of source.
///
/// # Errors
/// The library's error.
///
/// # Panics
/// If the sources disagree.
pub fn read<T: DeserializeOwned + PartialEq + Debug>(document: impl AsRef<[u8]>) -> Result<T, Problem> {
    let document = document.as_ref();
    let told = |result: sitemap_serde::Result<T>| result.map_err(|error| Problem::of(&error));
    let mut results = vec![
        ("from_slice", told(sitemap_serde::from_slice(document))),
        ("from_reader", told(sitemap_serde::from_reader(document))),
        (
            "from_reader, bit by bit",
            told(sitemap_serde::from_reader(Trickle::new(document))),
        ),
    ];
    if let Ok(text) = str::from_utf8(document) {
        results.push(("from_str", told(sitemap_serde::from_str(text))));
    }
    agreed(results)
}

/// Returns the entries of a valid document, read whole and one by one, from every kind of source.
///
/// # Panics
/// If an entry cannot be read.
pub fn entries<T: DeserializeOwned + PartialEq + Debug>(document: impl AsRef<[u8]>) -> Vec<T> {
    let document = document.as_ref();
    let entries: Vec<T> = outcomes(document)
        .into_iter()
        .map(|outcome| outcome.unwrap_or_else(|problem| panic!("{}", problem.message)))
        .collect();
    let whole = match Reader::from_slice(document).kind() {
        Ok(Kind::SitemapIndex) => read::<SitemapIndex<T>>(document).map(Vec::from),
        _ => read::<Vec<T>>(document),
    };
    assert_eq!(whole.as_ref(), Ok(&entries));
    entries
}

/// Returns the only entry of a valid document.
///
/// # Panics
/// If the document has no entry, or several.
pub fn entry<T: DeserializeOwned + PartialEq + Debug>(document: impl AsRef<[u8]>) -> T {
    let mut entries = entries(document);
    assert_eq!(entries.len(), 1);
    entries.remove(0)
}

/// Returns the error of a document whose only entry does not fit the type.
///
/// # Panics
/// If it fits.
pub fn misfit<T: DeserializeOwned + PartialEq + Debug>(document: impl AsRef<[u8]>) -> Problem {
    let mut outcomes = outcomes::<T>(document.as_ref());
    assert_eq!(outcomes.len(), 1);
    let problem = outcomes.remove(0).unwrap_err();
    assert_eq!(read::<Vec<T>>(document.as_ref()).as_ref(), Err(&problem));
    problem
}

/// A document without the mark `‸`, and the mark's place.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The document.
    pub text: String,
    /// Line, column, byte.
    pub place: (u64, u64, u64),
}

/// Removes the mark `‸` from a document.
///
/// # Panics
/// If there is not exactly one mark.
pub fn marked(text: &str) -> Marked {
    let (before, after) = text.split_once('‸').expect("a mark");
    assert!(!after.contains('‸'), "two marks");
    let line = before.rsplit('\n').next().unwrap_or_default();
    Marked {
        text: format!("{before}{after}"),
        place: (
            before.matches('\n').count() as u64 + 1,
            line.chars().count() as u64 + 1,
            before.len() as u64,
        ),
    }
}

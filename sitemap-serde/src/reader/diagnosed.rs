//! Entries together with what is wrong in them.

use std::iter::FusedIterator;
use std::marker::PhantomData;

use crate::de::{Doubts, fill_with_doubts};
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::DocumentReader;
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::rule::Rule;
use crate::schema::UrlEntry;
use crate::xml::source::{Source, Window};

/// An iterator over the entries of a urlset with what is wrong in them; see
/// [`Reader::entries_with_diagnostics`](crate::Reader::entries_with_diagnostics).
#[derive(Debug)]
pub struct EntriesWithDiagnostics<'r, 'de, S: Window> {
    document: &'r mut DocumentReader<S>,
    started: bool,
    input: PhantomData<&'de str>,
}

impl<'r, S: Window> EntriesWithDiagnostics<'r, '_, S> {
    pub(super) fn new(document: &'r mut DocumentReader<S>) -> Self {
        EntriesWithDiagnostics {
            document,
            started: false,
            input: PhantomData,
        }
    }
}

impl<'de, S: Source<'de>> Iterator for EntriesWithDiagnostics<'_, 'de, S> {
    type Item = Result<(UrlEntry, Vec<Diagnostic>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.started {
            self.started = true;
            if let Err(error) = self.document.expect(Kind::UrlSet) {
                return Some(Err(error));
            }
        }
        let mut errors = Vec::new();
        match self.document.next_record_with_doubts(&mut errors) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(error)),
        }
        let (entry, mut diagnostics) = diagnosed(self.document, errors);
        diagnostics.append(&mut self.document.take_diagnostics());
        diagnostics.sort_by_key(|diagnostic| diagnostic.position().map(|position| position.byte()));
        Some(Ok((entry, diagnostics)))
    }
}

impl<'de, S: Source<'de>> FusedIterator for EntriesWithDiagnostics<'_, 'de, S> {}

/// The entry that was read last, and what is wrong in it.
fn diagnosed<'de, S: Source<'de>>(
    document: &DocumentReader<S>,
    errors: Vec<Error>,
) -> (UrlEntry, Vec<Diagnostic>) {
    let doubts = Doubts::new(errors.into_iter().map(|error| (error, None)).collect());
    let mut entry = UrlEntry::new(String::new());
    fill_with_doubts(&mut entry, document.view(), &doubts);
    let diagnostics = doubts
        .into_inner()
        .into_iter()
        .map(|(error, found)| diagnostic(&document.in_record(error), found.as_deref()))
        .collect();
    (entry, diagnostics)
}

/// The entry that was read last; what is wrong in it is kept with the document's diagnostics.
pub(super) fn lenient_entry<'de, S: Source<'de>>(document: &mut DocumentReader<S>) -> UrlEntry {
    let (entry, diagnostics) = diagnosed(document, Vec::new());
    for diagnostic in diagnostics {
        document.keep_diagnostic(diagnostic);
    }
    entry
}

fn diagnostic(error: &Error, found: Option<&str>) -> Diagnostic {
    let severity = match error.rule() {
        // Without its loc an entry is none; without any other value it is.
        Some(Rule::Loc | Rule::LocLen | Rule::LocEnc | Rule::Idn) => Severity::Error,
        _ => Severity::Warning,
    };
    let diagnostic = Diagnostic::of(error, Rule::Dup, severity, 0);
    match found {
        Some(found) => diagnostic.with_found(found),
        None => diagnostic,
    }
}

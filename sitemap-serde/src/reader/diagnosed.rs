//! Entries together with what is wrong in them.

use std::borrow::{Borrow, BorrowMut};
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

use super::{Reader, over_reader};

/// An iterator over the entries of a urlset with what is wrong in them, by [`Reader::entries_with_diagnostics`] or
/// [`Reader::into_entries_with_diagnostics`].
#[derive(Debug)]
pub struct EntriesWithDiagnostics<'de, S: Window, R = Reader<S>> {
    reader: R,
    started: bool,
    types: PhantomData<(&'de str, fn() -> S)>,
}

over_reader!(EntriesWithDiagnostics);

impl<'de, S: Source<'de>, R: BorrowMut<Reader<S>>> Iterator for EntriesWithDiagnostics<'de, S, R> {
    type Item = Result<(UrlEntry, Vec<Diagnostic>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let document = &mut self.reader.borrow_mut().document;
        if !self.started {
            self.started = true;
            if let Err(error) = document.expect(Kind::UrlSet) {
                return Some(Err(error));
            }
        }
        let mut errors = Vec::new();
        match document.next_record_with_doubts(&mut errors) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(error)),
        }
        let (entry, mut diagnostics) = diagnosed(document, errors);
        diagnostics.append(&mut document.take_diagnostics());
        diagnostics.sort_by_key(|diagnostic| diagnostic.position().map(|position| position.byte()));
        Some(Ok((entry, diagnostics)))
    }
}

impl<'de, S: Source<'de>, R: BorrowMut<Reader<S>>> FusedIterator for EntriesWithDiagnostics<'de, S, R> {}

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

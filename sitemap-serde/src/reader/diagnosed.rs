//! Reading an invalid entry without its invalid values; each becomes a diagnostic.

use std::cell::RefCell;

use sitemap_values::Rule;

use crate::de::{EntryProblem, EntryProblems, fill_with_problems};
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{DocumentReader, Reports};
use crate::error::{Error, Result};
use crate::loc;
use crate::record::{RecordView, narrow};
use crate::schema::UrlEntry;
use crate::xml::source::{DocumentSource, Window};

/// The last entry, with its diagnostics.
pub(super) fn diagnosed<S: Window>(
    document: &DocumentReader<S>,
    view: RecordView<'_, '_>,
    errors: Vec<Error>,
) -> (UrlEntry, Vec<Diagnostic>) {
    let of_structure = |error| EntryProblem {
        error,
        found: None,
        node: None,
    };
    let problems = EntryProblems::after(errors.into_iter().map(of_structure).collect());
    let mut entry = UrlEntry::new(String::new());
    fill_with_problems(&mut entry, view, &problems);
    let problems = problems.into_found().into_iter();
    let diagnostics = problems.map(|problem| diagnostic(document, problem)).collect();
    (entry, diagnostics)
}

/// The last entry of a lenient reading; its diagnostics are added to the document's.
pub(super) fn lenient_entry<'de, S: DocumentSource<'de>>(document: &mut DocumentReader<S>) -> UrlEntry {
    match document.view_with_reports() {
        Some((view, reports)) => reported(view, reports),
        None => UrlEntry::new(String::new()),
    }
}

/// Like [`lenient_entry`], for an entry that was moved to a record.
pub(super) fn lenient_entry_of<S: Window>(
    document: &mut DocumentReader<S>,
    view: RecordView<'_, '_>,
) -> UrlEntry {
    match document.reports() {
        Some((_, reports)) => reported(view, reports),
        None => UrlEntry::new(String::new()),
    }
}

fn reported<S: Window>(view: RecordView<'_, '_>, reports: Reports<'_, S>) -> UrlEntry {
    let mut entry = UrlEntry::new(String::new());
    let reports = RefCell::new(reports);
    let report = |problem: EntryProblem| {
        let severity = severity(&problem.error);
        let found = problem.found.as_deref();
        reports.borrow_mut().report(problem.error, severity, found);
    };
    fill_with_problems(&mut entry, view, &EntryProblems::reported_by(&report));
    entry
}

/// After `error`, reads the last entry again without its invalid values; each becomes a diagnostic. If the loc is the reason, it is read
/// unchanged, as by [`lenient_entry`]. In strict reading, or if the entry is invalid for another reason, returns `error`.
#[cold]
pub(super) fn lenient_value<'de, S: DocumentSource<'de>, T>(
    document: &mut DocumentReader<S>,
    error: Error,
    read: impl Fn(&RecordView<'de, '_>) -> Result<T>,
) -> Result<T> {
    if !document.is_lenient() {
        return Err(document.in_record(error));
    }
    let problems = EntryProblems::default();
    fill_with_problems(&mut UrlEntry::new(String::new()), document.view(), &problems);
    let mut problems = problems.into_found();
    let others = problems.iter().filter(|problem| !is_of_loc(&problem.error));
    let mut indexes: Vec<u32> = others.filter_map(|problem| problem.node.map(narrow)).collect();
    indexes.sort_unstable();
    let view = document.view();
    let mut table = view.table.clone();
    table.leave_out(&indexes);
    let view = RecordView {
        text: view.text,
        table: &table,
    };
    let value = match read(&view) {
        Ok(value) => {
            problems.retain(|problem| !is_of_loc(&problem.error));
            value
        }
        Err(_) => match loc::unchecked(|| read(&view)) {
            Ok(value) => value,
            Err(_) => return Err(document.in_record(error)),
        },
    };
    for problem in problems {
        let diagnostic = diagnostic(document, problem);
        document.report(diagnostic);
    }
    Ok(value)
}

/// Returns `true` if the error is about the loc, which is never dropped.
fn is_of_loc(error: &Error) -> bool {
    matches!(
        error.rule(),
        Some(Rule::Loc | Rule::LocLen | Rule::LocEnc | Rule::Idn)
    )
}

fn severity(error: &Error) -> Severity {
    if is_of_loc(error) {
        Severity::Error
    } else {
        Severity::Warning
    }
}

fn diagnostic<S: Window>(document: &DocumentReader<S>, problem: EntryProblem) -> Diagnostic {
    let error = document.in_record(problem.error);
    let diagnostic = Diagnostic::of(&error, Rule::Dup, severity(&error), 0);
    match problem.found {
        Some(found) => diagnostic.with_found(&found),
        None => diagnostic,
    }
}

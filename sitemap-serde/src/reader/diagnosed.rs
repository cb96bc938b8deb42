//! Reading an invalid entry without its invalid values; each becomes a diagnostic.

use std::borrow::Cow;

use sitemap_values::Rule;

use crate::de::fill;
use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::document::{DocumentReader, Reports};
use crate::error::{Error, Result};
use crate::loc;
use crate::record::{RecordView, Repairs, Table, find_problems};
use crate::schema::UrlEntry;
use crate::xml::source::{DocumentSource, SourceText, Window};

/// The last entry, with its diagnostics.
pub(super) fn diagnosed<S: Window>(
    document: &DocumentReader<S>,
    view: RecordView<'_, '_>,
    errors: Vec<Error>,
) -> (UrlEntry, Vec<Diagnostic>) {
    let mut problems: Vec<_> = errors.into_iter().map(Problem::new).collect();
    let repairs = find_problems(view, &mut |problem| problems.push(problem));
    let entry = entry(view.text, &repaired(view.table, repairs));
    let problems = problems.into_iter();
    let diagnostics = problems.map(|problem| diagnostic(document, problem)).collect();
    (entry, diagnostics)
}

/// The last entry of a lenient reading; its diagnostics are added to the document's.
pub(super) fn lenient_entry<'de, S: DocumentSource<'de>>(document: &mut DocumentReader<S>) -> UrlEntry {
    let Some((view, reports)) = document.view_with_reports() else {
        return UrlEntry::new(String::new());
    };
    let repairs = find_reported(view, reports);
    // In place, since a large entry has many nodes.
    document.repair(|table| repairs.apply(table));
    let view = document.view();
    entry(view.text, view.table)
}

/// Like [`lenient_entry`], for an entry that was moved to a record.
pub(super) fn lenient_entry_of<S: Window>(
    document: &mut DocumentReader<S>,
    view: RecordView<'_, '_>,
) -> UrlEntry {
    match document.reports() {
        Some((_, reports)) => entry(view.text, &repaired(view.table, find_reported(view, reports))),
        None => UrlEntry::new(String::new()),
    }
}

fn find_reported<S: Window>(view: RecordView<'_, '_>, mut reports: Reports<'_, S>) -> Repairs {
    find_problems(view, &mut |problem| reports.report(with_severity(problem)))
}

fn repaired(table: &Table, repairs: Repairs) -> Cow<'_, Table> {
    let mut table = Cow::Borrowed(table);
    if !repairs.is_empty() {
        repairs.apply(table.to_mut());
    }
    table
}

/// The entry of a table whose problems are solved, except for the loc's.
fn entry(text: SourceText<'_, '_>, table: &Table) -> UrlEntry {
    let mut entry = UrlEntry::new(String::new());
    let read = loc::unchecked(|| fill(&mut entry, RecordView { text, table }));
    debug_assert!(read.is_ok(), "{read:?}");
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
    let view = document.view();
    let mut problems = Vec::new();
    let repairs = find_problems(view, &mut |problem| problems.push(problem));
    let table = repaired(view.table, repairs);
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

/// Sets the severity of a value's problem: nothing is read of an entry without its loc.
fn with_severity(problem: Problem) -> Problem {
    let severity = if is_of_loc(&problem.error) {
        Severity::Error
    } else {
        Severity::Warning
    };
    problem.severity(severity)
}

fn diagnostic<S: Window>(document: &DocumentReader<S>, problem: Problem) -> Diagnostic {
    let problem = problem.map(|error| document.in_record(error));
    Diagnostic::of(&with_severity(problem), Rule::Dup)
}

//! Reading an invalid entry without its invalid values; each becomes a diagnostic.

use crate::de::{diagnostic, fill, repaired, with_severity};
use crate::diagnostic::{Diagnostic, Problem};
use crate::document::{DocumentReader, Reports};
use crate::error::Error;
use crate::loc;
use crate::record::{RecordView, Repairs, Table, find_problems};
use crate::schema::{LOC, UrlEntry};
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

/// The entry of a table whose problems are solved, except for the loc's.
fn entry(text: SourceText<'_, '_>, table: &Table) -> UrlEntry {
    let mut entry = UrlEntry::new(String::new());
    let view = RecordView { text, table };
    let read = loc::keeping(view.text_of(LOC).unwrap_or_default(), || fill(&mut entry, view));
    debug_assert!(read.is_ok(), "{read:?}");
    entry
}

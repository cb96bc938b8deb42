//! Reading a value of any type from an entry with invalid values; each becomes a diagnostic of a lenient reading.
//!
//! **A type that accepts a value gets it**: [`Reader::deserialize`](crate::Reader::deserialize) reads the entry as it is, and only if that
//! fails without the invalid values. A seed of serde can be used only once, so a [`Deserializer`](crate::Deserializer) drops the invalid
//! values first.

use std::borrow::Cow;

use serde_core::de::DeserializeSeed;
use sitemap_values::Rule;

use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::document::DocumentReader;
use crate::error::{Error, Result};
use crate::loc;
use crate::record::{RecordView, Repairs, Table, find_problems};
use crate::schema::LOC;
use crate::xml::source::{DocumentSource, Window};

use super::entry::EntryDeserializer;

/// Reads the last entry of a lenient reading by a seed.
pub(super) fn lenient_seed<'de, S: DocumentSource<'de>, T: DeserializeSeed<'de>>(
    document: &mut DocumentReader<S>,
    seed: T,
) -> Result<T::Value> {
    let view = document.view();
    let mut problems = Vec::new();
    let repairs = find_problems(view, &mut |problem| problems.push(problem));
    let table = repaired(view.table, repairs);
    let view = RecordView {
        text: view.text,
        table: &table,
    };
    let read = || seed.deserialize(EntryDeserializer::new(&view));
    let value = if problems.iter().any(|problem| is_of_loc(&problem.error)) {
        loc::keeping(view.text_of(LOC).unwrap_or_default(), read)
    } else {
        read()
    };
    let value = match value {
        Ok(value) => value,
        Err(error) => return Err(document.in_record(error)),
    };
    for problem in problems {
        let diagnostic = diagnostic(document, problem);
        document.report(diagnostic);
    }
    Ok(value)
}

/// After `error`, reads the last entry again without its invalid values; each becomes a diagnostic. If the loc is the reason, it is read
/// unchanged, as by [`Reader::entries`](crate::Reader::entries). In strict reading, or if the entry is invalid for another reason, returns `error`.
#[cold]
pub(crate) fn lenient_value<'de, S: DocumentSource<'de>, T>(
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
        Err(_) => match loc::keeping(view.text_of(LOC).unwrap_or_default(), || read(&view)) {
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

/// A table without its invalid values.
pub(crate) fn repaired(table: &Table, repairs: Repairs) -> Cow<'_, Table> {
    let mut table = Cow::Borrowed(table);
    if !repairs.is_empty() {
        repairs.apply(table.to_mut());
    }
    table
}

/// Returns `true` if the error is about the loc, which is never dropped.
fn is_of_loc(error: &Error) -> bool {
    matches!(
        error.rule(),
        Some(Rule::Loc | Rule::LocLen | Rule::LocEnc | Rule::Idn)
    )
}

/// Sets the severity of a value's problem: nothing is read of an entry without its loc.
pub(crate) fn with_severity(problem: Problem) -> Problem {
    let severity = if is_of_loc(&problem.error) {
        Severity::Error
    } else {
        Severity::Warning
    };
    problem.severity(severity)
}

/// A problem of the last entry as a diagnostic.
pub(crate) fn diagnostic<S: Window>(document: &DocumentReader<S>, problem: Problem) -> Diagnostic {
    let problem = problem.map(|error| document.in_record(error));
    Diagnostic::of(&with_severity(problem), Rule::Dup)
}

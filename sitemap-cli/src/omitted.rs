//! What is left out of documents that were read: values of entries, and whole indexes.

use std::sync::{Arc, Mutex, PoisonError};

use sitemap_serde::{Error, WriterBuilder};

use crate::input::{counted, grouped};

/// The errors because of which a writer left something out of the current entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Omissions(Arc<Mutex<Vec<Error>>>);

impl Omissions {
    /// Lets a writer leave out invalid values.
    pub(crate) fn of(builder: &mut WriterBuilder) -> Self {
        let omissions = Omissions::default();
        let seen = Arc::clone(&omissions.0);
        builder.omit_bad_values(move |error| {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.push(error.renumbered(error.entry()));
        });
        omissions
    }

    /// Removes and returns the errors since the last call, about the entry with this number in its document; about one with a line
    /// instead if it is `None`.
    pub(crate) fn take(&self, number: Option<u64>) -> Vec<Error> {
        let mut errors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        errors.drain(..).map(|error| error.renumbered(number)).collect()
    }
}

/// The problem, and what was left out because of it.
pub(crate) fn with_omitted(error: &Error) -> String {
    let (path, omitted) = (
        error.path().unwrap_or_default(),
        error.omitted().unwrap_or_default(),
    );
    format!("{error}: {}", left_out(path, omitted))
}

/// What was left out because of a problem.
pub(crate) fn left_out(path: &str, omitted: &str) -> String {
    if path == omitted {
        "left out".to_owned()
    } else {
        format!("left out with {omitted}")
    }
}

/// Prints how many elements and attributes were not written, since the format does not have them.
pub(crate) fn print_unknown_fields(count: u64) {
    match count {
        0 => {}
        1 => print_note!("note: 1 unknown element or attribute left out"),
        count => print_note!("note: {} unknown elements or attributes left out", grouped(count)),
    }
}

/// Prints how many indexes were not read, since they have no pages, and how many repairs lenient reading made.
pub(crate) fn print_skipped(indexes: u64, repairs: u64) {
    if indexes > 0 {
        let noun = if indexes == 1 { "index" } else { "indexes" };
        print_note!("note: {indexes} {noun} skipped");
    }
    if repairs > 0 {
        print_note!(
            "note: {} (`sitemap repair` lists them)",
            counted(repairs, "repair")
        );
    }
}

//! Values that a writer leaves out of entries that were read.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sitemap_serde::{Error, Rule, WriterBuilder};

/// What a writer left out of the current entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Omissions(Arc<Mutex<Vec<Omission>>>);

/// A value or an element that was left out.
#[derive(Debug)]
pub(crate) struct Omission {
    pub(crate) rule: Option<Rule>,
    message: String,
    /// The paths of the error and of what was left out, and the number of the entry in them.
    path: String,
    omitted: String,
    number: u64,
}

impl Omissions {
    /// Lets a writer leave out invalid values.
    pub(crate) fn of(builder: &mut WriterBuilder) -> Self {
        let omissions = Omissions::default();
        let seen = omissions.clone();
        builder.omit_bad_values(move |error| seen.lock().push(Omission::of(error)));
        omissions
    }

    /// Takes what was left out since the last call.
    pub(crate) fn take(&self) -> Vec<Omission> {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Omission>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Omission {
    fn of(error: &Error) -> Self {
        Omission {
            rule: error.rule(),
            message: error.to_string(),
            path: error.path().unwrap_or_default().to_owned(),
            omitted: error.omitted().unwrap_or_default().to_owned(),
            number: error.entry().unwrap_or_default(),
        }
    }

    /// The path of what was left out, of the entry with this number in its document.
    pub(crate) fn omitted(&self, number: u64) -> String {
        renumbered(&self.omitted, self.number, Some(number))
    }

    /// The problem, and what was left out because of it.
    pub(crate) fn message(&self, number: u64) -> String {
        self.message_of(Some(number))
    }

    /// As [`message`](Self::message), of an entry that has a line instead of a number.
    pub(crate) fn message_of_line(&self) -> String {
        self.message_of(None)
    }

    fn message_of(&self, number: Option<u64>) -> String {
        let message = in_entry(&self.message, &self.path, self.number, number);
        let omitted = renumbered(&self.omitted, self.number, number);
        format!("{message}: {}", left_out(&self.path, &self.omitted, &omitted))
    }
}

/// What was left out because of a problem.
pub(crate) fn left_out(path: &str, omitted: &str, shown: &str) -> String {
    if path == omitted {
        "left out".to_owned()
    } else {
        format!("left out with {shown}")
    }
}

/// An error of the writer about an entry, which counts only what it is given, with the entry's number in its document; without one if
/// the entry has a line instead.
pub(crate) fn numbered(error: &Error, number: Option<u64>) -> String {
    let (path, own) = (error.path().unwrap_or_default(), error.entry());
    in_entry(&error.to_string(), path, own.unwrap_or_default(), number)
}

fn in_entry(message: &str, path: &str, own: u64, number: Option<u64>) -> String {
    let Some((before, after)) = message.rsplit_once(path).filter(|_| !path.is_empty()) else {
        return message.to_owned();
    };
    match renumbered(path, own, number).as_str() {
        "" => format!("{}{after}", before.trim_end_matches(", ")),
        path => format!("{before}{path}{after}"),
    }
}

fn renumbered(path: &str, own: u64, number: Option<u64>) -> String {
    match (path.strip_prefix(&format!("entry {own}")), number) {
        (Some(rest), Some(number)) => format!("entry {number}{rest}"),
        (Some(rest), None) => rest.trim_start_matches(" · ").to_owned(),
        (None, _) => path.to_owned(),
    }
}

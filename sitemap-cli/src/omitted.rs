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
        renumbered(&self.omitted, self.number, number)
    }

    /// The problem, and what was left out because of it.
    pub(crate) fn message(&self, number: u64) -> String {
        let message = in_entry(&self.message, &self.path, self.number, number);
        format!(
            "{message}: {}",
            left_out(&self.path, &self.omitted, &self.omitted(number))
        )
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

/// An error of the writer about an entry, which counts only what it is given, with the entry's number in its document.
pub(crate) fn numbered(error: &Error, number: u64) -> String {
    let (path, own) = (error.path().unwrap_or_default(), error.entry());
    in_entry(&error.to_string(), path, own.unwrap_or_default(), number)
}

fn in_entry(message: &str, path: &str, own: u64, number: u64) -> String {
    match message.rsplit_once(path) {
        Some((before, after)) if !path.is_empty() => {
            format!("{before}{}{after}", renumbered(path, own, number))
        }
        _ => message.to_owned(),
    }
}

fn renumbered(path: &str, own: u64, number: u64) -> String {
    match path.strip_prefix(&format!("entry {own}")) {
        Some(rest) => format!("entry {number}{rest}"),
        None => path.to_owned(),
    }
}

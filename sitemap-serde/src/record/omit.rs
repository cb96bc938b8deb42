//! Invalid values other than the loc: the entry is an error, is written without the value, or is left out.

use std::fmt;
use std::sync::Arc;

use crate::error::{Category, Error, Result};
use crate::schema::{self, Name};

use super::{RecordState, RecordWriter};

/// What is left out because of an invalid value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Omits {
    /// Nothing: the error is returned.
    Nothing,
    /// The value.
    Values,
    /// The entry, and all other entries of its row.
    Entries,
}

/// The function that is called with the error of each value or row that is left out.
#[derive(Clone)]
pub(crate) struct Report(pub(crate) Arc<dyn Fn(&Error) + Send + Sync>);

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Report")
    }
}

/// The errors of values that were left out of the current row.
#[derive(Debug, Default)]
pub(crate) struct Omitted {
    /// Errors in the current entry.
    entry: Vec<Error>,
    /// Errors in the entries before it.
    row: Vec<Error>,
    /// Whether the entry is left out because of an invalid value.
    pub(crate) is_entry: bool,
}

impl Omitted {
    /// Begins a row.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.is_entry = false;
        if !(self.entry.is_empty() && self.row.is_empty()) {
            self.entry.clear();
            self.row.clear();
        }
    }

    /// Ends an entry: adds its loc to its errors.
    #[inline]
    pub(crate) fn end_entry(&mut self, loc: impl FnOnce() -> String) {
        if !self.entry.is_empty() {
            let loc = loc();
            self.row
                .extend(self.entry.drain(..).map(|error| error.of_loc(&loc)));
        }
    }

    /// Takes the errors of the row.
    #[inline]
    pub(crate) fn take(&mut self) -> impl Iterator<Item = Error> + '_ {
        self.row.drain(..)
    }
}

impl RecordWriter<'_> {
    /// Writes a value other than the loc. If it is invalid, leaves it out or returns its error, as the settings say.
    #[inline]
    pub(crate) fn extra(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.state.omits == Omits::Nothing {
            return write(self);
        }
        let noted = self.state.against_loc.mark();
        write(self).or_else(|error| {
            self.state.against_loc.rollback(noted);
            self.omit(error)
        })
    }

    /// Leaves out an invalid value if the settings say so; otherwise returns its error.
    #[cold]
    pub(crate) fn omit(&mut self, error: Error) -> Result<()> {
        match self.state.omits {
            Omits::Values if error.category() == Category::Data => {
                self.state.omitted.entry.push(error);
                Ok(())
            }
            Omits::Entries if error.category() == Category::Data => {
                self.state.omitted.is_entry = true;
                Err(error)
            }
            _ => Err(error),
        }
    }
}

impl RecordState {
    /// Checks the entry's videos and alternates against its loc; leaves out invalid ones if the settings say so.
    pub(super) fn check_against_loc(&mut self) -> Result<()> {
        loop {
            let Err(error) = self.against_loc.check(self.elements.url()) else {
                return Ok(());
            };
            match self.omits {
                Omits::Nothing => return Err(error),
                Omits::Entries => {
                    self.omitted.is_entry = true;
                    return Err(error);
                }
                Omits::Values => {}
            }
            let (name, index) = match self.against_loc.wrong_video(self.elements.url()) {
                None => (schema::ALTERNATE, None),
                Some(video) => (schema::VIDEO, Some(video)),
            };
            self.remove(name, index);
            self.omitted.entry.push(error);
        }
    }

    /// Removes children of the entry: all with this name, or the one with this index among them.
    fn remove(&mut self, name: Name, index: Option<usize>) {
        self.elements.remove(name, index);
        self.against_loc.forget(index);
    }
}

//! What becomes of a value that is wrong and no loc: the entry is an error, does without the value, or is left out.

use std::fmt;
use std::sync::Arc;

use crate::error::{Category, Error, Result};
use crate::schema::{self, Name};

use super::{RecordState, RecordWriter};

/// What is left out where a value is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Omits {
    /// Nothing: the error is the caller's.
    Nothing,
    /// The value.
    Values,
    /// The entry, and all others of its row.
    Entries,
}

/// Who is told of what is left out.
#[derive(Clone)]
pub(crate) struct Report(pub(crate) Arc<dyn Fn(&Error) + Send + Sync>);

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Report")
    }
}

/// What was left out of the row that is written.
#[derive(Debug, Default)]
pub(crate) struct Omitted {
    /// Of the entry that is written.
    entry: Vec<Error>,
    /// Of the entries before it.
    row: Vec<Error>,
    /// Whether a value was wrong for which the entry is left out.
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

    /// Notes where the entry is of which values were left out.
    #[inline]
    pub(crate) fn end_entry(&mut self, loc: impl FnOnce() -> String) {
        if !self.entry.is_empty() {
            let loc = loc();
            self.row
                .extend(self.entry.drain(..).map(|error| error.of_loc(&loc)));
        }
    }

    /// All that was left out of the row.
    #[inline]
    pub(crate) fn take(&mut self) -> impl Iterator<Item = Error> + '_ {
        self.row.drain(..)
    }
}

impl RecordWriter<'_> {
    /// Writes a value that is no loc; after an error nothing of it is there.
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

    /// Leaves the value out that an error is about, if that is asked for.
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
    /// Holds the entry's elements against its loc, and leaves out those that are wrong if that is asked for.
    pub(super) fn check_against_loc(&mut self) -> Result<()> {
        loop {
            let Err(error) = self.against_loc.check(self.buffer.loc()) else {
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
            let (name, index) = match self.against_loc.wrong_video(self.buffer.loc()) {
                None => (schema::ALTERNATE, None),
                Some(video) => (schema::VIDEO, Some(video)),
            };
            self.remove(name, index);
            self.omitted.entry.push(error);
        }
    }

    /// Takes elements out of the entry again: all of that name, or one of them.
    fn remove(&mut self, name: Name, index: Option<usize>) {
        self.elements.remove(name, index);
        self.against_loc.forget(index);
    }
}

//! Invalid rows: the row is an error, is written without the value, or is skipped.
//!
//! **The smallest part that is invalid is dropped where it is written**. Each part of an entry is written as one step
//! (`RecordWriter::named`): if the writer refuses it, the step is undone, and the error is stored with its path. An element that is
//! incomplete without a part takes that part's error for its own, and is undone in its parent in turn. So dropping needs no rules of its
//! own, and costs nothing where it is off. Lenient reading does the same with values that no type can represent (`problems`).

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result, Step};
use crate::schema::{self, Name, SchemaRow, Written};

use super::elements::Mark;
use super::{RecordState, RecordWriter};

/// The policy for invalid values in a row, with the same name for a [`Writer`](crate::Writer), a set and a site.
///
/// The problem of each dropped value and each skipped row goes to [`WriterBuilder::on_problem`](crate::WriterBuilder::on_problem), and
/// [`Summary`](crate::Summary) counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnInvalid {
    /// The row is an error, and nothing of it is written.
    #[default]
    Fail,
    /// The invalid value is dropped, and the entry is written without it. A row with an entry whose loc is invalid or missing is skipped.
    ///
    /// Drops as little as possible: a value, such as a video's duration; the invalid words of a list, such as a country that does not
    /// exist; otherwise the element that requires the value, such as an image without a loc, or the video if it is incomplete without the
    /// element. An element with attributes is dropped with its text, since a restriction that allows no country would mean the opposite.
    /// Excess elements are dropped.
    DropValue,
    /// The row is skipped, with all of its entries.
    SkipEntry,
}

/// The function that is called with the problem of each dropped value or skipped row.
#[derive(Clone)]
pub(crate) struct Report(pub(crate) Arc<dyn Fn(&Error) + Send + Sync>);

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Report")
    }
}

/// The errors of values that were dropped from the current row.
#[derive(Debug, Default)]
pub(crate) struct Omitted {
    /// The parts dropped from the current entry.
    entry: Vec<Omission>,
    /// Errors in the entries before it.
    row: Vec<Error>,
}

/// A part that was dropped.
#[derive(Debug)]
struct Omission {
    error: Error,
    /// The part of the open element, or of the entry, that the error is in.
    part: Option<Name>,
}

impl Omitted {
    /// Begins a row.
    #[inline]
    pub(crate) fn clear(&mut self) {
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
                .extend(self.entry.drain(..).map(|omission| omission.error.of_loc(&loc)));
        }
    }

    /// Takes the errors of the row.
    #[inline]
    pub(crate) fn take(&mut self) -> impl Iterator<Item = Error> + '_ {
        self.row.drain(..)
    }

    fn push(&mut self, error: Error, part: Option<Name>) {
        let error = error.omitting_field();
        self.entry.push(Omission { error, part });
    }

    /// The number of parts that were dropped from the current entry.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entry.len()
    }

    /// Takes the reason why an element is incomplete: the error of the first part, from number `first` on, that would complete it.
    pub(super) fn take_cause(&mut self, first: usize, element: &Written) -> Option<Error> {
        let mut element = element.clone();
        for i in first..self.entry.len() {
            element.add(self.entry.get(i)?.part?);
            if element.check().is_ok() {
                return Some(self.entry.remove(i).error);
            }
        }
        None
    }
}

/// The state before a part, to return to if it is dropped.
#[derive(Debug)]
pub(super) struct Before {
    elements: Mark,
    against_loc: (usize, usize),
    omitted: usize,
}

impl RecordWriter<'_> {
    /// Writes a value other than the loc. If it is invalid, drops it or returns its error, depending on the settings.
    #[inline]
    pub(crate) fn extra(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let before = self.before();
        let written = write(self);
        match (before, written) {
            (Some(before), Err(error)) => self.omit_part(&before, error, None),
            (_, written) => written,
        }
    }

    /// Writes a part of the entry or of the open element, like [`extra`](Self::extra); adds its name and, if it is repeatable, its index
    /// to errors.
    #[inline]
    pub(super) fn named(
        &mut self,
        name: Name,
        index: Option<usize>,
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let before = self.before();
        let written = write(self);
        match before {
            None => written.map_err(|error| of_part(error, name, index)),
            Some(before) => self.end_part(&before, name, index, written),
        }
    }

    /// The state to return to if a part is dropped; `None` if no values are dropped.
    #[inline]
    fn before(&self) -> Option<Before> {
        self.state.drops_values().then(|| Before {
            elements: self.state.elements.mark(),
            against_loc: self.state.against_loc.mark(),
            omitted: self.state.omitted.len(),
        })
    }

    fn end_part(
        &mut self,
        before: &Before,
        name: Name,
        index: Option<usize>,
        written: Result<()>,
    ) -> Result<()> {
        for omission in self.state.omitted.entry.iter_mut().skip(before.omitted) {
            prepend_part(&mut omission.error, name, index);
            omission.part = Some(name);
        }
        written.or_else(|error| {
            let error = of_part(error, name, index);
            if name.is_own_text() {
                // An element without its text would say something else: a restriction to no country, for one.
                return Err(error);
            }
            self.omit_part(before, error, Some(name))
        })
    }

    /// Writes the valid words of an invalid list, and drops the others. Returns `error` if no word is valid.
    #[cold]
    pub(super) fn valid_words(
        &mut self,
        row: &'static SchemaRow,
        text: &str,
        error: Error,
        write: impl FnOnce(&mut Self, &str) -> Result<()>,
    ) -> Result<()> {
        let separator = row.kind.separator();
        let words = || {
            text.split(separator)
                .map(str::trim)
                .filter(|word| !word.is_empty())
        };
        let valid: Vec<&str> = words().filter(|word| row.check(word).is_ok()).collect();
        let joint = if separator == ' ' { " " } else { ", " };
        let valid = valid.join(joint);
        if valid.is_empty() || row.check(&valid).is_err() {
            return Err(error);
        }
        write(self, &valid)?;
        for (index, word) in words().enumerate() {
            if let Err(error) = row.check(word) {
                self.omit(error.at_index(index))?;
            }
        }
        Ok(())
    }

    #[cold]
    fn omit_part(&mut self, before: &Before, error: Error, part: Option<Name>) -> Result<()> {
        self.state.elements.rollback(before.elements);
        self.state.against_loc.rollback(before.against_loc);
        self.omit_as(error, part)
    }

    /// Leaves out an invalid value if the settings say so; otherwise returns its error.
    pub(crate) fn omit(&mut self, error: Error) -> Result<()> {
        self.omit_as(error, None)
    }

    #[cold]
    fn omit_as(&mut self, error: Error, part: Option<Name>) -> Result<()> {
        if self.state.drops_values() && error.kind() == ErrorKind::Data {
            self.state.omitted.push(error, part);
            return Ok(());
        }
        Err(error)
    }
}

/// Adds the name of a part to its error.
#[cold]
fn of_part(mut error: Error, name: Name, index: Option<usize>) -> Error {
    prepend_part(&mut error, name, index);
    error
}

fn prepend_part(error: &mut Error, name: Name, index: Option<usize>) {
    if let Some(index) = index {
        error.prepend(Step::Index(index));
    }
    error.prepend(name.shown().into());
}

impl RecordState {
    #[inline]
    pub(crate) fn drops_values(&self) -> bool {
        self.on_invalid == OnInvalid::DropValue
    }

    /// Checks the entry's videos and alternates against its loc; drops invalid ones if the settings say so.
    pub(super) fn check_against_loc(&mut self) -> Result<()> {
        let page = self.elements.url();
        if !self.drops_values() {
            return self.against_loc.check(page);
        }
        let alternates = self.against_loc.check_alternates(page);
        let (videos, errors): (BTreeSet<_>, Vec<_>) = self.against_loc.wrong_videos(page).unzip();
        if let Err(error) = alternates {
            self.elements.remove(schema::ALTERNATE, |_| true);
            self.omitted.push(error, Some(schema::ALTERNATE));
        }
        if !videos.is_empty() {
            self.elements
                .remove(schema::VIDEO, |index| videos.contains(&index));
        }
        for error in errors {
            self.omitted.push(error, Some(schema::VIDEO));
        }
        Ok(())
    }
}

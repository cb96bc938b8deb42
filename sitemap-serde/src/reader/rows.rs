//! Entries of other formats, read like entries of a document.

use serde_core::Deserializer;

use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::record::{FillState, Table};
use crate::schema::{self, UrlEntry};
use crate::xml::source::SliceSource;

use super::{Field, Mode, Reader, ReaderBuilder, Record};

/// Reads entries from serde, such as lines of JSON and rows of CSV, with the checks and repairs of a document's entries. Names that the schema
/// does not know are kept. The loc of an entry is not read: a writer completes it.
///
/// [`fill`](Self::fill) or [`fill_from`](Self::fill_from) takes an entry, then [`record`](Self::record) or [`entry`](Self::entry) reads it.
#[derive(Debug)]
pub struct Rows {
    reader: Reader<SliceSource<'static>>,
    record: Record,
    state: FillState,
}

impl Rows {
    /// Makes a reader. Any mode but [`Mode::Strict`] drops invalid values.
    pub fn new(mode: Mode) -> Self {
        let mut reader = ReaderBuilder::new().mode(mode).from_str("");
        reader.document.be_of_rows();
        Rows {
            reader,
            record: Record::new(),
            state: FillState::default(),
        }
    }

    /// Takes an entry: a map with the names of [`UrlEntry`] in serde, without the loc.
    ///
    /// # Errors
    /// Errors of the deserializer, and an error if the entry is too large or too deep.
    pub fn fill<'de, D: Deserializer<'de>>(&mut self, entry: D) -> std::result::Result<(), D::Error> {
        self.state = FillState::default();
        self.reader.document.fill_row(&mut self.state, entry)
    }

    /// Takes the entry of a record, without what the schema does not know.
    pub fn fill_from(&mut self, record: &Record) {
        self.state = FillState::default();
        let table = self.reader.document.begin_row();
        for field in record.fields().filter(|field| field.schema_name() != schema::LOC) {
            copy(field, table);
        }
    }

    /// The text of an element of the entry; `None` if it has none.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.reader.document.row_text(name)
    }

    /// Completes URLs of images, videos and alternates that are paths with the URL of the site.
    ///
    /// # Errors
    /// The entry is then too large.
    pub fn complete(&mut self, base: &str) -> Result<()> {
        self.reader.document.complete_row(&mut self.state, base)
    }

    /// Returns the entry with unchecked values, and a placeholder as its loc if it has one. `None` if a lenient reading cannot use it; the
    /// diagnostics tell why. Also returns up to 100 errors of values that no XML document can have, which are dropped or lose characters, and the
    /// number of the other errors.
    ///
    /// # Errors
    /// The entry has a broken structure.
    pub fn record(&mut self, has_loc: bool) -> Result<Option<(&Record, Vec<Error>, u64)>> {
        let state = std::mem::take(&mut self.state);
        let has_entry = self.finish(FillState::default(), has_loc)?;
        Ok(has_entry.then_some((&self.record, state.problems, state.more)))
    }

    /// Returns the entry with checked values, and with unchecked ones. `None` if a lenient reading cannot use it; the diagnostics tell why.
    ///
    /// # Errors
    /// The entry has a broken structure, or, unless the reading is lenient, an invalid value.
    pub fn entry(&mut self, has_loc: bool) -> Result<Option<(UrlEntry, &Record)>> {
        let state = std::mem::take(&mut self.state);
        if !self.finish(state, has_loc)? {
            return Ok(None);
        }
        let entry = self.reader.diagnose(&self.record)?;
        Ok(Some((entry, &self.record)))
    }

    fn finish(&mut self, state: FillState, has_loc: bool) -> Result<bool> {
        self.record.clear();
        let has_entry = self.reader.document.finish_row(state, has_loc)?;
        if has_entry {
            self.record.take_from(&mut self.reader.document);
        }
        Ok(has_entry)
    }

    /// Takes the problems that lenient reading found since the last call, and the number of problems that were not stored.
    pub fn take_diagnostics(&mut self) -> (Vec<Diagnostic>, u64) {
        self.reader.document.take_all_diagnostics()
    }
}

/// Copies a field with its content, without what the schema does not know.
fn copy(field: Field<'_>, table: &mut Table) {
    if !field.is_known() {
        return;
    }
    let name = field.schema_name();
    let value = table.resolved_value(field.text(), 0);
    if field.fields().next().is_none() {
        table.push(name, value, 0..0);
        return;
    }
    let node = table.begin(name);
    table.open(node, name, 0..0);
    for part in field.fields() {
        copy(part, table);
    }
    table.close(node, Some(value), 0);
}

//! Rows with several entries.

use crate::error::{Error, ErrorKind, Result};
use crate::record::{RecordWriter, RowReceiver};

use super::EntryWriter;

/// The state of a row that is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowState {
    /// The row's values make one entry.
    One,
    /// The row's entries came from `each`, and are written.
    Each,
    /// An entry of the row failed.
    Failed,
}

impl<'a> EntryWriter<'a> {
    /// Makes a writer for a row, which may be several entries.
    pub(crate) fn of_row(record: RecordWriter<'a>, row: &'a mut (dyn RowReceiver + 'a)) -> Self {
        EntryWriter {
            record,
            row,
            state: RowState::One,
        }
    }

    /// Writes an entry for each item, instead of one entry for the row; `write` writes its values. A page in several languages,
    /// for example, is one row with an entry for each language.
    ///
    /// All entries of a row go to the same document; after an error, none does. If there are no items, the row has no entry. It
    /// may be called more than once, also within `write`.
    ///
    /// # Errors
    /// The errors of `write`; [`ErrorKind::Data`](crate::ErrorKind::Data) if values are written outside `each`, before or after
    /// it; [`ErrorKind::Limit`](crate::ErrorKind::Limit) if the entries do not all fit in the document (P-COUNT, P-SIZE).
    ///
    /// ```
    /// use sitemap_serde::{EntryWriter, Result, SitemapEntry, WriterBuilder};
    ///
    /// struct Article {
    ///     slug: &'static str,
    ///     languages: Vec<&'static str>,
    /// }
    ///
    /// impl SitemapEntry for Article {
    ///     fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
    ///         entry.each(&self.languages, |language, entry| {
    ///             entry.loc(format!("/{language}/{}", self.slug))
    ///         })
    ///     }
    /// }
    ///
    /// let mut builder = WriterBuilder::new();
    /// builder.base("https://example.com");
    /// let entries = builder.to_entries(&Article { slug: "lamps", languages: vec!["de", "en"] })?;
    /// let locs: Vec<&str> = entries.iter().map(|entry| entry.loc.as_str()).collect();
    /// assert_eq!(locs, ["https://example.com/de/lamps", "https://example.com/en/lamps"]);
    /// # Result::<()>::Ok(())
    /// ```
    pub fn each<I: IntoIterator>(
        &mut self,
        items: I,
        mut write: impl FnMut(I::Item, &mut Self) -> Result<()>,
    ) -> Result<()> {
        self.check_unused()?;
        let rules = self.record.rules();
        for (index, item) in items.into_iter().enumerate() {
            self.state = RowState::Failed;
            // Before `RowReceiver::begin`, so that its error is not about the previous entry.
            self.record.begin_next(rules);
            self.row.begin()?;
            self.state = RowState::One;
            write(item, self).and_then(|()| self.end()).map_err(|error| {
                self.state = RowState::Failed;
                match error.kind() {
                    // A limit error concerns the row, not one of its entries.
                    ErrorKind::Limit => error,
                    _ => error.at_index(index),
                }
            })?;
        }
        self.record.begin_next(rules);
        self.state = RowState::Each;
        Ok(())
    }

    /// Ends a row of one entry; does nothing after `each`.
    pub(crate) fn end(&mut self) -> Result<()> {
        match self.state {
            RowState::One => self.record.end(self.row),
            RowState::Each => self.check_blank(),
            RowState::Failed => Err(failed()),
        }
    }

    /// Returns an error if values were written before `each`.
    fn check_unused(&self) -> Result<()> {
        match self.state {
            RowState::One if self.record.is_blank() => Ok(()),
            RowState::One => Err(Error::custom(
                "a value before the entries of `EntryWriter::each`: it belongs to none of them; give it to each",
            )),
            RowState::Each => self.check_blank(),
            RowState::Failed => Err(failed()),
        }
    }

    /// Returns an error if values were written outside `each`.
    fn check_blank(&self) -> Result<()> {
        if self.record.is_blank() {
            return Ok(());
        }
        Err(Error::custom(
            "a value after the entries of `EntryWriter::each`: it belongs to none of them; give it to each",
        ))
    }
}

#[cold]
fn failed() -> Error {
    Error::custom("an entry of the row could not be written, as an error before this one says")
}

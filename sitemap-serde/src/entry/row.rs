//! A row that is several entries.

use crate::error::{Category, Error, Result};
use crate::record::{RecordWriter, Row};

use super::EntryWriter;

/// What became of a row so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entries {
    /// The values are those of one entry.
    One,
    /// They were given entry by entry, and are taken.
    Each,
    /// One of them failed.
    Failed,
}

impl<'a> EntryWriter<'a> {
    /// One for values of an entry that stands in a document already.
    pub(crate) fn of_values(record: RecordWriter<'a>) -> Self {
        EntryWriter {
            record,
            row: None,
            entries: Entries::One,
        }
    }

    /// One for a row, which may be several entries.
    pub(crate) fn of_row(record: RecordWriter<'a>, row: &'a mut (dyn Row + 'a)) -> Self {
        EntryWriter {
            record,
            row: Some(row),
            entries: Entries::One,
        }
    }

    /// Writes an entry for each item, in place of the one: `write` gives its values. A page in several languages is one row and
    /// such entries.
    ///
    /// The entries of a row stand in one document, all of them or, after an error, none. Without items the row has no entry.
    /// May be called more than once, and for an item again.
    ///
    /// # Errors
    /// Those of `write`; [`Category::Data`](crate::Category::Data) if values were given to the one entry before, or are given
    /// after; [`Category::Limit`](crate::Category::Limit) if the document has no room for all of them (P-COUNT, P-SIZE).
    ///
    /// ```
    /// use sitemap_serde::{Result, SitemapEntry, WriterBuilder, convert::EntryWriter};
    ///
    /// struct Article {
    ///     slug: &'static str,
    ///     languages: Vec<&'static str>,
    /// }
    ///
    /// impl SitemapEntry for Article {
    ///     fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
    ///         entry.each(&self.languages, |language, entry| {
    ///             entry.loc_template(|loc| {
    ///                 loc.literal("/")?;
    ///                 loc.simple("language", language)?;
    ///                 loc.literal("/")?;
    ///                 loc.simple("slug", self.slug)
    ///             })
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
            self.entries = Entries::Failed;
            let row = self.row.as_deref_mut().ok_or_else(not_a_row)?;
            // Before the check, whose error is not about the entry before.
            self.record.begin_next(rules);
            row.begin()?;
            self.entries = Entries::One;
            write(item, self).and_then(|()| self.end()).map_err(|error| {
                self.entries = Entries::Failed;
                match error.category() {
                    // It is about the row.
                    Category::Limit => error,
                    _ => error.at_index(index),
                }
            })?;
        }
        self.record.begin_next(rules);
        self.entries = Entries::Each;
        Ok(())
    }

    /// Takes the one entry, if there were not several.
    pub(crate) fn end(&mut self) -> Result<()> {
        match self.entries {
            Entries::One => {
                let row = self.row.as_deref_mut().ok_or_else(not_a_row)?;
                self.record.end(row)
            }
            Entries::Each => self.check_blank(),
            Entries::Failed => Err(failed()),
        }
    }

    /// Whether entries may come in place of the one.
    fn check_unused(&self) -> Result<()> {
        match self.entries {
            Entries::One if self.record.is_blank() => Ok(()),
            Entries::One => Err(Error::custom(
                "a value before the entries of `EntryWriter::each`: it belongs to none of them; give it to each",
            )),
            Entries::Each => self.check_blank(),
            Entries::Failed => Err(failed()),
        }
    }

    /// Whether no value was given beside the entries.
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

#[cold]
fn not_a_row() -> Error {
    Error::custom("`EntryWriter::each` is for a row; this is one entry of a document")
}

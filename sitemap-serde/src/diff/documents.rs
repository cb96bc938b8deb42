//! One side of a comparison: documents that can be read several times, one after the other.
//!
//! **Damage removes no page.** Whether entries of the new side cannot be read is known before a page is reported that only the old side
//! lists (`Summary::only_old`): it is missing then and not removed. `diff` exits with 1 if anything could not be read, and `submit` sends
//! nothing unless the new side was read whole. A page that only files of the new side have which nothing lists is missing too (`compare`).

use std::io::Read;

use crate::error::{Error, Result};
use crate::filter::Filter;
use crate::lint::Input;
use crate::model::Kind;
use crate::reader::{Reader, ReaderBuilder, Record};
use crate::xml::source::StreamSource;

/// Reads the pages; for an exact comparison, with elements and attributes of other namespaces.
pub(super) fn read<'d, 'a>(
    documents: &'d mut [Input<'a>],
    is_exact: bool,
    filter: Option<&Filter>,
) -> Cursor<'d, 'a> {
    Cursor {
        is_exact,
        filter: filter.cloned(),
        documents,
        next: 0,
        reader: None,
        record: Record::new(),
        unread: 0,
        indexes: 0,
    }
}

/// Iterates over the pages of one side.
pub(super) struct Cursor<'d, 'a> {
    is_exact: bool,
    /// The choice of pages.
    filter: Option<Filter>,
    documents: &'d mut [Input<'a>],
    next: usize,
    reader: Option<Reader<StreamSource<Box<dyn Read + 'a>>>>,
    pub(super) record: Record,
    /// Entries that could not be read.
    pub(super) unread: u64,
    /// Documents that were skipped, since their entries are sitemaps.
    pub(super) indexes: u64,
}

impl Cursor<'_, '_> {
    /// Advances to the next readable page. Returns `false` at the end.
    pub(super) fn advance(&mut self) -> Result<bool> {
        loop {
            let Some(reader) = &mut self.reader else {
                let Some(document) = self.documents.get_mut(self.next) else {
                    return self.check_indexes().map(|()| false);
                };
                self.next += 1;
                let input = (document.open)().map_err(|error| {
                    let message = format!("cannot open {}: {error}", document.name);
                    Error::io(error, message)
                })?;
                let mut builder = ReaderBuilder::new();
                builder.other_formats(true).expanded_names(self.is_exact);
                let mut reader = builder.from_reader(input);
                let name = Some(&*document.name);
                let kind = reader.kind().map_err(|error| error.in_document(name))?;
                if kind == Kind::SitemapIndex {
                    self.indexes += 1;
                } else {
                    if let Some(filter) = &self.filter {
                        reader.filter(filter.clone());
                    }
                    self.reader = Some(reader);
                }
                continue;
            };
            match reader.read_record(&mut self.record) {
                Ok(true) if self.record.loc().is_empty() => self.unread += 1,
                Ok(true) => return Ok(true),
                Ok(false) => self.reader = None,
                Err(error) if error.ends_reading() => return Err(self.of_document(error)),
                Err(_) => self.unread += 1,
            }
        }
    }

    /// The error of the document that is being read.
    fn of_document(&self, error: Error) -> Error {
        let document = self.next.checked_sub(1).and_then(|at| self.documents.get(at));
        error.in_document(document.map(|document| &*document.name))
    }

    /// Rejects a side that lists no pages: reporting all pages of the other side would be misleading.
    fn check_indexes(&self) -> Result<()> {
        match self.documents.first() {
            Some(Input { name, .. }) if self.indexes == self.documents.len() as u64 => {
                Err(Error::data(format!(
                    "{name} is an index, which lists sitemaps and no pages: compare the sitemaps that it lists"
                )))
            }
            _ => Ok(()),
        }
    }
}

//! One side of a comparison: documents that can be read several times, one after the other.
//!
//! **Damage removes no page.** Whether entries of the new side cannot be read is known before a page is reported that only the old side
//! lists (`Summary::only_old`): it is missing then and not removed. `diff` exits with 1 if anything could not be read, and `submit` sends
//! nothing unless the new side was read whole. A page that only files of the new side have which nothing lists is missing too (`compare`).

use std::fmt;
use std::io::{self, Read};

use crate::error::{Error, Result};
use crate::filter::Filter;
use crate::model::Kind;
use crate::reader::{Reader, ReaderBuilder, Record};
use crate::xml::source::StreamSource;

type Open<'a> = Box<dyn FnMut() -> io::Result<Box<dyn Read + 'a>> + 'a>;

/// The documents on one side of a [`Diff`](super::Diff): a sitemap, or the sitemaps of a set.
pub struct Documents<'a> {
    list: Vec<(String, Open<'a>)>,
    /// `true` if there is one, in memory, which has no name.
    is_slice: bool,
}

impl<'a> Documents<'a> {
    /// An empty list.
    pub fn new() -> Self {
        Documents {
            list: Vec::new(),
            is_slice: false,
        }
    }

    /// A single document in memory.
    pub fn from_slice(bytes: &'a [u8]) -> Self {
        let mut documents = Documents::new();
        documents.add("the document", move || Ok(bytes)).is_slice = true;
        documents
    }

    /// Adds a document. `open` is called for each pass and returns a reader at the start of the document; the name is used in
    /// messages.
    pub fn add<R: Read + 'a>(
        &mut self,
        name: impl Into<String>,
        mut open: impl FnMut() -> io::Result<R> + 'a,
    ) -> &mut Self {
        self.list
            .push((name.into(), Box::new(move || Ok(Box::new(open()?)))));
        self
    }

    /// Reads the pages; for an exact comparison, with elements and attributes of other namespaces.
    pub(super) fn read(&mut self, is_exact: bool, filter: Option<&Filter>) -> Cursor<'_, 'a> {
        Cursor {
            is_exact,
            filter: filter.cloned(),
            documents: self,
            next: 0,
            reader: None,
            record: Record::new(),
            unread: 0,
            indexes: 0,
        }
    }
}

impl Default for Documents<'_> {
    fn default() -> Self {
        Documents::new()
    }
}

impl fmt::Debug for Documents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.list.iter().map(|(name, _)| name))
            .finish()
    }
}

/// Iterates over the pages of one side.
pub(super) struct Cursor<'d, 'a> {
    is_exact: bool,
    /// The choice of pages.
    filter: Option<Filter>,
    documents: &'d mut Documents<'a>,
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
            let is_slice = self.documents.is_slice;
            let Some(reader) = &mut self.reader else {
                let Some((name, open)) = self.documents.list.get_mut(self.next) else {
                    return self.check_indexes().map(|()| false);
                };
                self.next += 1;
                let input = open().map_err(|error| {
                    let message = format!("cannot open {name}: {error}");
                    Error::io(error, message)
                })?;
                let mut builder = ReaderBuilder::new();
                builder.other_formats(true).expanded_names(self.is_exact);
                let mut reader = builder.from_reader(input);
                let name = (!is_slice).then_some(&**name);
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
        let Documents { list, is_slice } = &*self.documents;
        let document = self.next.checked_sub(1).and_then(|at| list.get(at));
        let name = document.filter(|_| !is_slice).map(|(name, _)| &**name);
        error.in_document(name)
    }

    /// Rejects a side that lists no pages: reporting all pages of the other side would be misleading.
    fn check_indexes(&self) -> Result<()> {
        let list = &self.documents.list;
        match list.first() {
            Some((name, _)) if self.indexes == list.len() as u64 => Err(Error::data(format!(
                "{name} is an index, which lists sitemaps and no pages: compare the sitemaps that it lists"
            ))),
            _ => Ok(()),
        }
    }
}

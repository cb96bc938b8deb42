//! Reading a response's body, apart from the walk.

use std::collections::HashMap;
use std::fmt;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use sitemap_serde::__internal::grouped;
use sitemap_serde::format::{Format, sniff};
use sitemap_serde::robots::Robots;
use sitemap_serde::source::StreamSource;
use sitemap_serde::{
    Diagnostic, Error, ErrorKind, Filter, FromSitemapEntry, Kind, Reader, ReaderBuilder, Record, Result,
    Rule, UrlEntry,
};

use crate::address::{self, Address};
use crate::body::{Body, Broken, Hash, Stop};
use crate::budget::{BudgetItem, Remaining};
use crate::encoding::{BodyReader, Encodings};
use crate::listing::Listing;
use crate::report::{Cause, Contents, DocumentKind, Failure, Fate};
use crate::request::{RequestId, Role};

/// Maximum bytes to read after the document's end, to find out whether the body is whole.
const REST: u64 = 64 << 10;

/// The bytes of a `robots.txt` that show whether it is an HTML page.
const HTML_BYTES: u64 = 1 << 10;

/// Permission to read a response's body. It is independent of the walk, so several threads can read several bodies.
#[derive(Clone, Debug)]
pub struct Ticket {
    pub(crate) id: RequestId,
    pub(crate) document_url: Address,
    pub(crate) url: Address,
    pub(crate) role: Role,
    /// The addresses of the indexes above it.
    pub(crate) listers: Vec<Address>,
    pub(crate) reader: ReaderBuilder,
    /// The choice of pages.
    pub(crate) filter: Option<Filter>,
    /// `true` if the document is only read if it is an index.
    pub(crate) is_unwanted: bool,
    /// The rest of the budget, which may be less than the limit of one document.
    pub(crate) decompressed_bytes: u64,
    /// Maximum number of documents that an index may add.
    pub(crate) documents: usize,
    /// Maximum bytes of their addresses.
    pub(crate) url_bytes: usize,
    pub(crate) content_length: Option<u64>,
    pub(crate) encodings: Encodings,
    /// `true` if the response declares where its body ends.
    pub(crate) is_framed: bool,
    /// The document's hash when it was last read.
    pub(crate) known_hash: Option<Hash>,
    /// Set if its address is a guess.
    pub(crate) guesses: Option<Guesses>,
    pub(crate) remaining: Arc<Remaining>,
}

impl Ticket {
    /// The id of the request.
    pub fn id(&self) -> RequestId {
        self.id
    }

    /// The address of the response, after redirects.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The address of the document in the [`Report`](crate::Report): the first that was requested, before redirects.
    pub fn document_url(&self) -> &str {
        &self.document_url
    }

    /// The addresses of the indexes above the document, from the nearest up, including the addresses that they redirect to.
    pub fn listed_in(&self) -> impl Iterator<Item = &str> {
        self.listers.iter().map(|address| &**address)
    }

    /// The address that relative URLs are relative to. The `robots.txt` of another host to which a site redirects is that site's own
    /// (RFC 9309 section 2.3.1.2).
    fn base(&self) -> Address {
        let is_own = address::site(&self.url) == address::site(&self.document_url);
        let base = if self.role == Role::Robots && !is_own {
            &self.document_url
        } else {
            &self.url
        };
        Arc::clone(base)
    }

    /// Reads a body up to the root of its document. A `robots.txt` or an index is read to its end. The [`Outcome`] has errors of
    /// the body and of the document.
    pub fn read<R: Read>(self, body: R) -> Document<R> {
        let body = Body::new(body, self.content_length, Arc::clone(&self.remaining));
        let body = BodyReader::new(body, &self.encodings);
        let contents = Contents {
            is_compressed_twice: body.is_compressed_twice(),
            ..Contents::default()
        };
        let body_bytes = self.reader.limits_set().bytes;
        let mut found = Found {
            contents,
            listing: Listing::new(self.base(), self.documents, self.url_bytes),
            robots: None,
            error: None,
            unparsed: None,
            is_out_of_entries: false,
            is_unwanted: false,
            remaining: self.remaining,
        };
        let source = if self.role == Role::Robots {
            Source::Robots(found.read_robots(body))
        } else {
            let limits = self.reader.limits_set().clone();
            let is_budget_less = self.decompressed_bytes < limits.decompressed_bytes;
            let most = self.decompressed_bytes.min(limits.decompressed_bytes);
            let mut builder = self.reader;
            builder.location_if_lenient(&*self.url).other_formats(true);
            builder.limits(
                limits
                    .clone()
                    .with_bytes(limits.bytes.min(most))
                    .with_decompressed_bytes(most),
            );
            let mut reader = builder.from_reader(body);
            match reader.kind() {
                Ok(Kind::SitemapIndex) => found.read_index(&mut reader),
                Ok(Kind::UrlSet) => {
                    found.contents.kind = Some(DocumentKind::Pages);
                    found.is_unwanted = self.is_unwanted;
                    if let Some(filter) = self.filter {
                        reader.filter(filter);
                    }
                }
                Err(error) => {
                    // The reader's own words: no other error has them.
                    found.contents.is_html = error.to_string().contains("this is an HTML page");
                    found.note(&error);
                }
            }
            Source::Sitemap {
                reader,
                is_budget_less,
            }
        };
        Document {
            id: self.id,
            url: self.url,
            is_framed: self.is_framed,
            known_hash: self.known_hash,
            guesses: self.guesses.map(|guesses| (guesses, self.document_url)),
            body_bytes,
            source,
            found,
        }
    }
}

/// The documents read from common addresses, by hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guesses(Arc<Mutex<HashMap<Hash, Address>>>);

impl Guesses {
    /// Records a document. Returns the address of an identical document, if there is one.
    pub(crate) fn note(&self, hash: Hash, url: &Address) -> Option<Address> {
        let mut guesses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = guesses.entry(hash).or_insert_with(|| Arc::clone(url));
        (first != url).then(|| Arc::clone(first))
    }
}

/// A document while it is read. Its pages are read like those of a [`Reader`]. An index and a `robots.txt` have no pages.
///
/// Keep entries only if the document's [outcome](Self::outcome) [is whole](Outcome::is_whole): a body may break off, and then the
/// document is requested again. A program that cannot undo an entry collects all entries of a document first.
#[derive(Debug)]
pub struct Document<R: Read> {
    id: RequestId,
    url: Address,
    is_framed: bool,
    known_hash: Option<Hash>,
    guesses: Option<(Guesses, Address)>,
    /// Maximum bytes of the body.
    body_bytes: u64,
    source: Source<R>,
    found: Found,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one of them is read at a time")]
enum Source<R: Read> {
    Robots(Body<R>),
    Sitemap {
        reader: Reader<StreamSource<BodyReader<Body<R>>>>,
        /// `true` if the budget has fewer bytes left than the limit of one document.
        is_budget_less: bool,
    },
}

impl<R: Read> Document<R> {
    /// The address of the document, after redirects.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The kind of document. `None` if it is not a sitemap; the [`Outcome`] has the reason.
    pub fn kind(&self) -> Option<DocumentKind> {
        self.found.contents.kind
    }

    /// Reads the next page into a record: the fastest way, see [`Reader::read_record`].
    ///
    /// # Errors
    /// As [`Reader::read_record`]. The outcome has the error too.
    pub fn read_record(&mut self, record: &mut Record) -> Result<bool> {
        let Document { source, found, .. } = self;
        let Some(reader) = source.pages(found) else {
            return Ok(false);
        };
        match reader.read_record(record) {
            Ok(true) => Ok(found.count_entry()),
            Ok(false) => Ok(false),
            Err(error) => {
                found.note(&error);
                Err(error)
            }
        }
    }

    /// The pages, with every value checked, see [`Reader::entries`].
    pub fn entries(&mut self) -> impl Iterator<Item = Result<UrlEntry>> {
        let Document { source, found, .. } = self;
        let pages = source.pages(found).map(Reader::entries);
        pages.into_iter().flatten().map_while(|item| found.watch(item))
    }

    /// The pages, each with the diagnostics of its repairs, see
    /// [`Entries::with_diagnostics`](sitemap_serde::iter::Entries::with_diagnostics).
    pub fn entries_with_diagnostics(&mut self) -> impl Iterator<Item = Result<(UrlEntry, Vec<Diagnostic>)>> {
        let Document { source, found, .. } = self;
        let pages = source
            .pages(found)
            .map(|reader| reader.entries().with_diagnostics());
        pages.into_iter().flatten().map_while(|item| found.watch(item))
    }

    /// The pages as values of a type with `#[derive(FromSitemapEntry)]`, see [`Reader::read`].
    pub fn read<T: FromSitemapEntry>(&mut self) -> impl Iterator<Item = Result<T>> {
        let Document { source, found, .. } = self;
        let pages = source.pages(found).map(Reader::read);
        pages.into_iter().flatten().map_while(|item| found.watch(item))
    }

    /// The pages as values of a type that implements serde's `Deserialize`, see [`Reader::deserialize`].
    pub fn deserialize<T: for<'de> Deserialize<'de>>(&mut self) -> impl Iterator<Item = Result<T>> {
        let Document { source, found, .. } = self;
        let pages = source.pages(found).map(Reader::deserialize);
        pages.into_iter().flatten().map_while(|item| found.watch(item))
    }

    /// `true` if the document is compressed with gzip twice, which other readers do not support.
    pub fn is_compressed_twice(&self) -> bool {
        self.found.contents.is_compressed_twice
    }

    /// Takes the diagnostics of a lenient reading so far, see [`Reader::take_diagnostics`].
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        match &mut self.source {
            Source::Sitemap { reader, .. } => reader.take_diagnostics(),
            Source::Robots(_) => Vec::new(),
        }
    }

    /// Reads the rest of the document, and returns its outcome for the walk.
    pub fn outcome(self) -> Outcome {
        self.finish(None)
    }

    /// Reads the rest of the document, and then the rest of its body: up to `most` bytes in total, or as far as needed to see
    /// that the body is whole.
    fn finish(mut self, most: Option<u64>) -> Outcome {
        let mut record = Record::new();
        // An error in an entry is counted. Any other error ends the document.
        while self
            .read_record(&mut record)
            .unwrap_or_else(|error| !error.ends_reading())
        {}
        let Document {
            id,
            source,
            found,
            known_hash,
            guesses,
            ..
        } = self;
        let (mut body, is_budget_less, bytes) = match source {
            Source::Robots(body) => (body, false, 0),
            Source::Sitemap {
                reader,
                is_budget_less,
            } => {
                let bytes = reader.position().byte();
                (reader.into_inner().into_inner(), is_budget_less, bytes)
            }
        };
        match most {
            _ if found.is_out_of_entries => {}
            // One extra byte shows that the body is too long.
            Some(most) => body.read_rest(most.saturating_sub(body.wire_bytes).saturating_add(1)),
            None if found.error.is_none() => body.read_rest(REST),
            None => {}
        }
        let mut fate = found.fate(&body, is_budget_less);
        let mut contents = found.contents;
        contents.wire_bytes = body.wire_bytes;
        contents.decompressed_bytes = if contents.kind == Some(DocumentKind::Robots) {
            body.wire_bytes
        } else {
            bytes
        };
        let hash = body.hash();
        if let (Some((guesses, url)), Some(hash), Fate::Read) = (guesses, hash, &fate)
            && let Some(same) = guesses.note(hash, &url)
        {
            fate = Fate::SameAs(same);
        }
        Outcome {
            id,
            fate,
            contents,
            has_changed: known_hash.is_none() || known_hash != hash,
            hash,
            listing: found.listing,
            robots: found.robots,
        }
    }

    /// The outcome of a document whose pages the program reads elsewhere, such as from its own copy of the body. The body is read
    /// to its end, even if the document is broken, but its pages are not parsed. Its entries are neither counted nor checked, and
    /// do not count against the budget. If they turn out to be broken, the program [rejects](Outcome::reject) the outcome.
    ///
    /// A body without `Content-Length` and `Transfer-Encoding` may break off anywhere, and only parsing shows whether it is
    /// whole. Its pages are parsed as in [`outcome`](Self::outcome).
    pub fn outcome_unparsed(mut self) -> Outcome {
        let most = self.body_bytes;
        let is_unparsed = self.is_framed && self.found.has_more_pages();
        self.found.unparsed = is_unparsed.then_some(most);
        self.finish(Some(most))
    }
}

impl<R: Read> Source<R> {
    /// The reader, if there may be more pages.
    fn pages(&mut self, found: &Found) -> Option<&mut Reader<StreamSource<BodyReader<Body<R>>>>> {
        match self {
            Source::Sitemap { reader, .. } if found.has_more_pages() => Some(reader),
            Source::Sitemap { .. } | Source::Robots(_) => None,
        }
    }
}

/// The contents of a document so far.
#[derive(Debug)]
struct Found {
    contents: Contents,
    listing: Listing,
    robots: Option<Robots>,
    /// The error that ended the document.
    error: Option<EndingError>,
    /// Maximum bytes of the body, if its pages are not parsed.
    unparsed: Option<u64>,
    is_out_of_entries: bool,
    /// `true` if it has pages that the program does not want.
    is_unwanted: bool,
    remaining: Arc<Remaining>,
}

#[derive(Debug)]
struct EndingError {
    message: Box<str>,
    is_end_of_input: bool,
    is_size: bool,
}

impl Found {
    fn has_more_pages(&self) -> bool {
        self.contents.kind == Some(DocumentKind::Pages)
            && self.error.is_none()
            && !self.is_out_of_entries
            && !self.is_unwanted
            && self.unparsed.is_none()
    }

    fn read_robots<R: Read>(&mut self, body: BodyReader<Body<R>>) -> Body<R> {
        let (mut text, mut start) = (body.into_text(), Vec::new());
        let read = text.by_ref().take(HTML_BYTES).read_to_end(&mut start);
        let rest = Broken(read.err()).chain(&mut text);
        match Robots::from_reader(start.chain(rest)) {
            Ok(robots) => {
                self.contents.kind = Some(DocumentKind::Robots);
                self.contents.is_html = sniff(&start) == Format::Html;
                for (number, sitemap, problem) in robots.sitemap_lines() {
                    match problem {
                        None => self.list(sitemap, None),
                        Some(problem) => {
                            self.contents.entries += 1;
                            let shown = address::shown(sitemap);
                            self.note_invalid(|| format!("line {number}, `Sitemap: {shown}`, {problem}"));
                        }
                    }
                }
                if robots.is_cut() {
                    let bytes = Robots::BYTES;
                    self.note_invalid(|| {
                        format!("text after its first {} bytes is not read", grouped(bytes as u64))
                    });
                }
                self.robots = Some(robots);
            }
            Err(error) => self.note(&error),
        }
        text.into_inner().into_inner()
    }

    fn read_index<R: Read>(&mut self, reader: &mut Reader<StreamSource<R>>) {
        self.contents.kind = Some(DocumentKind::Index);
        let mut record = Record::new();
        while self.error.is_none() {
            match reader.read_record(&mut record) {
                Ok(true) => self.list(record.loc(), record.get("lastmod")),
                Ok(false) => break,
                Err(error) => self.note(&error),
            }
        }
    }

    fn list(&mut self, url: &str, lastmod: Option<&str>) {
        self.contents.entries += 1;
        if let Err(problem) = self.listing.push(url, lastmod) {
            self.note_invalid(|| format!("{} {problem}", address::shown(url)));
        }
    }

    fn note_invalid(&mut self, problem: impl FnOnce() -> String) {
        self.contents.invalid += 1;
        self.contents.problem.get_or_insert_with(|| problem().into());
    }

    /// Records an error of the reader.
    fn note(&mut self, error: &Error) {
        if error.ends_reading() {
            self.error.get_or_insert_with(|| EndingError {
                message: error.to_string().into(),
                is_end_of_input: error.kind() == ErrorKind::Eof,
                is_size: error.kind() == ErrorKind::Limit && error.rule() == Some(Rule::Size),
            });
        } else {
            self.note_invalid(|| error.to_string());
        }
    }

    /// Counts an entry. Returns `true` if the budget had one left.
    fn count_entry(&mut self) -> bool {
        let is_left = self.remaining.use_entry();
        self.contents.entries += u64::from(is_left);
        self.is_out_of_entries |= !is_left;
        is_left
    }

    fn watch<T>(&mut self, item: Result<T>) -> Option<Result<T>> {
        match &item {
            Ok(_) if !self.count_entry() => return None,
            Ok(_) => {}
            Err(error) => self.note(error),
        }
        Some(item)
    }

    fn fate<R>(&self, body: &Body<R>, is_budget_less: bool) -> Fate {
        let left_out = |item| Fate::Skipped(Cause::Budget(item));
        match (&body.stop, &self.error) {
            _ if self.is_unwanted => Fate::Skipped(Cause::Filter),
            (Some(Stop::Cut(problem)), _) => Fate::Failed(Failure::Cut(problem.clone())),
            (Some(Stop::TimedOut(time)), _) => Fate::Failed(Failure::TimedOut(*time)),
            (Some(Stop::OutOfBytes), _) => left_out(BudgetItem::WireBytes),
            (None, Some(error)) if error.is_size && is_budget_less => left_out(BudgetItem::DecompressedBytes),
            // If a body has no declared length, only its document shows that it broke off.
            (None, Some(error)) if error.is_end_of_input && body.content_length.is_none() => {
                Fate::Failed(Failure::Cut(error.message.clone()))
            }
            (None, Some(error)) => Fate::Failed(Failure::Document(error.message.clone())),
            (None, None) if self.is_out_of_entries => left_out(BudgetItem::Entries),
            (None, None) => match self.unparsed {
                Some(most) if !body.is_at_end => {
                    let problem = format!("its body has more than {} bytes", grouped(most));
                    Fate::Failed(Failure::Document(problem.into()))
                }
                _ => Fate::Read,
            },
        }
    }
}

/// The result of reading a document, for [`Walk::finish`](crate::Walk::finish).
#[derive(Debug)]
pub struct Outcome {
    pub(crate) id: RequestId,
    pub(crate) fate: Fate,
    pub(crate) contents: Contents,
    pub(crate) has_changed: bool,
    pub(crate) hash: Option<Hash>,
    pub(crate) listing: Listing,
    pub(crate) robots: Option<Robots>,
}

impl Outcome {
    /// Returns `true` if the document was read to its end. Otherwise its [fate](Self::fate) has the reason.
    pub fn is_whole(&self) -> bool {
        self.fate == Fate::Read
    }

    /// The fate of the document, unless the walk requests it again.
    pub fn fate(&self) -> &Fate {
        &self.fate
    }

    /// Returns `true` if the document differs from the [state](crate::WalkBuilder::state) of an earlier walk, or is not in it.
    pub fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        self.contents.entries
    }

    /// The number of invalid entries, and of invalid addresses in an index or a `robots.txt`. Text behind the
    /// [limit](Robots::BYTES) of a `robots.txt` counts as one.
    pub fn invalid_entries(&self) -> u64 {
        self.contents.invalid
    }

    /// The first problem of its entries.
    pub fn problem(&self) -> Option<&str> {
        self.contents.problem.as_deref()
    }

    /// Sets the number of entries of a document whose pages the program reads [elsewhere](Document::outcome_unparsed), for the
    /// report and the next walk.
    pub fn set_entries(&mut self, entries: u64) {
        self.contents.entries = entries;
    }

    /// Marks a document whose pages the program could not all read [elsewhere](Document::outcome_unparsed). Its fate becomes
    /// [`Failure::Document`], so that the next walk reads it again. A document that has already failed keeps its fate.
    pub fn reject(&mut self, problem: impl fmt::Display) {
        if self.is_whole() {
            self.fate = Fate::Failed(Failure::Document(problem.to_string().into()));
        }
    }
}

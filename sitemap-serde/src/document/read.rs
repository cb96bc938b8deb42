//! Reading a document: its root, then its entries as records, then its end.
//!
//! | file | content |
//! |---|---|
//! | `prolog`, `root` | the instructions before the root; the root, and the errors for other documents |
//! | `entries` | the loop over the entries, and the end of the document |
//! | `misplaced` | elements and text between entries |
//! | `lenient` | the settings and diagnostics of lenient reading, and its repairs |
//! | `text`, `feed`, `rows` | other formats: lines of URLs, RSS and Atom, rows that serde reads |

mod entries;
mod feed;
mod lenient;
mod misplaced;
mod prolog;
mod root;
mod rows;
mod text;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use sitemap_values::Rule;

use crate::diagnostic::{Diagnostic, Severity};
use crate::document::sniff::Format;
use crate::error::{Error, Position, Result};
use crate::filter::Filter;
use crate::limits::Limits;
use crate::model::Kind;
use crate::record::{EntryStart, RecordReader, RecordView, Table};
use crate::schema::{LASTMOD, LOC};
use crate::xml::names::{KnownNamespaces, NamespaceSet};
use crate::xml::scanner::{Scanner, Span};
use crate::xml::source::{DocumentSource, SourceText, Window};
use crate::xml::vocabulary::Vocabulary;

use feed::Feed;
use lenient::Lenient;
pub(crate) use lenient::{Callback, Leniency, Reports};
pub(crate) use prolog::StyleInstruction;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    Open(Kind),
    /// At the end of the document, or after an error that ends the reading.
    Done,
}

/// The kind and position of a record in its document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordPlace {
    pub(crate) kind: Kind,
    /// The number of its reader, from 1.
    pub(crate) document: u64,
    /// From 1.
    pub(crate) number: u64,
    /// The byte offset of its start in the document.
    pub(crate) offset: u64,
}

/// The form of a document's entries: each format has a module that fills the table with an entry.
#[derive(Debug)]
enum Body {
    /// The elements `url` or `sitemap` of XML.
    Sitemap,
    /// The lines of a text.
    Lines,
    /// The items of a feed.
    Feed(Feed),
}

/// The names of a sitemap's elements.
const SITEMAP: Vocabulary = Vocabulary {
    document: "a sitemap",
    roots: &[Kind::UrlSet.root(), Kind::SitemapIndex.root()],
    entries: &[Kind::UrlSet.entry(), Kind::SitemapIndex.entry()],
    leaves: &["loc", "lastmod", "changefreq", "priority"],
    reopened: Some(Kind::UrlSet.root()),
    may_be_nested: true,
};

/// The number of documents that were begun, which tells their records apart.
static DOCUMENTS: AtomicU64 = AtomicU64::new(0);

/// Reads a document record by record.
#[derive(Debug)]
pub(crate) struct DocumentReader<S> {
    /// From 1; different for each reader of the process.
    id: u64,
    scanner: Scanner<S>,
    limits: Limits,
    state: State,
    kind: Option<Kind>,
    reader: RecordReader,
    table: Table,
    entries: u64,
    /// The choice of entries; `None` if it is all.
    filter: Option<Box<Filter>>,
    /// Errors in optional values of the entry, if these are collected instead of returned.
    problems: Option<Vec<Error>>,
    /// The state of a lenient reading; `None` in a strict one.
    lenient: Option<Box<Lenient>>,
    /// A setting for lenient reading that was made for a strict one.
    useless_setting: Option<[&'static str; 3]>,
    /// `true` if text sitemaps and feeds are read too.
    takes_formats: bool,
    body: Body,
    /// The number of open elements, the root included, between entries.
    root_depth: usize,
    /// The start tag of earlier entries.
    start: Option<EntryStart>,
    /// `true` if the end tag of the root stays in the window.
    keeps_end: bool,
    root_end: Option<Span>,
    /// Those before the root.
    stylesheets: Vec<StyleInstruction>,
}

impl<S: Window> DocumentReader<S> {
    pub(crate) fn new(mut source: S, limits: Limits, known: KnownNamespaces) -> Self {
        source.limit_decompressed(limits.decompressed_bytes);
        DocumentReader {
            id: DOCUMENTS.fetch_add(1, Ordering::Relaxed) + 1,
            table: Table::new(&known),
            scanner: Scanner::new(source, limits.clone(), known, &SITEMAP),
            limits,
            state: State::New,
            kind: None,
            reader: RecordReader::default(),
            entries: 0,
            filter: None,
            problems: None,
            lenient: None,
            useless_setting: None,
            takes_formats: false,
            body: Body::Sitemap,
            root_depth: 1,
            start: None,
            keeps_end: false,
            root_end: None,
            stylesheets: Vec::new(),
        }
    }

    /// Fails at the root because of a setting that does nothing in such a reading.
    pub(crate) fn refuse_setting(&mut self, name: &'static str, reading: &'static str, advice: &'static str) {
        self.useless_setting = Some([name, reading, advice]);
    }

    /// Reads text sitemaps and feeds too.
    pub(crate) fn take_formats(&mut self) {
        self.takes_formats = true;
    }

    /// Notes the texts in entries that strict reading ignores.
    pub(crate) fn note_ignored(&mut self) {
        self.scanner.note_ignored();
    }

    /// Takes the noted texts of a strict reading, and the number of those that did not fit. They belong to the last entry.
    pub(crate) fn take_ignored(&mut self) -> (Vec<Diagnostic>, u64) {
        if self.is_lenient() {
            return (Vec::new(), 0);
        }
        let (notes, more) = self.scanner.take_notes();
        let entry = self.entries;
        let texts = notes.into_iter().map(|note| {
            let note = note.severity(Severity::Warning);
            Diagnostic::of(&note.map(|error| error.in_entry(entry)), Rule::Xml)
        });
        (texts.collect(), more)
    }

    /// The document's format; known once the root was read.
    pub(crate) fn format(&self) -> Format {
        match (&self.body, self.known_kind()) {
            (Body::Feed(feed), _) => feed.format(),
            (Body::Lines, _) => Format::Text,
            (Body::Sitemap, Kind::UrlSet) => Format::UrlSet,
            (Body::Sitemap, Kind::SitemapIndex) => Format::SitemapIndex,
        }
    }

    /// Keeps the root's end tag, or a root that is an empty-element tag, in the window until the end of the document was read.
    pub(crate) fn keep_end(&mut self) {
        self.keeps_end = true;
    }

    /// The byte range of the root's end tag in the document, or of a root that is an empty-element tag. `None` until that was read, or
    /// if it was not [kept](Self::keep_end).
    pub(crate) fn root_end(&self) -> Option<Range<u64>> {
        let Range { start, end } = self.root_end.clone()?;
        let held = self.scanner.held();
        Some(self.scanner.offset_of(held + start)..self.scanner.offset_of(held + end))
    }

    /// The source; `None` if the document has a DOCTYPE.
    pub(crate) fn source_mut(&mut self) -> Option<&mut S> {
        self.scanner.source_mut()
    }

    /// The source, whether the document has a DOCTYPE or not.
    pub(crate) fn origin(&self) -> &S {
        self.scanner.origin()
    }

    pub(crate) fn origin_mut(&mut self) -> &mut S {
        self.scanner.origin_mut()
    }

    pub(crate) fn into_origin(self) -> S {
        self.scanner.into_origin()
    }

    pub(crate) fn into_source(self) -> Option<S> {
        self.scanner.into_source()
    }

    /// The known namespaces that are declared with their usual prefix at the scanner's position.
    pub(crate) fn in_scope(&self) -> NamespaceSet {
        let known = self.scanner.known();
        let mut found = NamespaceSet::default();
        for namespace in known.all() {
            let prefix = known.prefix(namespace).unwrap_or_default();
            if self.scanner.namespace(prefix) == Some(namespace) {
                found.insert(namespace);
            }
        }
        found
    }

    /// The number of bytes of the document up to the end of the last token.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.scanner.offset_of(self.scanner.token().end)
    }

    /// Returns `true` if a record or the end of the document was read, or an error has ended the reading.
    pub(crate) fn has_begun(&self) -> bool {
        self.entries > 0 || self.state == State::Done
    }

    /// Reads the next record into the table. Returns `false` at the end of the document, which was then checked to its last byte.
    ///
    /// After an error of [`ErrorKind::Data`](crate::ErrorKind::Data) the next record can be read; any other error ends the reading.
    pub(crate) fn next_record(&mut self) -> Result<bool> {
        loop {
            let found = self.next_of_all()?;
            if !found || self.filter.is_none() || self.is_kept() {
                return Ok(found);
            }
        }
    }

    /// Returns `true` if the filter keeps the last record.
    #[cold]
    fn is_kept(&mut self) -> bool {
        let Some(filter) = &self.filter else {
            return true;
        };
        let span = self.entry_span();
        let view = RecordView {
            text: SourceText::Transient(self.scanner.text(span)),
            table: &self.table,
        };
        let text = |name| view.text_of(name);
        let is_kept = filter.keeps(text(LOC).unwrap_or_default(), text(LASTMOD));
        if !is_kept && let Some(problems) = &mut self.problems {
            problems.clear();
        }
        is_kept
    }

    /// Skips entries that a filter does not keep.
    pub(crate) fn set_filter(&mut self, filter: Filter) {
        self.filter = Some(Box::new(filter));
    }

    /// Reads the next record, whether the filter keeps it or not.
    fn next_of_all(&mut self) -> Result<bool> {
        let before = self.entries;
        let result = match &self.lenient {
            None => self.next_strict(),
            Some(_) => self.next_lenient(),
        };
        match result {
            Ok(found) => Ok(found),
            Err(error) => {
                if error.ends_reading() {
                    self.stop();
                }
                Err(if self.entries > before {
                    error.in_entry(self.entries)
                } else {
                    error
                })
            }
        }
    }

    /// Ends the reading before the end of the document.
    #[cold]
    fn stop(&mut self) {
        self.state = State::Done;
        self.start = None;
        if let Some(lenient) = &mut self.lenient {
            lenient.drop_pending();
        }
    }

    /// Like [`next_record`](Self::next_record), but errors in the values of the entry other than its loc are collected, not returned.
    pub(crate) fn next_record_with_problems(&mut self, problems: &mut Vec<Error>) -> Result<bool> {
        self.problems = Some(std::mem::take(problems));
        let found = self.next_record();
        *problems = self.problems.take().unwrap_or_default();
        found
    }

    /// The number of this reader in the process, from 1.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// The number of entries read so far, invalid ones included.
    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    /// Sets the position of an error in the record.
    #[cold]
    pub(crate) fn locate(&self, error: Error) -> Error {
        error.locate(|offset| self.scanner.position(self.scanner.held() + offset))
    }

    /// Sets the position and the entry's number of an error in the record.
    #[cold]
    pub(crate) fn in_record(&self, error: Error) -> Error {
        self.locate(error).in_entry(self.entries)
    }

    /// The position after the last record.
    pub(crate) fn position(&self) -> Position {
        let position = self.scanner.position(self.scanner.token().end);
        match self.entries {
            0 => position,
            entries => position.in_entry(entries),
        }
    }

    /// The document's kind, after its root was read.
    pub(crate) fn known_kind(&self) -> Kind {
        self.kind.unwrap_or_default()
    }

    /// Appends the text of the last record to `text`, swaps its table with `table`, and returns its position.
    pub(crate) fn take(&mut self, text: &mut String, table: &mut Table) -> RecordPlace {
        let Range { start, end } = self.entry_span();
        text.push_str(self.scanner.text(start..end));
        self.table.give(table);
        RecordPlace {
            kind: self.kind.unwrap_or_default(),
            document: self.id,
            number: self.entries,
            offset: self.scanner.offset_of(start),
        }
    }

    /// The last record.
    #[inline]
    pub(crate) fn view<'de>(&self) -> RecordView<'de, '_>
    where
        S: DocumentSource<'de>,
    {
        let span = self.entry_span();
        let text = self.scanner.source().window_text();
        RecordView {
            text: text.slice(span.start, span.end),
            table: &self.table,
        }
    }
}

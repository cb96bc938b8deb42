//! A document on its way out: declaration, root, entries within the limits, and the end.

use std::io::{self, Write};

use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::loc::{LocRules, LocSettings};
use crate::model::Kind;
use crate::quote::quote;
use crate::record::values::MOST_NEWS;
use crate::record::{RecordState, RecordWriter};
use crate::rule::Rule;
use crate::xml::escape::push_escaped_attribute;
use crate::xml::names::{CORE, Known, NamespaceSet};
use crate::xml::sink::Sink;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing is out; the declaration and the root wait for the first entry.
    New,
    Open,
    /// The root is closed.
    Complete,
}

/// How a document is written.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) kind: Kind,
    /// Whether the kind is settled: by the builder, the type of a whole document, or the first entry.
    pub(crate) is_kind_set: bool,
    pub(crate) pretty: bool,
    pub(crate) limits: Limits,
    /// What a browser shows the document with: the pseudo-attributes of an `xml-stylesheet` instruction.
    pub(crate) stylesheet: Option<String>,
    /// The prefixes of namespaces that the root declares in any case.
    pub(crate) declare: Vec<String>,
}

impl Layout {
    /// The tags of an entry, with the white space before each.
    fn tags(&self) -> (&'static [u8], &'static [u8]) {
        match (self.kind, self.pretty) {
            (Kind::UrlSet, false) => (b"<url>", b"</url>"),
            (Kind::UrlSet, true) => (b"\n  <url>", b"\n  </url>"),
            (Kind::SitemapIndex, false) => (b"<sitemap>", b"</sitemap>"),
            (Kind::SitemapIndex, true) => (b"\n  <sitemap>", b"\n  </sitemap>"),
        }
    }
}

#[derive(Debug)]
pub(crate) struct DocumentWriter<W: Write> {
    sink: Sink<W>,
    state: State,
    layout: Layout,
    record: RecordState,
    entries: u64,
    /// The namespaces that the root declares, beside the core's.
    declared: NamespaceSet,
    /// How many entries are news.
    news: u64,
    /// Bytes of the document so far, pending ones included.
    bytes: u64,
}

impl<W: Write> DocumentWriter<W> {
    /// A writer of a urlset with the protocol's limits, without a base and a stylesheet.
    pub(crate) fn plain(inner: W, pretty: bool) -> Self {
        let layout = Layout {
            kind: Kind::UrlSet,
            is_kind_set: false,
            pretty,
            limits: Limits::writing(),
            stylesheet: None,
            declare: Vec::new(),
        };
        let rules = LocRules::new(&LocSettings::default());
        DocumentWriter::new(inner, layout, RecordState::new(pretty, rules, Known::default()))
    }

    pub(crate) fn new(inner: W, layout: Layout, record: RecordState) -> Self {
        DocumentWriter {
            sink: Sink::new(inner),
            state: State::New,
            layout,
            record,
            entries: 0,
            declared: NamespaceSet::default(),
            news: 0,
            bytes: 0,
        }
    }

    /// Has the writer underneath end its own format once the document is complete.
    pub(crate) fn completed_by(mut self, complete: fn(&mut W) -> io::Result<()>) -> Self {
        self.sink.completed_by(complete);
        self
    }

    pub(crate) fn kind(&self) -> Kind {
        self.layout.kind
    }

    /// The kind, as long as nothing is written.
    pub(crate) fn set_kind(&mut self, kind: Kind) {
        if self.state == State::New {
            self.layout.kind = kind;
            self.layout.is_kind_set = true;
        }
    }

    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.state == State::Complete
    }

    pub(crate) fn inner(&self) -> &W {
        self.sink.get_ref()
    }

    pub(crate) fn inner_mut(&mut self) -> &mut W {
        self.sink.get_mut()
    }

    pub(crate) fn into_inner(self) -> W {
        self.sink.into_inner()
    }

    /// Writes the entry whose values `write` gives. After an error nothing of it is in the document.
    pub(crate) fn entry(&mut self, write: impl FnOnce(RecordWriter<'_>) -> Result<()>) -> Result<()> {
        self.try_entry(write)
            .map_err(|error| error.in_entry(self.entries + 1))
    }

    fn try_entry(&mut self, write: impl FnOnce(RecordWriter<'_>) -> Result<()>) -> Result<()> {
        self.begin_entry()?;
        let mut record = RecordWriter::new(&mut self.record, self.layout.kind);
        if !self.layout.is_kind_set {
            record = record.may_decide();
        }
        write(record)?;
        self.record.check_complete(self.record.kind)?;
        let before = std::mem::replace(&mut self.layout.kind, self.record.kind);
        let ended = self.end_entry();
        match ended {
            Ok(()) => self.layout.is_kind_set = true,
            Err(_) => self.layout.kind = before,
        }
        ended
    }

    /// Whether another entry may come: the document is open and below its count (P-COUNT). Passes full blocks on
    /// first, so that a sink that fails does so before the entry is taken.
    fn begin_entry(&mut self) -> Result<()> {
        if self.state == State::Complete {
            return Err(Error::data(
                "the document is complete: no entry can follow the end of its root; write it to a new document",
            ));
        }
        if self.entries >= self.layout.limits.entries {
            let (entry, count) = (self.layout.kind.entry(), self.layout.limits.entries);
            return Err(Error::limit(format!(
                "the document is full: it has {count} `{entry}` entries, and {count} are allowed (P-COUNT); \
                 finish it and write this entry to the next one"
            ))
            .breaks(Rule::Count));
        }
        self.sink.relieve()
    }

    /// Takes an entry, if the whole document stays within its size with it (P-SIZE).
    fn end_entry(&mut self) -> Result<()> {
        let before = self.sink.pending.len();
        let is_news = self.record.elements.is_news();
        if is_news && self.news >= MOST_NEWS {
            return Err(Error::limit(format!(
                "the document is full: it has {MOST_NEWS} `news:news`, and {MOST_NEWS} are allowed (P-NEWS4); \
                 finish it and write this entry to the next one"
            ))
            .breaks(Rule::News4));
        }
        if self.state == State::New {
            self.declared = self.namespaces()?.union(self.record.elements.used());
            self.push_root();
        }
        let children = self.record.buffer.ordered();
        let elements = self.record.elements.ordered();
        let (start_tag, end_tag) = self.layout.tags();
        for part in [start_tag, children, elements.as_bytes(), end_tag] {
            self.sink.pending.extend_from_slice(part);
        }
        let bytes = self.bytes + (self.sink.pending.len() - before) as u64;
        let closed = bytes + self.closing_len();
        if closed > self.layout.limits.bytes {
            self.sink.pending.truncate(before);
            return Err(self.too_large(closed));
        }
        if self.state == State::New {
            self.record.elements.root_declares(self.declared);
            self.state = State::Open;
        }
        self.bytes = bytes;
        self.entries += 1;
        self.news += u64::from(is_news);
        Ok(())
    }

    #[cold]
    fn too_large(&self, bytes: u64) -> Error {
        let allowed = self.layout.limits.bytes;
        let message = if self.entries == 0 {
            format!(
                "the entry is too large: a document of it alone would have {bytes} bytes, and {allowed} are allowed \
                 (P-SIZE); leave it out, or something of it"
            )
        } else {
            format!(
                "the document is full: with this entry it would have {bytes} bytes, and {allowed} are allowed (P-SIZE); \
                 finish it and write this entry to the next one"
            )
        };
        Error::limit(message).breaks(Rule::Size)
    }

    /// Whether the builder's settings are such that entries can be written.
    pub(crate) fn check_settings(&self) -> Result<()> {
        self.record.check_rules()?;
        self.namespaces().map(drop)
    }

    /// The namespaces that the builder asks for.
    fn namespaces(&self) -> Result<NamespaceSet> {
        let known = &self.record.known;
        known.check()?;
        let mut namespaces = NamespaceSet::default();
        for prefix in &self.layout.declare {
            match known.of_prefix(prefix) {
                Some(namespace) => namespaces.insert(namespace),
                None => {
                    return Err(Error::data(format!(
                        "{} is the prefix of no namespace that is known; make it known with `WriterBuilder::namespace(\"{prefix}\", …)`",
                        quote(prefix)
                    )));
                }
            }
        }
        Ok(namespaces)
    }

    fn push_root(&mut self) {
        let out = &mut self.sink.pending;
        out.extend_from_slice(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        if let Some(stylesheet) = &self.layout.stylesheet {
            for part in ["<?xml-stylesheet ", stylesheet, "?>\n"] {
                out.extend_from_slice(part.as_bytes());
            }
        }
        for part in ["<", self.layout.kind.root(), " xmlns=\"", CORE, "\""] {
            out.extend_from_slice(part.as_bytes());
        }
        let known = &self.record.known;
        for namespace in known.all().filter(|namespace| self.declared.contains(*namespace)) {
            let (prefix, uri) = (known.prefix(namespace), known.uri(namespace));
            let mut escaped = String::new();
            // What XML cannot hold was refused before.
            let _ = push_escaped_attribute(&mut escaped, uri.unwrap_or_default());
            for part in [" xmlns:", prefix.unwrap_or_default(), "=\"", &escaped, "\""] {
                out.extend_from_slice(part.as_bytes());
            }
        }
        out.push(b'>');
    }

    fn closing(&self) -> [&'static str; 4] {
        let (before, after) = if self.layout.pretty {
            ("\n", "\n")
        } else {
            ("", "")
        };
        match self.layout.kind {
            Kind::UrlSet => [before, "</urlset>", after, ""],
            Kind::SitemapIndex => [before, "</sitemapindex>", after, ""],
        }
    }

    fn closing_len(&self) -> u64 {
        self.closing().iter().map(|part| part.len() as u64).sum()
    }

    /// Closes the root, if it is not closed yet, and passes everything on.
    pub(crate) fn finish(&mut self) -> Result<()> {
        if self.state != State::Complete {
            let before = self.sink.pending.len();
            if self.state == State::New {
                // No entry has said so.
                self.check_settings()?;
                self.declared = self.namespaces()?;
                self.push_root();
            }
            for part in self.closing() {
                self.sink.pending.extend_from_slice(part.as_bytes());
            }
            self.bytes += (self.sink.pending.len() - before) as u64;
            self.state = State::Complete;
        }
        self.sink.complete()
    }

    /// Passes on what is pending, for a writer that is dropped; an incomplete document stays incomplete.
    pub(crate) fn abandon(&mut self) {
        // `finish` is where errors come out.
        if self.state != State::Complete {
            self.sink.abandon();
        }
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.sink.flush()
    }
}

//! A document on its way in: its root, then record after record, then its end.

mod feed;
mod lenient;
mod text;

use std::ops::Range;

use crate::error::{Error, Finding, Message, Position, Result};
use crate::limits::Limits;
use crate::model::Kind;
use crate::quote::quote;
use crate::record::{self, RecordReader, RecordView, Table};
use crate::rule::Rule;
use crate::xml::chars::{is_space, name_len};
use crate::xml::names::{self, KnownNamespaces, NamespaceSet};
use crate::xml::scanner::{Ahead, KnownTag, Pattern, Scanner, Span, Token};
use crate::xml::sniff::{Format, HTML};
use crate::xml::source::{Source, Window};
use crate::xml::trim;

use feed::Feed;
use lenient::{Begun, Lenient};
pub(crate) use lenient::{Callback, Leniency};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    Open(Kind),
    /// The end, or an error that nothing can follow.
    Done,
}

/// The start tag of an entry.
#[derive(Debug)]
struct EntryStart {
    tag: KnownTag,
    /// White space, and the tag, if it is its name alone; nothing until it was met in that way.
    beginning: Pattern,
    /// How much of that is white space.
    gap: usize,
    /// How often something else came.
    misses: u32,
}

impl EntryStart {
    fn new(tag: KnownTag) -> Self {
        EntryStart {
            tag,
            beginning: Pattern::default(),
            gap: 0,
            misses: 0,
        }
    }
}

/// Which record of a document one is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordPlace {
    pub(crate) kind: Kind,
    /// From 1.
    pub(crate) number: u64,
    /// The byte of the document at which it starts.
    pub(crate) offset: u64,
}

/// Reads a document record by record.
#[derive(Debug)]
pub(crate) struct DocumentReader<S: Window> {
    scanner: Scanner<S>,
    limits: Limits,
    state: State,
    kind: Option<Kind>,
    reader: RecordReader,
    table: Table,
    entries: u64,
    /// What is wrong in the entry, if it is to be read all the same.
    doubts: Option<Vec<Error>>,
    /// What a lenient reading knows; `None` in a strict one.
    lenient: Option<Box<Lenient>>,
    /// Whether text and feeds are read too, and which of them the document is.
    takes_formats: bool,
    is_list: bool,
    feed: Option<Feed>,
    /// How many elements are open with the root.
    root_depth: usize,
    /// The start tag of an entry, as it was met.
    start: Option<EntryStart>,
    /// Whether the text from the root's end on is to stay in the window.
    keeps_end: bool,
    root_end: Option<Span>,
}

impl<S: Window> DocumentReader<S> {
    pub(crate) fn new(mut source: S, limits: Limits, known: KnownNamespaces) -> Self {
        source.limit_decompressed(limits.decompressed);
        DocumentReader {
            table: Table::new(&known),
            scanner: Scanner::new(source, limits.clone(), known),
            limits,
            state: State::New,
            kind: None,
            reader: RecordReader::default(),
            entries: 0,
            doubts: None,
            lenient: None,
            takes_formats: false,
            is_list: false,
            feed: None,
            root_depth: 1,
            start: None,
            keeps_end: false,
            root_end: None,
        }
    }

    /// Reads text sitemaps and feeds too.
    pub(crate) fn take_formats(&mut self) {
        self.takes_formats = true;
    }

    /// What the document is; known once its root was read.
    pub(crate) fn format(&self) -> Format {
        match (&self.feed, self.known_kind()) {
            (Some(feed), _) => feed.format(),
            (None, _) if self.is_list => Format::Text,
            (None, Kind::UrlSet) => Format::UrlSet,
            (None, Kind::SitemapIndex) => Format::SitemapIndex,
        }
    }

    /// Whether the document is text, as far as that is asked for.
    fn is_list(&mut self) -> Result<bool> {
        self.is_list = self.takes_formats && self.scanner.is_list()?;
        Ok(self.is_list)
    }

    /// Whether the root that was read last is a feed's, as far as that is asked for.
    fn is_feed(&mut self, name: &str) -> bool {
        if self.takes_formats {
            self.feed = Feed::of_root(&self.scanner, name, self.address());
        }
        if let Some(feed) = &self.feed {
            self.scanner.set_item(feed.item());
        }
        self.feed.is_some()
    }

    /// Keeps the root's end tag, or a root that is one tag, in the window until the document is read to its end.
    pub(crate) fn keep_end(&mut self) {
        self.keeps_end = true;
    }

    /// The bytes of the document that the root's end tag takes, or the root, if that is one tag. `None` until it is read,
    /// or if it was not [kept](Self::keep_end).
    pub(crate) fn root_end(&self) -> Option<Range<u64>> {
        let Range { start, end } = self.root_end.clone()?;
        let held = self.scanner.held();
        Some(self.scanner.offset_of(held + start)..self.scanner.offset_of(held + end))
    }

    /// What is read; `None` if a DOCTYPE was found in it.
    pub(crate) fn source_mut(&mut self) -> Option<&mut S> {
        self.scanner.source_mut()
    }

    /// What is read, a DOCTYPE in it or not.
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

    /// The namespaces that can be used by their own prefix where the scanner stands.
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

    /// Keeps the last token in the window, as the end of the root.
    #[cold]
    fn mark_end(&mut self) {
        self.scanner.hold();
        self.root_end = Some(0..self.scanner.token().len());
    }

    /// The namespace that the root is in, by the URI it is declared with; known right after [`kind`](Self::kind).
    pub(crate) fn root_namespace(&self) -> Option<&str> {
        let tag = self.scanner.text(self.scanner.token());
        let name = tag.strip_prefix('<')?;
        let end = name.find([' ', '\t', '\r', '\n', '/', '>']).unwrap_or(name.len());
        let (prefix, _) = names::split(&name[..end]);
        self.scanner.uri(prefix)
    }

    /// The bytes of the document up to the end of the last token.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.scanner.offset_of(self.scanner.token().end)
    }

    /// What the document is; reads up to its root.
    pub(crate) fn kind(&mut self) -> Result<Kind> {
        if self.state == State::New {
            match self.open() {
                Ok(kind) => {
                    self.kind = Some(kind);
                    self.state = State::Open(kind);
                    if self.keeps_end && self.scanner.text(self.scanner.token()).ends_with("/>") {
                        self.mark_end();
                    }
                }
                Err(error) => {
                    self.state = State::Done;
                    return Err(error.ending_reading());
                }
            }
        }
        self.kind.ok_or_else(|| {
            Error::custom("the document's root could not be read, as an error before this one says")
        })
    }

    #[cold]
    fn wrong_namespace(&self, name: &str) -> Error {
        self.wrong_root(
            Message::new(format!(
                "the root {} is in the wrong namespace: a sitemap's is `{}`",
                quote(name),
                names::CORE
            ))
            .advice("correct its `xmlns`"),
        )
    }

    #[cold]
    fn other_root(&mut self, name: &str) -> Error {
        let (_, local) = names::split(name);
        if HTML.iter().any(|name| name.eq_ignore_ascii_case(local)) {
            return self.scanner.html_page();
        }
        self.wrong_root(
            Message::new(format!(
                "the root is {}, and a sitemap's is `urlset` or `sitemapindex`",
                quote(name)
            ))
            .advice("this document is not a sitemap"),
        )
    }

    fn open(&mut self) -> Result<Kind> {
        if self.is_lenient() {
            return self.open_lenient();
        }
        self.scanner.known().check()?;
        if self.is_list()? {
            return Ok(Kind::UrlSet);
        }
        loop {
            match self.scanner.next()? {
                Token::Start { name, namespace } => {
                    let name = self.scanner.text(name).to_owned();
                    let (_, local) = names::split(&name);
                    let kind = [Kind::UrlSet, Kind::SitemapIndex]
                        .into_iter()
                        .find(|kind| kind.root() == local);
                    let known = namespace.is_core();
                    return match kind {
                        Some(kind) if known => Ok(kind),
                        Some(_) => Err(self.wrong_namespace(&name)),
                        None if self.is_feed(&name) => Ok(Kind::UrlSet),
                        None => Err(self.other_root(&name)),
                    };
                }
                Token::Eof => return Err(Error::eof("the document has no root")),
                Token::End | Token::Text { .. } | Token::Aside => {}
            }
        }
    }

    #[cold]
    fn wrong_root(&self, message: Message) -> Error {
        Error::data(message)
            .breaks(Rule::Ns)
            .at(self.scanner.position(self.scanner.token().start))
    }

    /// The error for a document of the other kind than was asked for, if it is one.
    pub(crate) fn expect(&mut self, expected: Kind) -> Result<()> {
        let kind = self.kind()?;
        if kind == expected {
            return Ok(());
        }
        self.state = State::Done;
        let (list, other) = match kind {
            Kind::UrlSet => ("pages", "`UrlSet` or `Document`"),
            Kind::SitemapIndex => (
                "sitemaps",
                "`SitemapIndex` or `Document`, and then the sitemaps that it lists",
            ),
        };
        let error = self.wrong_root(
            Message::new(format!(
                "this is a {kind}, which lists {list}, and a {expected} was asked for"
            ))
            .advice(format!("read it as {other}")),
        );
        Err(error.ending_reading())
    }

    /// Whether a record was read, or the end, or an error that ends the reading.
    pub(crate) fn has_begun(&self) -> bool {
        self.entries > 0 || self.state == State::Done
    }

    /// Reads the next record into the table. `false` at the end of the document, which is then checked to its last byte.
    ///
    /// After a Data error the next record can be read; after any other there is none.
    pub(crate) fn next_record(&mut self) -> Result<bool> {
        let before = self.entries;
        let result = match &self.lenient {
            None => self.try_next(),
            Some(lenient) if lenient.is_pending() => self.next_repaired(Begun::Nothing),
            // The way of a strict reading, as long as there is nothing to repair.
            Some(lenient) => {
                let has_address = lenient.address.is_some();
                let read = self.read_known_with(|ahead, table, is_whole| {
                    (is_whole, is_whole && table.is_usual(ahead.entry(), has_address))
                });
                match read {
                    Some((_, true)) => self.check_end().map(|()| true),
                    Some((is_whole, false)) => self.next_repaired(Begun::Entry { is_whole }),
                    None => self.next_repaired(Begun::OtherThanBefore),
                }
            }
        };
        match result {
            Ok(found) => Ok(found),
            Err(error) => {
                if error.ends_reading() {
                    (self.state, self.start) = (State::Done, None);
                }
                Err(if self.entries > before {
                    error.in_entry(self.entries)
                } else {
                    error
                })
            }
        }
    }

    /// As [`next_record`](Self::next_record), but what is wrong in the entry beside its loc is noted and no error.
    pub(crate) fn next_record_with_doubts(&mut self, doubts: &mut Vec<Error>) -> Result<bool> {
        self.doubts = Some(std::mem::take(doubts));
        let found = self.next_record();
        *doubts = self.doubts.take().unwrap_or_default();
        found
    }

    fn try_next(&mut self) -> Result<bool> {
        if self.state == State::New {
            self.kind()?;
        }
        let State::Open(kind) = self.state else {
            return Ok(false);
        };
        if self.is_list {
            return self.next_line(kind);
        }
        if self.feed.is_some() {
            return self.next_item(kind);
        }
        if self.root_end.is_none() {
            self.scanner.release();
        }
        loop {
            if let Some(is_whole) = self.read_known() {
                if !is_whole {
                    self.reader.read_on(&mut self.scanner, &mut self.table)?;
                }
                self.check_end()?;
                self.check_record(kind)?;
                return Ok(true);
            }
            if let Some(known) = &mut self.start
                && self.scanner.ahead(|ahead| enter(ahead, known)) == Some(true)
            {
                self.scanner.check_size()?;
                self.record(kind)?;
                return Ok(true);
            }
            self.scanner.skip_space()?;
            let outer = self.scanner.scope();
            match self.scanner.next()? {
                Token::Start { name, namespace } => {
                    let (_, local) = names::split(self.scanner.text(name.clone()));
                    if !namespace.is_core() {
                        record::skip(&mut self.scanner)?;
                    } else if local == kind.entry() {
                        self.start = self.scanner.known_tag(outer, &name).map(EntryStart::new);
                        self.record(kind)?;
                        return Ok(true);
                    } else if matches!(local, "url" | "sitemap") {
                        return Err(self.misplaced(kind));
                    } else {
                        return Err(self.unknown(kind));
                    }
                }
                Token::Eof => {
                    self.state = State::Done;
                    return Ok(false);
                }
                Token::End if self.keeps_end && self.root_end.is_none() => self.mark_end(),
                Token::Text { span, plain } => self.check_between_entries(&span, plain, kind)?,
                Token::End | Token::Aside => {}
            }
        }
    }

    /// Reads the next entry as far as it is made of tags that were met before, if it begins as those before it did. Whether it has
    /// ended; `None`, and nothing is read, if it begins otherwise.
    #[inline]
    fn read_known(&mut self) -> Option<bool> {
        self.read_known_with(|_, _, is_whole| is_whole)
    }

    /// The same, and looks at what was read while it is at hand.
    #[inline]
    fn read_known_with<R>(&mut self, look: impl FnOnce(&Ahead<'_>, &Table, bool) -> R) -> Option<R> {
        let known = self.start.as_ref()?;
        if known.beginning.len() == 0 || self.entries >= self.limits.entries {
            return None;
        }
        let beginning = (&known.beginning, known.gap);
        let (reader, table) = (&mut self.reader, &mut self.table);
        let read = |ahead: &mut Ahead<'_>| {
            let is_whole = reader.read_known(ahead, table);
            look(ahead, table, is_whole)
        };
        let found = self.scanner.ahead_in_entry(&known.tag, beginning, read)?;
        self.entries += 1;
        Some(found)
    }

    /// How many entries were read, those that were refused among them.
    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    /// Text between entries is white space, or lost: nobody looks for it there.
    fn check_between_entries(&self, span: &Span, plain: bool, kind: Kind) -> Result<()> {
        let text = if plain {
            self.scanner.text(span.clone())
        } else {
            self.scanner.resolved()
        };
        let found = trim(text);
        if found.is_empty() {
            return Ok(());
        }
        let raw = self.scanner.text(span.clone());
        let before = raw.bytes().take_while(|&b| is_space(b)).count();
        let between = |found: &Finding| {
            let [root, entry] = found.names;
            Message::new(format!(
                "the text {} between entries: a {root} holds `{entry}` elements",
                quote(found.text())
            ))
            .advice("remove it, or put it in a comment")
        };
        let finding = Finding::new(found).names([kind.root(), kind.entry()]);
        Err(Error::found(finding, between)
            .breaks(Rule::Ns)
            .at(self.scanner.position(span.start + before)))
    }

    /// An element of the sitemap's own namespace that no root has.
    #[cold]
    fn unknown(&mut self, kind: Kind) -> Error {
        let error = self.unknown_here(kind);
        match record::skip(&mut self.scanner) {
            Ok(()) => error,
            Err(error) => error,
        }
    }

    /// The error for the element whose start tag was the last token.
    #[cold]
    fn unknown_here(&self, kind: Kind) -> Error {
        let start = self.scanner.token().start;
        let position = self.scanner.position(start);
        let tag = self.scanner.text(self.scanner.token());
        let name = tag.get(1..).unwrap_or_default();
        let name = name.get(..name_len(name)).unwrap_or_default();
        let finding = Finding::new(name).names([kind.root(), kind.entry()]);
        Error::found(finding, unknown_element)
            .breaks(Rule::Ns)
            .at(position)
    }

    fn record(&mut self, kind: Kind) -> Result<()> {
        self.read_record(kind)?;
        self.check_record(kind)
    }

    /// What is asked of every entry that was read.
    #[inline]
    fn check_record(&mut self, kind: Kind) -> Result<()> {
        let checked = match (record::check(&self.table, kind.entry()), &mut self.doubts) {
            (Err(_), Some(doubts)) => {
                record::check_with_doubts(&self.table, kind.entry(), |error| doubts.push(error))
            }
            (checked, _) => checked,
        };
        checked.map_err(|error| self.locate(error))
    }

    /// Reads the entry whose start tag was the last token.
    fn read_record(&mut self, kind: Kind) -> Result<()> {
        self.scanner.hold();
        self.count_entry(kind)?;
        self.reader.read(&mut self.scanner, &mut self.table)?;
        self.check_end()
    }

    /// P-SIZE: whether the document may reach to the end of the entry.
    #[inline]
    fn check_end(&self) -> Result<()> {
        let end = self.scanner.offset_of(self.scanner.token().end);
        if end > self.limits.bytes {
            return Err(self.scanner.over_size(self.scanner.held()));
        }
        Ok(())
    }

    /// P-COUNT.
    fn count_entry(&mut self, kind: Kind) -> Result<()> {
        self.entries += 1;
        if self.entries > self.limits.entries {
            let count = self.limits.entries;
            return Err(Error::limit(
                Message::new(format!(
                    "more than {count} `{}` entries, and {count} are allowed",
                    kind.entry()
                ))
                .advice("split the file, or raise `Limits::entries`"),
            )
            .breaks(Rule::Count)
            .at(self.scanner.position(self.scanner.held())));
        }
        Ok(())
    }

    /// A `sitemap` in a urlset, or a `url` in a sitemapindex: an entry, but not of this document.
    #[cold]
    fn misplaced(&mut self, kind: Kind) -> Error {
        self.entries += 1;
        let error = self.misplaced_here(kind);
        match record::skip(&mut self.scanner) {
            Ok(()) => error,
            Err(error) => error,
        }
    }

    #[cold]
    fn misplaced_here(&self, kind: Kind) -> Error {
        let position = self.scanner.position(self.scanner.token().start);
        let message = Message::new(match kind {
            Kind::UrlSet => "a `sitemap` in a urlset: a urlset lists pages, `url` entries only",
            Kind::SitemapIndex => {
                "a `url` in a sitemapindex: a sitemapindex lists sitemaps, `sitemap` entries only"
            }
        });
        Error::data(message.advice("move it to a document of its own"))
            .breaks(Rule::Ns)
            .at(position)
    }

    /// Fills in the position and entry of an error that came from the record.
    #[cold]
    pub(crate) fn locate(&self, error: Error) -> Error {
        error.locate(|offset| self.scanner.position(self.scanner.held() + offset))
    }

    /// As [`locate`](Self::locate), for one that is on its way to the caller.
    #[cold]
    pub(crate) fn in_record(&self, error: Error) -> Error {
        self.locate(error).in_entry(self.entries)
    }

    /// The place behind the last record.
    pub(crate) fn position(&self) -> Position {
        let position = self.scanner.position(self.scanner.token().end);
        match self.entries {
            0 => position,
            entries => position.in_entry(entries),
        }
    }

    /// What the document is, once its root was read.
    pub(crate) fn known_kind(&self) -> Kind {
        self.kind.unwrap_or_default()
    }

    /// Copies the text of the last record, exchanges its table for another, and says which one it is.
    pub(crate) fn take(&mut self, text: &mut String, table: &mut Table) -> RecordPlace {
        let Range { start, end } = self.entry_span();
        text.push_str(self.scanner.text(start..end));
        self.table.give(table);
        RecordPlace {
            kind: self.kind.unwrap_or_default(),
            number: self.entries,
            offset: self.scanner.offset_of(start),
        }
    }

    /// The last record.
    #[inline]
    pub(crate) fn view<'de>(&self) -> RecordView<'de, '_>
    where
        S: Source<'de>,
    {
        let span = self.entry_span();
        let text = self.scanner.source().window_text();
        RecordView {
            text: text.slice(span.start, span.end),
            table: &self.table,
        }
    }
}

/// What is said of an element of the sitemap's own namespace that no root has.
fn unknown_element(found: &Finding) -> Message {
    let [root, entry] = found.names;
    let (_, local) = names::split(found.text());
    let message = Message::new(format!(
        "{} is not an element of a {root}, whose entries are `{entry}` elements",
        quote(found.text())
    ));
    if local.eq_ignore_ascii_case(entry) {
        message.advice(format!("did you mean `{entry}`?"))
    } else if matches!(local, "loc" | "lastmod" | "changefreq" | "priority") {
        message.advice(format!("put it into a `{entry}`"))
    } else {
        message.advice("remove it, or give it a namespace of its own")
    }
}

/// Reads the start tag of an entry, if it is the known one. Whether it was.
fn enter(ahead: &mut Ahead<'_>, known: &mut EntryStart) -> bool {
    let from = ahead.token().end;
    let start = ahead
        .next_tag()
        .filter(|at| ahead.begins(&known.tag, *at))
        .and_then(|at| ahead.start(&known.tag, at))
        .filter(|start| !start.is_empty);
    let Some(start) = start else { return false };
    known.misses = known.misses.wrapping_add(1);
    // White space that differs from entry to entry is not worth to be remembered of each.
    if known.misses.is_power_of_two()
        && ahead.layout_of(&known.tag, start) == Some(0)
        && known.tag.is_name_alone(0)
    {
        known.beginning = Pattern::new(ahead.bytes(from..start.end));
        known.gap = start.start - from;
    }
    ahead.enter(&known.tag, start).is_some()
}

//! Writing a document: XML declaration, root, entries within the limits, and the end; or only the lines of a text sitemap.
//!
//! **Dropping does not finish.** Only `finish` closes the root. If a program leaves a loop early, every reader refuses the file.

use std::io::{self, Write};

use sitemap_values::number::grouped;
use sitemap_values::quote::quote;
use sitemap_values::{Rule, W3cDateTime};

use crate::error::{Error, ErrorKind, Message, Result};
use crate::limits::Limits;
use crate::loc::{LocRules, LocSettings};
use crate::model::Kind;
use crate::record::{OnInvalid, RecordState, RecordWriter, Report, RowReceiver, Slot, name_prefix};
use crate::schema::MOST_NEWS;
use crate::xml::escape::push_escaped_attribute;
use crate::xml::names::{CORE, KnownNamespaces, NamespaceSet};
use crate::xml::output::OutputBuffer;
use crate::xml::readable;
use crate::xml::reference::unescape;

use super::Stylesheet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing is written; declaration and root are written with the first entry.
    New,
    Open,
    /// The root is closed.
    Complete,
}

/// The settings for writing a document.
#[derive(Debug)]
pub(crate) struct DocumentSettings {
    pub(crate) kind: Kind,
    /// `true` if the builder determines the kind; if not, the first entry does.
    pub(crate) is_kind_set: bool,
    pub(crate) pretty: bool,
    /// `true` for a text sitemap: only the locs, a line each (P-TXT1).
    pub(crate) is_text: bool,
    pub(crate) limits: Limits,
    /// See [`Limits::unchecked_bytes`].
    pub(crate) unchecked_bytes: usize,
    pub(crate) stylesheet: Option<Stylesheet>,
    /// The prefixes of namespaces that the root always declares.
    pub(crate) declare: Vec<String>,
    /// The number of rows given to the documents before this one.
    pub(crate) rows_before: u64,
}

impl DocumentSettings {
    /// The start and end tag of an entry, with the white space before each.
    fn tags(&self, kind: Kind) -> (&'static [u8], &'static [u8]) {
        match (kind, self.pretty) {
            (Kind::UrlSet, false) => (b"<url>", b"</url>"),
            (Kind::UrlSet, true) => (b"\n  <url>", b"\n  </url>"),
            (Kind::SitemapIndex, false) => (b"<sitemap>", b"</sitemap>"),
            (Kind::SitemapIndex, true) => (b"\n  <sitemap>", b"\n  </sitemap>"),
        }
    }

    /// Returns an error if the document cannot take another entry (P-COUNT). `before` is its number of entries before the
    /// row.
    fn check_count(&self, progress: &Progress, before: u64) -> Result<()> {
        if progress.entries < self.limits.entries {
            return Ok(());
        }
        let (what, rule) = if self.is_text {
            ("lines".to_owned(), Rule::Txt2)
        } else {
            (format!("`{}` entries", progress.kind.entry()), Rule::Count)
        };
        Err(no_room(
            self.limits.entries,
            &what,
            rule,
            before,
            progress.entries,
        ))
    }

    /// The namespaces that the root always declares; an error if one is unknown or cannot be declared.
    fn namespaces(&self, known: &KnownNamespaces) -> Result<NamespaceSet> {
        known.check()?;
        if let Some(stylesheet) = &self.stylesheet {
            stylesheet.check()?;
        }
        let mut namespaces = NamespaceSet::default();
        for prefix in &self.declare {
            match known.of_prefix(prefix) {
                Some(namespace) => namespaces.insert(namespace),
                None => {
                    let message = Message::new(format!(
                        "{} is the prefix of no namespace that is known",
                        quote(prefix)
                    ));
                    return Err(Error::settings(message.advice(name_prefix(prefix))));
                }
            }
        }
        Ok(namespaces)
    }

    fn push_root(&self, kind: Kind, known: &KnownNamespaces, declared: NamespaceSet, out: &mut Vec<u8>) {
        if self.is_text {
            return;
        }
        out.extend_from_slice(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        if let Some(stylesheet) = &self.stylesheet {
            for part in ["<?xml-stylesheet ", &stylesheet.pseudo_attributes(), "?>\n"] {
                out.extend_from_slice(part.as_bytes());
            }
        }
        for part in ["<", kind.root(), " xmlns=\"", CORE, "\""] {
            out.extend_from_slice(part.as_bytes());
        }
        for namespace in known.all().filter(|namespace| declared.contains(*namespace)) {
            let (prefix, uri) = (known.prefix(namespace), known.uri(namespace));
            let mut escaped = String::new();
            // `KnownNamespaces::check` has refused characters that XML cannot hold.
            let _ = push_escaped_attribute(&mut escaped, uri.unwrap_or_default());
            for part in [" xmlns:", prefix.unwrap_or_default(), "=\"", &escaped, "\""] {
                out.extend_from_slice(part.as_bytes());
            }
        }
        out.push(b'>');
    }

    /// Checks the root that was just written, unless it has only what every root may have.
    fn check_root(&self, known: &KnownNamespaces, root: &[u8]) -> Result<()> {
        if self.is_text || root.len() <= self.unchecked_bytes && !known.has_user_namespaces() {
            return Ok(());
        }
        readable::check_root(std::str::from_utf8(root).unwrap_or_default(), &self.limits)
    }

    fn closing(&self, kind: Kind) -> [&'static str; 4] {
        if self.is_text {
            return [""; 4];
        }
        let (before, after) = if self.pretty { ("\n", "\n") } else { ("", "") };
        match kind {
            Kind::UrlSet => [before, "</urlset>", after, ""],
            Kind::SitemapIndex => [before, "</sitemapindex>", after, ""],
        }
    }

    fn closing_len(&self, kind: Kind) -> u64 {
        self.closing(kind).iter().map(|part| part.len() as u64).sum()
    }
}

#[derive(Debug)]
pub(crate) struct DocumentWriter<W: Write> {
    sink: OutputBuffer<W>,
    record: RecordState,
    settings: DocumentSettings,
    progress: Progress,
    /// The number of the last row given to the writer; rejected and unlisted rows count.
    offered: u64,
    /// `true` if the record state still holds the last entry of the document.
    has_last: bool,
    pub(crate) report: Option<Report>,
    /// The problems since they were last taken; `None` if they are not kept.
    pub(crate) problems: Option<Vec<Error>>,
    skipped: u64,
    dropped: u64,
}

/// The state of a document, restored if an entry is refused.
#[derive(Clone, Copy, Debug)]
struct Progress {
    state: State,
    kind: Kind,
    /// `true` if the kind is determined: by the builder, the type of a whole document, or the first entry.
    is_kind_set: bool,
    entries: u64,
    /// The namespaces that the root declares in addition to the core's.
    declared: NamespaceSet,
    /// The number of entries with news.
    news: u64,
    /// Bytes of the document so far, including those still pending in the sink.
    bytes: u64,
    /// The newest lastmod, and the number of entries that have a lastmod.
    newest: Option<W3cDateTime>,
    dated: u64,
}

/// Writes the entries of one row.
struct RowWriter<'a> {
    settings: &'a DocumentSettings,
    progress: &'a mut Progress,
    pending: &'a mut Vec<u8>,
    /// The document's number of entries before the row.
    before: u64,
}

impl<W: Write> DocumentWriter<W> {
    /// Makes a writer with the protocol's limits, without base and stylesheet.
    pub(crate) fn plain(inner: W, pretty: bool) -> Self {
        let settings = DocumentSettings {
            kind: Kind::UrlSet,
            is_kind_set: false,
            pretty,
            is_text: false,
            limits: Limits::writing(),
            unchecked_bytes: Limits::writing().unchecked_bytes(),
            stylesheet: None,
            declare: Vec::new(),
            rows_before: 0,
        };
        let rules = LocRules::new(&LocSettings::default());
        DocumentWriter::new(
            inner,
            settings,
            RecordState::new(pretty, rules, KnownNamespaces::default()),
        )
    }

    pub(crate) fn new(inner: W, settings: DocumentSettings, mut record: RecordState) -> Self {
        record.elements.most_bytes = settings.limits.token_bytes;
        DocumentWriter {
            sink: OutputBuffer::new(inner),
            record,
            progress: Progress {
                state: State::New,
                kind: settings.kind,
                is_kind_set: settings.is_kind_set,
                entries: 0,
                declared: NamespaceSet::default(),
                news: 0,
                bytes: 0,
                newest: None,
                dated: 0,
            },
            offered: settings.rows_before,
            has_last: false,
            report: None,
            problems: None,
            skipped: 0,
            dropped: 0,
            settings,
        }
    }

    /// Sets the function that finishes the writer's own format once the document is complete.
    pub(crate) fn completed_by(mut self, complete: fn(&mut W) -> io::Result<()>) -> Self {
        self.sink.completed_by(complete);
        self
    }

    pub(crate) fn kind(&self) -> Kind {
        self.progress.kind
    }

    /// Makes it a text sitemap, as long as nothing is written.
    pub(crate) fn set_text(&mut self) {
        self.settings.is_text = true;
    }

    /// Sets the kind, as long as nothing is written.
    pub(crate) fn set_kind(&mut self, kind: Kind) {
        if self.progress.state == State::New {
            self.progress.kind = kind;
            self.progress.is_kind_set = true;
        }
    }

    pub(crate) fn entries(&self) -> u64 {
        self.progress.entries
    }

    /// The newest lastmod.
    pub(crate) fn newest_lastmod(&self) -> Option<W3cDateTime> {
        self.progress.newest
    }

    /// The number of entries that have a lastmod.
    pub(crate) fn dated(&self) -> u64 {
        self.progress.dated
    }

    /// The escaped loc of the last entry; `None` after an error.
    pub(crate) fn last_loc(&self) -> Option<&str> {
        self.has_last
            .then(|| self.record.elements.value(Slot::Loc))
            .flatten()
    }

    /// Bytes of the document so far, without its end tag, including those still pending in the sink.
    pub(crate) fn bytes(&self) -> u64 {
        self.progress.bytes
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.progress.state == State::Complete
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

    /// Writes an entry with the values that `write` gives. After an error, nothing of the entry is in the document.
    pub(crate) fn entry(&mut self, write: impl FnOnce(RecordWriter<'_>) -> Result<()>) -> Result<()> {
        self.unit(|mut record, row| {
            write(record.reborrow())?;
            record.end(row)
        })
    }

    /// Writes the entries of one row, produced by `write`, and returns their number. After an error, the document contains
    /// no entry of the row.
    pub(crate) fn row(
        &mut self,
        write: impl for<'r> FnOnce(RecordWriter<'r>, &'r mut (dyn RowReceiver + 'r)) -> Result<()>,
    ) -> Result<u64> {
        let before = self.progress.entries;
        match self.unit(|record, row| write(record, row)) {
            // Entries that no longer fit in the document are not invalid.
            Err(error) if self.skips_rows() && error.kind() == ErrorKind::Data && !self.is_complete() => {
                self.skipped += 1;
                self.report(error.omitting_entry());
                Ok(0)
            }
            written => written.map(|()| self.progress.entries - before),
        }
    }

    fn skips_rows(&self) -> bool {
        self.record.on_invalid != OnInvalid::Fail
    }

    /// Counts a row that is not listed.
    pub(crate) fn pass_over(&mut self) {
        self.offered += 1;
    }

    /// The error for a row that the caller could not get.
    #[cold]
    pub(crate) fn no_row(&mut self, error: Box<dyn std::error::Error + Send + Sync>) -> Error {
        self.offered += 1;
        let message = format!("cannot get the row: {error}");
        Error::io(io::Error::other(error), message).in_entry(self.offered)
    }

    /// The number of rows that were skipped, and of values that were dropped.
    pub(crate) fn problem_counts(&self) -> (u64, u64) {
        (self.skipped, self.dropped)
    }

    #[cold]
    fn report(&mut self, error: Error) {
        if let Some(Report(report)) = &self.report {
            report(&error);
        }
        if let Some(problems) = &mut self.problems {
            problems.push(error);
        }
    }

    /// Adds the entries that `write` produces, or none after an error.
    fn unit(
        &mut self,
        write: impl for<'r> FnOnce(RecordWriter<'r>, &'r mut (dyn RowReceiver + 'r)) -> Result<()>,
    ) -> Result<()> {
        let progress = self.progress;
        self.offered += 1;
        let number = self.offered;
        self.begin_unit().map_err(|error| error.in_entry(number))?;
        self.has_last = false;
        let length = self.sink.pending.len();
        let mut row = RowWriter {
            settings: &self.settings,
            progress: &mut self.progress,
            pending: &mut self.sink.pending,
            before: progress.entries,
        };
        let mut record = RecordWriter::new(&mut self.record, progress.kind);
        if !progress.is_kind_set {
            record = record.may_decide();
        }
        let written = write(record, &mut row).map_err(|error| {
            if progress.state == State::New && self.progress.state == State::Open {
                self.record.elements.scopes.root_is_undone();
            }
            self.sink.pending.truncate(length);
            self.progress = progress;
            error.of_loc(self.record.loc()).in_entry(number)
        });
        written?;
        if self.record.drops_values() {
            let dropped: Vec<Error> = self.record.omitted.take().collect();
            self.dropped += dropped.len() as u64;
            for error in dropped {
                self.report(error.in_entry(number));
            }
        }
        self.has_last = self.progress.entries > progress.entries;
        Ok(())
    }

    /// Writes a full block before an entry or row is added, so that a failing writer never leaves half of an entry behind.
    fn begin_unit(&mut self) -> Result<()> {
        if self.progress.state == State::Complete {
            return Err(Error::data(
                Message::new("the document is complete: no entry can follow the end of its root")
                    .advice("write it to a new document"),
            ));
        }
        self.settings.check_count(&self.progress, self.progress.entries)?;
        self.sink.relieve()
    }

    /// Returns an error if the builder's settings are invalid.
    pub(crate) fn check_settings(&self) -> Result<()> {
        self.record.check_rules()?;
        let known = &self.record.known;
        let (declared, mut root) = (self.settings.namespaces(known)?, Vec::new());
        self.settings
            .push_root(self.progress.kind, known, declared, &mut root);
        self.settings.check_root(known, &root).map_err(Error::in_settings)
    }

    /// Closes the root, if it is still open, and writes everything pending.
    pub(crate) fn finish(&mut self) -> Result<()> {
        if self.progress.state != State::Complete {
            let before = self.sink.pending.len();
            if self.progress.state == State::New {
                // Without entries, the settings were not checked yet.
                self.check_settings()?;
                let known = &self.record.known;
                self.progress.declared = self.settings.namespaces(known)?;
                self.settings.push_root(
                    self.progress.kind,
                    known,
                    self.progress.declared,
                    &mut self.sink.pending,
                );
            }
            for part in self.settings.closing(self.progress.kind) {
                self.sink.pending.extend_from_slice(part.as_bytes());
            }
            self.progress.bytes += (self.sink.pending.len() - before) as u64;
            self.progress.state = State::Complete;
        }
        self.sink.complete()
    }

    /// Writes the pending bytes when the writer is dropped. An incomplete document stays incomplete.
    pub(crate) fn abandon(&mut self) {
        // After completion, `finish` has already reported any error.
        if self.progress.state != State::Complete {
            self.sink.abandon();
        }
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.sink.flush()
    }
}

impl RowReceiver for RowWriter<'_> {
    fn begin(&mut self) -> Result<()> {
        self.settings.check_count(self.progress, self.before)
    }

    /// Adds the entry, if the document stays within its size (P-SIZE).
    fn end(&mut self, record: &mut RecordState) -> Result<()> {
        let RowWriter {
            settings,
            progress,
            pending,
            before,
        } = self;
        let (length, kind) = (pending.len(), record.kind);
        let is_news = record.elements.is_news();
        if is_news && progress.news >= MOST_NEWS && !settings.is_text {
            let entries = progress.entries;
            return Err(no_room(MOST_NEWS, "`news:news`", Rule::News4, *before, entries));
        }
        if progress.state == State::New {
            progress.declared = settings
                .namespaces(&record.known)?
                .union(record.elements.scopes.used());
            settings.push_root(kind, &record.known, progress.declared, pending);
            settings.check_root(&record.known, pending.get(length..).unwrap_or_default())?;
        }
        let start = pending.len();
        if settings.is_text {
            let loc = record.elements.value(Slot::Loc).unwrap_or_default();
            pending.extend_from_slice(unescape(loc).as_bytes());
            pending.push(b'\n');
        } else {
            let (start_tag, end_tag) = settings.tags(kind);
            for part in [start_tag, record.elements.ordered(), end_tag] {
                pending.extend_from_slice(part);
            }
            let entry = pending.get(start..).unwrap_or_default();
            if entry.len() > settings.unchecked_bytes || record.elements.may_exceed_structure() {
                let entry = std::str::from_utf8(entry).unwrap_or_default();
                readable::check_entry(entry, &settings.limits)?;
            }
        }
        let bytes = progress.bytes + (pending.len() - length) as u64;
        let closed = bytes + settings.closing_len(kind);
        if closed > settings.limits.bytes {
            return Err(too_large(closed, settings, *before, progress.entries));
        }
        if progress.state == State::New {
            record.elements.scopes.root_declares(progress.declared);
            progress.state = State::Open;
        }
        (progress.kind, progress.is_kind_set) = (kind, true);
        progress.bytes = bytes;
        progress.entries += 1;
        progress.news += u64::from(is_news);
        if let Some(lastmod) = record.lastmod {
            progress.dated += 1;
            if progress.newest.is_none_or(|newest| newest < lastmod) {
                progress.newest = Some(lastmod);
            }
        }
        Ok(())
    }
}

/// The error for an entry beyond the limit. The document had `before` entries when the row began, and has `entries` now.
#[cold]
fn no_room(most: u64, what: &str, rule: Rule, before: u64, entries: u64) -> Error {
    let most = grouped(most);
    if entries == before {
        full(
            &format!("it has {most} {what}, and {most} are allowed"),
            rule,
            "entry",
        )
    } else if before > 0 {
        let what = format!("with this row it would have more than the allowed {most} {what}");
        full(&what, rule, "row")
    } else {
        Error::limit(
            Message::new(format!(
                "the row is too large: it has more than the {most} {what} that a document may have, and all entries of a row go to the same document"
            ))
            .advice("split it into several rows"),
        )
        .breaks(rule)
    }
}

fn full(what: &str, rule: Rule, unit: &str) -> Error {
    Error::limit(
        Message::new(format!("the document is full: {what}"))
            .advice(format!("finish it and write this {unit} to the next one")),
    )
    .breaks(rule)
}

#[cold]
fn too_large(bytes: u64, settings: &DocumentSettings, before: u64, entries: u64) -> Error {
    let rule = if settings.is_text { Rule::Txt2 } else { Rule::Size };
    let (allowed, rule) = (
        settings.limits.allowed_bytes(),
        settings.limits.rule_of_bytes(rule),
    );
    let bytes = grouped(bytes);
    let (unit, them) = if entries == before {
        ("entry", "it")
    } else {
        ("row", "its entries")
    };
    if before > 0 {
        let what = format!("with this {unit} it would have {bytes} bytes, and {allowed}");
        return full(&what, rule, unit);
    }
    let advice = if unit == "row" {
        "split it into several rows"
    } else {
        "leave it out, or shorten it"
    };
    Error::limit(
        Message::new(format!(
            "the {unit} is too large: a document of {them} alone would have {bytes} bytes, and {allowed}"
        ))
        .advice(advice),
    )
    .breaks(rule)
}

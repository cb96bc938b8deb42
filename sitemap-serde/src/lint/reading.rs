//! Reading one document: its findings, and its data for the rules about several documents.

use std::io::{Cursor, Read};

use crate::diagnostic::{Diagnostic, Severity};
use crate::document::sniff::Format;
use crate::document::{DocumentReader, Leniency, StyleInstruction};
use crate::error::{Error, ErrorKind, Result};
use crate::filter::Filter;
use crate::loc::{LocRules, LocSettings};
use crate::model::Kind;
use crate::record::RecordState;
use crate::schema::Namespace;
use crate::xml::names::KnownNamespaces;
use crate::xml::source::{StreamSource, Window};

use super::dates::Clock;
use super::entry::{Checks, Links, Seen};
use super::languages::{self, LabelledLink, Schemes};
use super::loc::LocHasher;
use super::{Finding, Findings, Input, Linter, Summary, events, head, set};

/// Some of the findings in a document.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The hashes of locs.
    pub(super) locs: Vec<u64>,
    pub(super) links: Vec<LabelledLink>,
    pub(super) schemes: Schemes,
    /// The numbers of the pages that are listed.
    pub(super) pages: Vec<usize>,
    /// The counts since the last batch, without the diagnostics.
    pub(super) summary: Summary,
}

impl Batch {
    const MOST_DIAGNOSTICS: usize = 64;
    const MOST_NUMBERS: usize = 1024;

    fn is_full(&self) -> bool {
        let numbers = self.locs.len() + self.links.len() + self.pages.len();
        self.diagnostics.len() >= Self::MOST_DIAGNOSTICS || numbers >= Self::MOST_NUMBERS
    }

    fn add_links(&mut self, links: &Links<'_>, hasher: &LocHasher) {
        if links.loc.is_empty() {
            return;
        }
        let from = hasher.hash(links.loc);
        self.locs.push(from);
        languages::add_labelled(&mut self.links, from, &links.alternates, hasher);
        self.schemes.add_links(&links.alternates);
    }
}

/// Reads a document to its end, or to the first unreadable place. Findings are handed over in batches, also before an error.
pub(super) fn read(
    document: &mut Input<'_>,
    linter: &Linter,
    hasher: &LocHasher,
    hand_over: impl FnMut(Batch),
) -> Result<()> {
    let mut reading = Reading {
        linter,
        hasher,
        batch: Batch::default(),
        hand_over,
    };
    let result = reading.begin(document);
    reading.flush();
    result
}

/// A document while it is read.
struct Reading<'l, H> {
    linter: &'l Linter,
    hasher: &'l LocHasher,
    batch: Batch,
    hand_over: H,
}

impl<H: FnMut(Batch)> Reading<'_, H> {
    fn flush(&mut self) {
        (self.hand_over)(std::mem::take(&mut self.batch));
    }

    fn flush_if_full(&mut self) {
        if self.batch.is_full() {
            self.flush();
        }
    }

    fn report(&mut self, finding: &Finding) {
        let diagnostic = self.linter.diagnostic(finding);
        self.push(diagnostic);
    }

    /// Reports a finding about the entry that was read last.
    fn report_of_entry(&mut self, reader: &LenientReader<'_>, is_xml: bool, finding: Finding) {
        let finding = finding.map(|error| reader.in_record(error));
        let diagnostic = self.linter.diagnostic(&finding).map(|diagnostic| {
            if is_xml {
                finding.applied_to(reader.view().text.get(), diagnostic)
            } else {
                diagnostic
            }
        });
        self.push(diagnostic);
    }

    /// Reports the last repairs of lenient reading, except for those in a skipped entry. Returns `true` if the XML was repaired.
    fn report_repairs(
        &mut self,
        reader: &mut LenientReader<'_>,
        document: &mut Input<'_>,
        skipped: Option<u64>,
    ) -> bool {
        let mut is_repaired = false;
        for diagnostic in reader.take_diagnostics() {
            let is_error = diagnostic.severity() == Severity::Error;
            is_repaired |= is_error;
            document.is_damaged |= is_error;
            if skipped.is_some() && diagnostic.entry() == skipped {
                continue;
            }
            let severity = self.linter.engines.of_repair(&diagnostic);
            let severity = self.linter.severity(diagnostic.rule(), Some(severity));
            self.push(severity.map(|severity| diagnostic.with_severity(severity)));
        }
        is_repaired
    }

    fn push(&mut self, diagnostic: Option<Diagnostic>) {
        self.batch.diagnostics.extend(diagnostic);
        self.flush_if_full();
    }

    fn begin(&mut self, document: &mut Input<'_>) -> Result<()> {
        let settings = LocSettings {
            location: document.location.clone(),
            cross_submission: self.linter.cross_submission,
            ..LocSettings::default()
        };
        let rules = LocRules::new(&settings);
        rules.check()?;
        let mut checks = Checks {
            values: RecordState::new(false, rules, KnownNamespaces::default()),
            clock: self.linter.now.and_then(Clock::at),
            modified: document.modified,
            has_location: document.location.is_some(),
            named_by: self.linter.sites_naming(&document.addresses()),
        };
        for finding in events::response(self.linter, document) {
            self.report(&finding);
        }
        if document.is_of_other() {
            return Ok(());
        }
        let mut input = document.reopen()?;
        let mut head = Vec::new();
        input
            .by_ref()
            .take(head::LEN as u64)
            .read_to_end(&mut head)
            .map_err(|error| set::gone(&document.name, error))?;
        for finding in events::begin(document, &head) {
            self.report(&finding);
        }
        let reader = lenient(Box::new(Cursor::new(head).chain(input)));
        self.batch.summary.documents += 1;
        self.read(reader, &mut checks, document)
    }

    fn read(
        &mut self,
        mut reader: LenientReader<'_>,
        checks: &mut Checks,
        document: &mut Input<'_>,
    ) -> Result<()> {
        let kind = reader.kind();
        self.report_stylesheets(&mut reader);
        let kind = match kind {
            Ok(kind) => kind,
            Err(error) if is_unreadable(&error) => return Err(error),
            Err(error) => {
                self.report(&Finding::new(error).error());
                return Ok(());
            }
        };
        document.kind = Some(kind);
        // At the root, whose declarations are out of scope at its end.
        let declared = reader.in_scope();
        let mut declared = Namespace::extensions()
            .filter(|extension| declared.contains(*extension))
            .filter_map(Namespace::prefix)
            .filter(|prefix| *prefix != "image");
        let is_of_news = declared.next() == Some("news") && declared.next().is_none();
        let format = reader.format();
        document.is_feed = format.is_feed();
        let has_schema = matches!(format, Format::UrlSet | Format::SitemapIndex);
        if has_schema && let Some(finding) = events::root(reader.root_tag()) {
            self.report(&finding);
        }
        let mut seen = Seen::default();
        let mut findings = Findings::default();
        let mut exceeded = Exceeded::default();
        // The number of entries that the filter does not keep.
        let mut left_out = 0;
        // `true` if an error ended the reading, so that the rest is unknown.
        let mut is_ended = false;
        loop {
            let next = reader.next_record();
            let is_kept = !matches!(next, Ok(true)) || self.linter.keeps(&reader.view(), kind, Filter::keeps);
            let skipped = (!is_kept).then(|| reader.entries());
            let is_repaired = self.report_repairs(&mut reader, document, skipped);
            match next {
                Ok(true) => {
                    // The unread content of a broken entry is unclear.
                    let has_structure = has_schema && !is_repaired;
                    let view = reader.view();
                    let event = (kind, has_structure);
                    let (links, page) =
                        events::entry(self.linter, checks, &view, event, &mut seen, &mut findings);
                    self.batch.add_links(&links, self.hasher);
                    self.batch.pages.extend(page);
                }
                Ok(false) => break,
                Err(error) if is_unreadable(&error) => return Err(error),
                Err(error) => {
                    document.is_damaged = true;
                    is_ended |= error.ends_reading();
                    self.report(&Finding::new(error).error());
                    continue;
                }
            }
            self.flush_if_full();
            if !is_kept {
                left_out += 1;
                findings.waive(|_| true);
            }
            for finding in findings.take() {
                self.report_of_entry(&reader, has_schema, finding);
            }
            for finding in events::limits(&mut exceeded, &reader, kind, &seen) {
                self.report(&finding.map(|error| reader.in_record(error)));
            }
        }
        // The text after the last entry belongs to the document too.
        if let Some(finding) = events::size(&mut exceeded, &reader) {
            self.report(&finding.map(|error| error.at(reader.position())));
        }
        document.usual_site = std::mem::take(&mut seen.sites).usual();
        let entries = reader.entries();
        match kind {
            Kind::UrlSet => self.batch.summary.entries += entries - left_out,
            Kind::SitemapIndex => self.batch.summary.sitemaps += entries,
        }
        let of_entries = findings.dropped(|rule| self.linter.severity(rule, None).is_some());
        self.batch.summary.dropped += of_entries + reader.dropped_diagnostics();
        self.batch.summary.bytes += reader.bytes_read();
        for finding in events::end(self.linter, &reader, kind, &seen, (is_ended, is_of_news)) {
            self.report(&finding);
        }
        Ok(())
    }

    /// Reports the stylesheets before the root that browsers stop applying.
    fn report_stylesheets(&mut self, reader: &mut LenientReader<'_>) {
        // In a document with a DOCTYPE, the text differs from the document's.
        let is_plain = reader.source_mut().is_some();
        for StyleInstruction { position, text } in reader.take_stylesheets() {
            let Some(error) = events::stylesheet(&text) else {
                continue;
            };
            let finding = Finding::new(error.at(position)).len(text.len());
            let diagnostic = self.linter.diagnostic(&finding).map(|diagnostic| {
                let diagnostic = diagnostic.with_found(&text);
                if is_plain {
                    diagnostic.with_place(position.byte(), &text, String::new())
                } else {
                    diagnostic
                }
            });
            self.push(diagnostic);
        }
    }
}

/// The limits of a document that it has exceeded, which is reported once.
#[derive(Debug, Default)]
pub(super) struct Exceeded {
    pub(super) entries: Once,
    pub(super) bytes: Once,
    pub(super) news: Once,
}

/// Something that is reported once.
#[derive(Debug, Default)]
pub(super) struct Once(bool);

impl Once {
    /// Returns `true` if something is exceeded, and was not known to be.
    pub(super) fn is_first(&mut self, is_exceeded: bool) -> bool {
        is_exceeded && !std::mem::replace(&mut self.0, true)
    }
}

/// Returns `true` if a document could not be read at all, as opposed to damaged compression.
pub(super) fn is_unreadable(error: &Error) -> bool {
    error.kind() == ErrorKind::Io && error.rule().is_none()
}

/// The reader of both passes, compiled once, for any source of bytes.
pub(super) type LenientReader<'a> = DocumentReader<StreamSource<Box<dyn Read + 'a>>>;

/// A lenient reader, for text sitemaps and feeds too.
pub(super) fn lenient<'a>(reader: Box<dyn Read + 'a>) -> LenientReader<'a> {
    let mut source = StreamSource::new(reader);
    source.take_odd_bytes();
    let mut document = DocumentReader::new(source, Checks::limits(), KnownNamespaces::default());
    // Repeated and misplaced elements of extensions are reported by the extensions' own rules.
    document.be_lenient(Leniency {
        leaves_extensions: true,
        ..Leniency::default()
    });
    document.take_formats();
    document
}

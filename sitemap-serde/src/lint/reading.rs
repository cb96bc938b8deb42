//! Reading one document: its findings, and its data for the rules about several documents.

use std::io::{Cursor, Read};

use sitemap_values::Rule;

use crate::diagnostic::{Diagnostic, Replacement, Severity};
use crate::document::sniff::Format;
use crate::document::{DocumentReader, Leniency, StyleInstruction};
use crate::error::{Error, ErrorKind, Position, Result};
use crate::limits::Limits;
use crate::loc::{LocRules, LocSettings, same_site};
use crate::model::Kind;
use crate::record::{RecordState, RecordView};
use crate::schema::Namespace;
use crate::search_console;
use crate::xml::names::KnownNamespaces;
use crate::xml::source::{StreamSource, Window};

use super::dates::Clock;
use super::document::{empty, no_news, odd_namespace, too_large, too_many, too_much_news};
use super::entry::{Checks, Links, Seen};
use super::loc::LocHasher;
use super::{Finding, Findings, Input, Linter, Totals, head, pages, set, structure};

/// Some of the findings in a document.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The hashes of locs.
    pub(super) locs: Vec<u64>,
    /// The hashes of the locs at both ends of links between alternates.
    pub(super) links: Vec<(u64, u64)>,
    /// The numbers of the pages that are listed.
    pub(super) pages: Vec<usize>,
    /// What is counted since the last batch, without the diagnostics.
    pub(super) totals: Totals,
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
        let mut linked: Vec<_> = links
            .alternates
            .iter()
            .map(|link| hasher.hash(link.href))
            .collect();
        // A page that is linked to twice links back once.
        linked.sort_unstable();
        linked.dedup();
        self.links.extend(linked.into_iter().map(|to| (from, to)));
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

    /// Reports the last repairs of lenient reading. Returns whether the XML was repaired.
    fn report_repairs(&mut self, reader: &mut LenientReader<'_>, document: &mut Input<'_>) -> bool {
        let mut is_repaired = false;
        for diagnostic in reader.take_diagnostics() {
            let is_error = diagnostic.severity() == Severity::Error;
            is_repaired |= is_error;
            document.is_damaged |= is_error;
            let severity = self
                .linter
                .severity(diagnostic.rule(), Some(diagnostic.severity()));
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
        if let Some(response) = &document.response {
            for error in response.errors().chain(self.linter.forbidden(document)) {
                self.report(&Finding::new(error));
            }
        }
        let mut input = document.reopen()?;
        let mut head = Vec::new();
        input
            .by_ref()
            .take(head::LEN as u64)
            .read_to_end(&mut head)
            .map_err(|error| set::gone(&document.name, error))?;
        if document.response.is_none()
            && let Some(error) = head::check_name(&document.name, &head)
        {
            self.report(&Finding::new(error).warning());
        }
        for error in head::check(&head) {
            self.report(&Finding::new(error));
        }
        let reader = lenient(Box::new(Cursor::new(head).chain(input)));
        self.batch.totals.documents += 1;
        self.read(reader, &mut checks, document)
    }

    fn report_root(&mut self, reader: &LenientReader<'_>) {
        let namespace = odd_namespace(reader.root_namespace()).map(|error| Finding::new(error).note());
        let attribute = structure::unknown_attribute(reader.root_tag()).map(Finding::new);
        for finding in [namespace, attribute].into_iter().flatten() {
            self.report(&finding.map(|error| error.at(Position::new(1, 1, 0))));
        }
    }

    fn check_entry(
        &mut self,
        view: &RecordView<'_, '_>,
        kind: Kind,
        has_structure: bool,
        checks: &mut Checks,
        seen: &mut Seen,
        findings: &mut Findings,
    ) {
        let links = checks.entry(view, kind, seen, findings);
        if checks.named_by.iter().any(|site| same_site(site, links.loc)) {
            findings.waive(|rule| matches!(rule, Rule::Host | Rule::Path | Rule::Idx1 | Rule::Idx2));
        }
        if has_structure {
            structure::of_entry(view, findings);
        }
        self.batch.add_links(&links, self.hasher);
        if let Some((_, node)) = view.table.loc() {
            let blocked = self.linter.blocked(links.loc);
            let long = self.linter.engines.long_loc(links.loc);
            findings.extend(
                [blocked, long]
                    .into_iter()
                    .flatten()
                    .map(|error| Finding::at(error, view, node)),
            );
        }
        if kind == Kind::UrlSet
            && let Some(pages) = self.linter.pages.as_deref()
        {
            let has_robots = !self.linter.robots.is_empty();
            let listed = pages::check(pages, has_robots, view, &links, findings);
            self.batch.pages.extend(listed);
        }
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
        if has_schema {
            self.report_root(&reader);
        }
        let mut seen = Seen::default();
        let mut findings = Findings::default();
        let mut exceeded = Exceeded::default();
        // `true` if an error ended the reading, so that the rest is unknown.
        let mut is_ended = false;
        loop {
            let next = reader.next_record();
            let is_repaired = self.report_repairs(&mut reader, document);
            match next {
                Ok(true) => {
                    // What an entry has that was not read is not clear in a broken one.
                    let has_structure = has_schema && !is_repaired;
                    self.check_entry(
                        &reader.view(),
                        kind,
                        has_structure,
                        checks,
                        &mut seen,
                        &mut findings,
                    );
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
            for finding in findings.take() {
                self.report_of_entry(&reader, has_schema, finding);
            }
            for finding in exceeded.by_entry(&reader, kind, &seen) {
                self.report(&finding.map(|error| reader.in_record(error)));
            }
        }
        // What follows the last entry belongs to the document too.
        if let Some(finding) = exceeded.size(&reader) {
            self.report(&finding.map(|error| error.at(reader.position())));
        }
        document.usual_site = std::mem::take(&mut seen.sites).usual();
        let entries = reader.entries();
        match kind {
            Kind::UrlSet => self.batch.totals.entries += entries,
            Kind::SitemapIndex => self.batch.totals.sitemaps += entries,
        }
        let of_entries = findings.left_out(|rule| self.linter.severity(rule, None).is_some());
        self.batch.totals.left_out += of_entries + reader.dropped_diagnostics();
        self.batch.totals.bytes += reader.bytes_read();
        self.report_whole(&reader, kind, &seen, is_ended, is_of_news);
        Ok(())
    }

    /// Reports the stylesheets before the root that browsers stop applying.
    fn report_stylesheets(&mut self, reader: &mut LenientReader<'_>) {
        // In a document with a DOCTYPE, the text differs from the document's.
        let is_plain = reader.source_mut().is_some();
        for StyleInstruction { position, text } in reader.take_stylesheets() {
            let Some(error) = head::xslt(&text) else { continue };
            let finding = Finding::new(error.at(position)).len(text.len());
            let diagnostic = self.linter.diagnostic(&finding).map(|diagnostic| {
                let diagnostic = diagnostic.with_found(&text);
                if is_plain {
                    diagnostic.with_replacement(Replacement::new(position.byte(), &text, String::new()))
                } else {
                    diagnostic
                }
            });
            self.push(diagnostic);
        }
    }

    /// Reports what is found about a document as a whole, once it is read.
    fn report_whole(
        &mut self,
        reader: &LenientReader<'_>,
        kind: Kind,
        seen: &Seen,
        is_ended: bool,
        is_of_news: bool,
    ) {
        let (start, format, entries) = (Position::new(1, 1, 0), reader.format(), reader.entries());
        let engines = &self.linter.engines;
        let of_engines: Vec<_> = [
            engines.feed(format),
            engines.too_large(reader.bytes_read(), Limits::BYTES),
        ]
        .into_iter()
        .flatten()
        .map(Finding::new)
        .chain(engines.of_entries(seen.engines))
        .collect();
        // Of a feed, the reader has said so.
        let empty = (entries == 0 && !is_ended && !format.is_feed()).then(|| {
            if is_of_news {
                Finding::new(no_news()).note()
            } else {
                Finding::new(empty(kind))
            }
        });
        let whole = [
            seen.priorities.all_high(),
            seen.lastmods.all_equal(),
            seen.hints.ignored(),
        ];
        let whole = whole.into_iter().flatten().map(Finding::new);
        for finding in empty.into_iter().chain(whole).chain(of_engines) {
            self.report(&finding.map(|error| error.at(start)));
        }
    }
}

/// The limits of a document that it has exceeded, which is reported once.
#[derive(Debug, Default)]
struct Exceeded {
    entries: bool,
    bytes: bool,
    news: bool,
}

impl Exceeded {
    /// The findings about the limits that are exceeded by the last entry.
    fn by_entry(&mut self, reader: &LenientReader<'_>, kind: Kind, seen: &Seen) -> Vec<Finding> {
        let mut found = Vec::new();
        if is_first(&mut self.entries, reader.entries() > Limits::ENTRIES) {
            let name = (kind == Kind::SitemapIndex).then_some(search_console::TOO_MANY_SITEMAPS);
            let error = too_many(kind, reader.format(), Limits::ENTRIES);
            found.push(Finding::new(error).called(name));
        }
        if is_first(&mut self.news, seen.news > crate::schema::MOST_NEWS) {
            found.push(Finding::new(too_much_news()));
        }
        found.extend(self.size(reader));
        found
    }

    /// The finding if what has been read is too large.
    fn size(&mut self, reader: &LenientReader<'_>) -> Option<Finding> {
        is_first(&mut self.bytes, reader.bytes_read() > Limits::BYTES).then(|| {
            let error = too_large(reader.format(), Limits::BYTES);
            Finding::new(error).called(Some(search_console::TOO_LARGE))
        })
    }
}

/// Returns `true` if something is exceeded, and was not known to be.
fn is_first(is_known: &mut bool, is_exceeded: bool) -> bool {
    is_exceeded && !std::mem::replace(is_known, true)
}

/// Returns `true` if a document could not be read at all, as opposed to damaged compression.
pub(super) fn is_unreadable(error: &Error) -> bool {
    error.kind() == ErrorKind::Io && error.rule().is_none()
}

/// The reader of both passes, compiled once, for any source of bytes.
type LenientReader<'a> = DocumentReader<StreamSource<Box<dyn Read + 'a>>>;

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

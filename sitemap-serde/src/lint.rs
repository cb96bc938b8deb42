//! Linting: sitemaps are checked against every rule of the format, and against advice for publishers.
//!
//! A [`Linter`] holds the settings; [`Linter::start`] begins a [`Lint`] of one document or of a set, such as an index and the
//! sitemaps that it lists. Documents are read as streams: beside the window that reading needs, a lint keeps a hash of 8 bytes
//! for each loc (10 to 31 bytes in its table), which tells those that are listed twice, and 32 KiB to balance links between
//! alternates. Where the hashes raise a suspicion [`Lint::finish`] reads the documents again and compares texts.
//!
//! ```
//! use sitemap_serde::lint::Linter;
//! use sitemap_serde::{Rule, lint::Severity};
//!
//! let xml = r#"<?xml version="1.0" encoding="UTF-8"?>
//! <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
//!   <url><loc>https://example.com/</loc><lastmod>01.05.2026</lastmod></url>
//!   <url><loc>https://example.com/</loc></url>
//! </urlset>"#;
//!
//! let diagnostics = Linter::new().check(xml.as_bytes());
//! let found: Vec<_> = diagnostics.iter().map(|found| (found.severity(), found.rule(), found.entry())).collect();
//! assert_eq!(
//!     found,
//!     [(Severity::Warning, Rule::Lastmod, Some(1)), (Severity::Note, Rule::DupLoc, Some(2))]
//! );
//! ```

mod alternates;
mod dates;
mod document;
mod engines;
mod entry;
mod finding;
mod head;
mod hints;
mod input;
mod loc;
mod media;
mod pages;
mod set;
mod site;
mod structure;
mod table;
mod totals;

use std::fmt;
use std::io::{Cursor, Read};
use std::sync::Arc;

use sitemap_values::quote::quote;
use sitemap_values::{Rule, W3cDateTime};

pub use crate::diagnostic::Severity;
pub use input::Input;
pub use pages::{PageStatus, SitePage, SitePages};
pub use table::Page;
pub use totals::Totals;

use crate::diagnostic::Diagnostic;
use crate::document::sniff::Format;
use crate::document::{DocumentReader, Leniency};
use crate::engine::Engine;
use crate::error::{Error, Message, Position, Result};
use crate::limits::Limits;
use crate::loc::{LocRules, LocSettings, same_site};
use crate::model::Kind;
use crate::record::RecordState;
use crate::robots::Robots;
use crate::search_console;
use crate::xml::names::KnownNamespaces;
use crate::xml::source::{StreamSource, Window};

use dates::Clock;
use document::{empty, odd_namespace, too_large, too_many, too_much_news};
use engines::Engines;
use entry::{Checks, Seen};
use finding::{Finding, Findings};
use pages::Listed;
use set::Set;

/// The settings of a lint: the current time, the severity of each rule, robots.txt, and the pages of the site.
#[derive(Clone, Debug, Default)]
pub struct Linter {
    now: Option<W3cDateTime>,
    /// The last one of a rule counts.
    levels: Vec<(Rule, Option<Severity>)>,
    cross_submission: bool,
    robots: Vec<Site>,
    engines: Engines,
    pages: Option<Arc<dyn SitePages>>,
}

/// A site's robots.txt, and the crawler that it is asked for.
#[derive(Clone, Debug)]
struct Site {
    location: String,
    robots: Robots,
    agent: String,
}

impl Linter {
    /// All rules have the severity of their [`Page`], and the current time is unknown: rules about it find nothing.
    pub fn new() -> Self {
        Linter::default()
    }

    /// Sets the current time for the rules that need it: L-FUTURE and P-NEWS5. A value without a zone is in UTC.
    pub fn now(&mut self, now: W3cDateTime) -> &mut Self {
        self.now = Some(now);
        self
    }

    /// Sets the severity of a rule; `None` switches it off.
    ///
    /// ```
    /// use sitemap_serde::lint::Linter;
    /// use sitemap_serde::{Rule, lint::Severity};
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>"#;
    /// let mut linter = Linter::new();
    /// linter.level(Rule::Decl, None).level(Rule::Empty, Some(Severity::Note));
    /// let diagnostics = linter.check(xml.as_bytes());
    /// assert_eq!(
    ///     diagnostics[0].to_string(),
    ///     "note[P-EMPTY]: the document has no entries: a urlset has at least one (P-EMPTY); leave it out of the index \
    ///      until it has some, at line 1, column 1 (byte 0)"
    /// );
    /// assert_eq!(diagnostics.len(), 1);
    /// ```
    pub fn level(&mut self, rule: Rule, severity: Option<Severity>) -> &mut Self {
        self.levels.push((rule, severity));
        self
    }

    /// Names the search engines that the documents are for. Rules that none of them minds ([`Stance::Takes`](crate::engine::Stance::Takes))
    /// find nothing then, and L-ENGINE finds what one of them alone refuses, ignores or asks for. Without a name all rules count, and
    /// L-ENGINE finds nothing.
    ///
    /// ```
    /// use sitemap_serde::Rule;
    /// use sitemap_serde::engine::Engine;
    /// use sitemap_serde::lint::Linter;
    ///
    /// let xml = r#"<?xml version="1.0" encoding="UTF-8"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <url><loc>https://example.com/</loc><lastmod>2026-05-01</lastmod><priority>0.3</priority></url>
    /// </urlset>"#;
    ///
    /// let found = |engines: &[Engine]| -> Vec<Rule> {
    ///     let found = Linter::new().engines(engines.iter().copied()).check(xml.as_bytes());
    ///     found.iter().map(|found| found.rule()).collect()
    /// };
    /// assert_eq!(found(&[]), [Rule::Ignored]);
    /// assert_eq!(found(&[Engine::Yandex]), []); // it uses the priority
    /// assert_eq!(found(&[Engine::Bing, Engine::Yandex]), [Rule::Ignored, Rule::Engine]); // Bing asks for a time
    /// ```
    pub fn engines(&mut self, engines: impl IntoIterator<Item = Engine>) -> &mut Self {
        self.engines = Engines::new(engines.into_iter().collect());
        self
    }

    /// Whether pages outside of a document's site and directory are allowed, as cross-submission through robots.txt allows
    /// them (P-HOST, P-PATH, P-IDX1, P-IDX2). Off by default; it matters for documents whose location is known.
    pub fn cross_submission(&mut self, allowed: bool) -> &mut Self {
        self.cross_submission = allowed;
        self
    }

    /// Adds the `robots.txt` of a site, by the file's location: pages of that site that it blocks for the crawler are findings
    /// (L-ROBOTS). There may be one for each of several sites.
    ///
    /// ```
    /// use sitemap_serde::Rule;
    /// use sitemap_serde::lint::Linter;
    /// use sitemap_serde::robots::Robots;
    ///
    /// let robots = Robots::parse(b"User-agent: *\nDisallow: /cart");
    /// let mut linter = Linter::new();
    /// linter.robots("https://example.com/robots.txt", robots, "Googlebot");
    /// let found = linter.check(b"https://example.com/\nhttps://example.com/cart\n");
    /// assert_eq!((found.len(), found[0].rule(), found[0].entry()), (1, Rule::Robots, Some(2)));
    /// assert_eq!(
    ///     found[0].message(),
    ///     "`https://example.com/cart` is blocked for `Googlebot` by line 2 of robots.txt, `Disallow: /cart` (L-ROBOTS); take the page \
    ///      out of the sitemap, or allow it"
    /// );
    /// ```
    pub fn robots(
        &mut self,
        location: impl Into<String>,
        robots: Robots,
        agent: impl Into<String>,
    ) -> &mut Self {
        self.robots.push(Site {
            location: location.into(),
            robots,
            agent: agent.into(),
        });
        self
    }

    /// Sets the pages of the site, with which the entries are compared: L-NOINDEX, L-REDIRECT, L-CANONICAL, L-MISSING, L-UNLISTED,
    /// L-HREFLANG, L-PAGEDATE, and L-ROBOTS if no [`robots`](Self::robots) are set. The crate `sitemap-pages` reads them from a folder of
    /// built pages.
    pub fn pages(&mut self, pages: impl SitePages + 'static) -> &mut Self {
        self.pages = Some(Arc::new(pages));
        self
    }

    /// The error for a page that robots.txt blocks.
    fn blocked(&self, loc: &str) -> Option<Error> {
        self.robots.iter().find_map(|site| {
            let rule = site.robots.blocking(&site.agent, loc)?;
            if !same_site(&site.location, loc) {
                return None;
            }
            let message = Message::new(format!(
                "{} is blocked for `{}` by line {} of robots.txt, {}",
                quote(loc),
                site.agent,
                rule.number,
                quote(&rule.text)
            ));
            let error = Error::data(message.advice("take the page out of the sitemap, or allow it"));
            Some(error.breaks(Rule::Robots).within("loc"))
        })
    }

    /// Checks one document in memory, and returns all diagnostics.
    pub fn check(&self, document: &[u8]) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut lint = self.start(|_, diagnostic| diagnostics.push(diagnostic));
        let read = lint.document(Input::from_slice("the document", document));
        let finished = lint.finish();
        for error in [read.err(), finished.err()].into_iter().flatten() {
            diagnostics.push(Diagnostic::of(&error, Rule::Xml, Severity::Error, 0));
        }
        diagnostics
    }

    /// Begins a lint of several documents, which are added one by one. `report` is called with each diagnostic and the number of its
    /// document, from 0.
    pub fn start<'a, F: FnMut(usize, Diagnostic)>(&self, report: F) -> Lint<'a, F> {
        Lint {
            linter: self.clone(),
            report,
            documents: Vec::new(),
            set: Set::default(),
            listed: Listed::default(),
            totals: Totals::default(),
        }
    }

    fn severity(&self, rule: Rule, given: Option<Severity>) -> Option<Severity> {
        match self.levels.iter().rev().find(|(known, _)| *known == rule) {
            Some((_, level)) => *level,
            None if !self.engines.need(rule) => None,
            None => Some(given.unwrap_or_else(|| Page::of(rule).severity())),
        }
    }
}

/// A lint in progress: documents are added one by one; rules about several documents are checked at the end.
pub struct Lint<'a, F> {
    linter: Linter,
    report: F,
    documents: Vec<Input<'a>>,
    set: Set,
    listed: Listed,
    totals: Totals,
}

impl<F> fmt::Debug for Lint<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lint")
            .field("linter", &self.linter)
            .field("documents", &self.documents)
            .field("totals", &self.totals)
            .finish_non_exhaustive()
    }
}

impl<'a, F: FnMut(usize, Diagnostic)> Lint<'a, F> {
    fn tell(&mut self, document: usize, finding: &Finding) {
        tell(
            &self.linter,
            &mut self.totals,
            &mut self.report,
            document,
            finding,
            |diagnostic| diagnostic,
        );
    }

    /// Reports a finding about the entry that was read last.
    fn tell_of_entry(&mut self, document: usize, reader: &LenientReader<'a>, is_xml: bool, finding: Finding) {
        let finding = finding.map(|error| reader.in_record(error));
        let located = |diagnostic| {
            if !is_xml {
                return diagnostic;
            }
            finding.applied_to(reader.view().text.get(), diagnostic)
        };
        tell(
            &self.linter,
            &mut self.totals,
            &mut self.report,
            document,
            &finding,
            located,
        );
    }

    /// Reports a repair of lenient reading.
    fn tell_repair(&mut self, document: usize, diagnostic: Diagnostic) {
        let rule = diagnostic.rule();
        if let Some(severity) = self.linter.severity(rule, Some(diagnostic.severity())) {
            *self.totals.counts.entry((rule, severity)).or_default() += 1;
            (self.report)(document, diagnostic.with_severity(severity));
        }
    }

    /// Reads a document to its end, or until it cannot be read further, and reports its problems.
    ///
    /// # Errors
    /// [`Category::Io`](crate::Category::Io) if it cannot be opened or read, and [`Category::Settings`](crate::Category::Settings) if its
    /// [location](Input::location) is not an absolute URL. The lint can go on with the next document; this one has its number all the same. Problems of the document itself are
    /// diagnostics, damaged compression among them.
    pub fn document(&mut self, mut document: Input<'a>) -> Result<()> {
        let result = self.begin(&mut document);
        document.is_unreadable = result.is_err();
        self.documents.push(document);
        result
    }

    fn begin(&mut self, document: &mut Input<'a>) -> Result<()> {
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
        };
        let mut input = document.reopen()?;
        let mut head = Vec::new();
        input
            .by_ref()
            .take(head::LEN as u64)
            .read_to_end(&mut head)
            .map_err(|error| set::gone(&document.name, error))?;
        let number = self.documents.len();
        for error in head::check(&head) {
            self.tell(number, &Finding::new(error));
        }
        let reader = lenient(Box::new(Cursor::new(head).chain(input)));
        self.totals.documents += 1;
        self.read(reader, &mut checks, number, document)
    }

    fn read(
        &mut self,
        mut reader: LenientReader<'a>,
        checks: &mut Checks,
        number: usize,
        document: &mut Input<'a>,
    ) -> Result<()> {
        let start = Position::new(1, 1, 0);
        let kind = match reader.kind() {
            Ok(kind) => kind,
            Err(error) if is_unreadable(&error) => return Err(error),
            Err(error) => {
                self.tell(number, &Finding::new(error).error());
                return Ok(());
            }
        };
        document.kind = Some(kind);
        let format = reader.format();
        let has_schema = matches!(format, Format::UrlSet | Format::SitemapIndex);
        if has_schema {
            let namespace = odd_namespace(reader.root_namespace()).map(|error| Finding::new(error).note());
            let attribute = structure::unknown_attribute(reader.root_tag()).map(Finding::new);
            for finding in [namespace, attribute].into_iter().flatten() {
                self.tell(number, &finding.map(|error| error.at(start)));
            }
        }
        let mut seen = Seen::default();
        let (most_entries, most_bytes) = (Limits::ENTRIES, Limits::BYTES);
        let (mut has_too_many, mut is_too_large) = (false, false);
        let mut findings = Findings::default();
        loop {
            let next = reader.next_record();
            let repairs = reader.take_diagnostics();
            let is_repaired = !repairs.is_empty();
            for diagnostic in repairs {
                self.tell_repair(number, diagnostic);
            }
            match next {
                Ok(true) => {
                    let view = reader.view();
                    let links = checks.entry(&view, kind, &mut seen, &mut findings);
                    // What an entry has that was not read is not clear in a broken one.
                    if has_schema && !is_repaired {
                        structure::of_entry(&view, &mut findings);
                    }
                    self.set.add(links.loc, &links.alternates);
                    if let Some((_, node)) = view.table.loc() {
                        let blocked = self.linter.blocked(links.loc);
                        let long = self.linter.engines.long_loc(links.loc);
                        findings.extend(
                            [blocked, long]
                                .into_iter()
                                .flatten()
                                .map(|error| Finding::at(error, &view, node)),
                        );
                    }
                    if kind == Kind::UrlSet
                        && let Some(pages) = self.linter.pages.as_deref()
                    {
                        let has_robots = !self.linter.robots.is_empty();
                        self.listed.check(pages, has_robots, &view, &links, &mut findings);
                    }
                }
                Ok(false) => break,
                Err(error) if is_unreadable(&error) => return Err(error),
                Err(error) => {
                    self.tell(number, &Finding::new(error).error());
                    continue;
                }
            }
            for finding in findings.take() {
                self.tell_of_entry(number, &reader, has_schema, finding);
            }
            if !has_too_many && reader.entries() > most_entries {
                has_too_many = true;
                let error = too_many(kind, format, most_entries);
                let name = (kind == Kind::SitemapIndex).then_some(search_console::TOO_MANY_SITEMAPS);
                self.tell(number, &Finding::new(reader.in_record(error)).called(name));
            }
            if seen.news == crate::schema::MOST_NEWS + 1 {
                seen.news += 1;
                let error = too_much_news();
                self.tell(number, &Finding::new(reader.in_record(error)));
            }
            if !is_too_large && reader.bytes_read() > most_bytes {
                is_too_large = true;
                let error = too_large(format, most_bytes);
                self.tell(number, &of_size(reader.in_record(error)));
            }
        }
        // What follows the last entry belongs to the document too.
        if !is_too_large && reader.bytes_read() > most_bytes {
            let error = too_large(format, most_bytes).at(reader.position());
            self.tell(number, &of_size(error));
        }
        document.usual_site = std::mem::take(&mut seen.sites).usual();
        let entries = reader.entries();
        match kind {
            Kind::UrlSet => self.totals.entries += entries,
            Kind::SitemapIndex => self.totals.sitemaps += entries,
        }
        let of_entries = findings.left_out(|rule| self.linter.severity(rule, None).is_some());
        self.totals.left_out += of_entries + reader.diagnostics_left_out();
        self.totals.bytes += reader.bytes_read();
        self.tell_of_whole(number, &reader, kind, &seen);
        Ok(())
    }

    /// Reports what is found about a document as a whole, once it is read.
    fn tell_of_whole(&mut self, number: usize, reader: &LenientReader<'a>, kind: Kind, seen: &Seen) {
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
        let empty = (entries == 0 && !format.is_feed()).then(|| empty(kind));
        let whole = [
            empty,
            seen.priorities.all_high(),
            seen.lastmods.all_equal(),
            seen.hints.ignored(),
        ];
        for finding in whole.into_iter().flatten().map(Finding::new).chain(of_engines) {
            self.tell(number, &finding.map(|error| error.at(start)));
        }
    }

    /// The counts so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Ends the lint: checks the rules about several documents (L-DUPLOC, P-ALT4, P-NEST, P-IDX3), about the site of a document whose
    /// location is unknown (P-HOST, L-HTTP, L-WWW), and about pages that no document lists (L-UNLISTED, unless a document could not be
    /// read), and returns the counts.
    ///
    /// # Errors
    /// [`Category::Io`](crate::Category::Io) if a document cannot be opened or read again.
    pub fn finish(mut self) -> Result<Totals> {
        let set = std::mem::take(&mut self.set);
        let (linter, report, totals) = (&self.linter, &mut self.report, &mut self.totals);
        let left_out = set.finish(&mut self.documents, |document, finding| {
            tell(linter, totals, report, document, &finding, |diagnostic| {
                diagnostic
            });
        })?;
        self.totals.left_out += left_out;
        self.report_unlisted();
        Ok(self.totals)
    }

    /// Reports the pages that are not listed, as findings about the first document with pages.
    fn report_unlisted(&mut self) {
        let has_all = !self.documents.iter().any(|document| document.is_unreadable);
        let first = self
            .documents
            .iter()
            .position(|document| document.kind == Some(Kind::UrlSet));
        if let (Some(pages), Some(first), true) = (self.linter.pages.clone(), first, has_all) {
            for error in self.listed.missing(&*pages) {
                self.tell(first, &Finding::new(error));
            }
        }
    }
}

/// The finding that a document, perhaps a text, is too large.
fn of_size(error: Error) -> Finding {
    Finding::new(error).called(Some(search_console::TOO_LARGE))
}

/// Whether a document could not be read, in contrast to one whose compression is damaged.
fn is_unreadable(error: &Error) -> bool {
    error.is_io() && error.rule().is_none()
}

/// The reader of both passes, compiled once, for any source of bytes.
type LenientReader<'a> = DocumentReader<StreamSource<Box<dyn Read + 'a>>>;

/// A lenient reader, for text sitemaps and feeds too.
fn lenient<'a>(reader: Box<dyn Read + 'a>) -> LenientReader<'a> {
    let mut source = StreamSource::new(reader);
    source.take_odd_bytes();
    let mut document = DocumentReader::new(source, Checks::limits(), KnownNamespaces::default());
    // Repeated elements of extensions are reported by the extensions' own rules.
    document.be_lenient(Leniency {
        keeps_doubles: true,
        ..Leniency::default()
    });
    document.take_formats();
    document
}

fn tell(
    linter: &Linter,
    totals: &mut Totals,
    report: &mut impl FnMut(usize, Diagnostic),
    document: usize,
    finding: &Finding,
    complete: impl FnOnce(Diagnostic) -> Diagnostic,
) {
    let Some(error) = &finding.error else { return };
    let rule = finding.rule();
    let Some(severity) = linter.severity(rule, finding.severity) else {
        return;
    };
    *totals.counts.entry((rule, severity)).or_default() += 1;
    let diagnostic = Diagnostic::of(error, rule, severity, finding.len as u64);
    let diagnostic = match finding.search_console {
        Some(name) => diagnostic.with_search_console(name),
        None => diagnostic,
    };
    report(document, complete(diagnostic));
}

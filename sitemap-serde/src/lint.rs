//! Linting: sitemaps are checked against every rule of the format, and against advice for publishers.
//!
//! A [`Linter`] holds the settings; [`Linter::start`] begins a [`Lint`] of one document or of a set, such as an index and the sitemaps that
//! it lists. Documents are read as streams. In addition to the reader's window, a lint keeps a hash of 8 bytes for each loc (10 to 31 bytes
//! in its table) to find duplicates, and 64 KiB to balance links between alternates and their labels. If hashes collide or sums do not balance,
//! [`Lint::finish`] reads the documents again and compares texts.
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

// The files of this folder:
// - this file, `input`, `summary`: the settings, a document to lint, the counts of a lint
// - `events`: the events of a lint, and the checks that each calls
// - `reading`, `jobs`: reads one document; several at a time
// - `set`, `folder`, `site`: rules about several documents; about the folder that has them; the site of a document
// - `document`, `head`, `structure`, `response`: rules about one document
// - `entry`, `loc`, `private`, `dates`, `hints`, `media`, `engines`: rules about an entry and its values
// - `alternates`, `languages`, `pages`: rules about links between languages; about the pages themselves
// - `finding`: what a rule has found, before it is a diagnostic
mod alternates;
mod dates;
mod document;
mod engines;
mod entry;
mod events;
mod finding;
mod folder;
mod head;
mod hints;
mod input;
mod jobs;
mod languages;
mod loc;
mod media;
mod pages;
mod private;
mod reading;
mod response;
mod set;
mod site;
mod structure;
mod summary;

use std::fmt;
use std::io;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;

use sitemap_values::quote::quote;
use sitemap_values::{Rule, W3cDateTime};

pub use crate::diagnostic::Severity;
pub use input::Input;
pub use pages::{PageStatus, SitePage, SitePages};
pub use response::Response;
pub use summary::Summary;

use crate::diagnostic::{Diagnostic, Problem};
use crate::engine::Engine;
use crate::error::{Error, Message, Result};
use crate::filter::Filter;
use crate::loc::same_site;
use crate::model::Kind;
use crate::record::RecordView;
use crate::robots::Robots;
use crate::schema::{LASTMOD, LOC};

use engines::Engines;
use finding::{Finding, Findings};
use folder::{Folder, Served};
use jobs::Step;
use pages::Listed;
use reading::Batch;
use set::Set;

/// The settings of a lint: the current time, the severity of each rule, robots.txt, and the pages of the site.
#[derive(Clone, Debug, Default)]
pub struct Linter {
    now: Option<W3cDateTime>,
    /// The last level for a rule counts.
    levels: Vec<(Rule, Option<Severity>)>,
    cross_submission: bool,
    robots: Vec<Site>,
    engines: Engines,
    pages: Option<Arc<dyn SitePages>>,
    served: Option<Served>,
    filter: Option<Filter>,
}

/// A site's robots.txt, and the crawler to check it for.
#[derive(Clone, Debug)]
struct Site {
    location: String,
    robots: Robots,
    agent: String,
}

impl Linter {
    /// Every rule has its own [severity](Rule::severity), and the current time is unknown: rules about it are silent.
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

    /// Names the search engines that the documents are for. Rules that all of them ignore ([`Stance::Takes`](crate::engine::Stance::Takes))
    /// are then silent, and L-ENGINE reports anything that a single engine rejects, ignores or demands. By default all rules count, and
    /// L-ENGINE is silent.
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

    /// Allows pages outside a document's site and directory, as cross-submission through robots.txt does (P-HOST, P-PATH, P-IDX1, P-IDX2).
    /// Off by default; it matters only for documents with a known location.
    pub fn cross_submission(&mut self, allowed: bool) -> &mut Self {
        self.cross_submission = allowed;
        self
    }

    /// Adds the `robots.txt` of a site, given its location: pages of that site that it blocks for the crawler are findings (L-ROBOTS). A
    /// document that it names, directly or through an index, may list any page of that site (P-HOST, P-PATH, P-IDX1, P-IDX2). Each of
    /// several sites may have its own.
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

    /// Sets the pages of the site for comparison with the entries: L-NOINDEX, L-REDIRECT, L-CANONICAL, L-MISSING, L-UNLISTED, L-HREFLANG,
    /// L-PAGEDATE, and L-ROBOTS if no [`robots`](Self::robots) are set. The crate `sitemap-pages` reads them from a folder of built pages.
    pub fn pages(&mut self, pages: impl SitePages + 'static) -> &mut Self {
        self.pages = Some(Arc::new(pages));
        self
    }

    /// Sets the files that the site serves from a folder at this location, an absolute URL. Sitemaps that an index of the folder lists must
    /// exist (L-ABSENT), and existing sitemaps must be listed (L-ORPHAN) or named by the site's [`robots`](Self::robots). The documents of
    /// the lint are all sitemaps of the folder, with their [locations](Input::location).
    ///
    /// `names` returns the names of all files and directories in a directory; names of directories end with `/`. The directory is empty for
    /// the folder itself, and otherwise a path below it that consists of returned names, such as `maps/news/`.
    ///
    /// ```
    /// use sitemap_serde::lint::{Input, Linter};
    ///
    /// let index = br#"<?xml version="1.0" encoding="UTF-8"?>
    /// <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <sitemap><loc>https://example.com/maps/news.xml</loc></sitemap>
    /// </sitemapindex>"#;
    /// let mut found = Vec::new();
    /// let mut linter = Linter::new();
    /// linter.files("https://example.com/", |directory| match directory {
    ///     "" => Ok(vec!["index.xml".into(), "maps/".into()]),
    ///     _ => Ok(vec!["News.xml".into()]), // in a program, by `std::fs::read_dir`
    /// });
    /// let mut lint = linter.start(|_, diagnostic| found.push(diagnostic.message().to_owned()));
    /// lint.document(Input::from_slice("index.xml", index).location("https://example.com/index.xml"))?;
    /// lint.finish()?;
    /// assert_eq!(
    ///     found,
    ///     ["`https://example.com/maps/news.xml` is listed, and the folder has `maps/News.xml` instead: upper and lower case differ in \
    ///       addresses (L-ABSENT); write `https://example.com/maps/News.xml`, or rename the file"]
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn files(
        &mut self,
        location: impl Into<String>,
        names: impl Fn(&str) -> io::Result<Vec<String>> + Send + Sync + 'static,
    ) -> &mut Self {
        self.served = Some(Served {
            location: location.into(),
            names: Arc::new(names),
        });
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

    /// The robots.txt of a location's site, for each crawler to check.
    fn robots_of(&self, location: &str) -> impl Iterator<Item = &Site> {
        self.robots
            .iter()
            .filter(move |site| same_site(&site.location, location))
    }

    /// The locations of each `robots.txt` that names any of these addresses, of a document or of an index above it.
    fn sites_naming(&self, addresses: &[String]) -> Vec<String> {
        let names = |site: &&Site| {
            addresses.iter().any(|address| {
                if same_site(&site.location, address) {
                    site.robots.names(address)
                } else {
                    site.robots.names_url(address)
                }
            })
        };
        let sites = self.robots.iter().filter(names);
        let mut locations: Vec<_> = sites.map(|site| site.location.clone()).collect();
        locations.dedup();
        locations
    }

    /// The errors for a document that came with a response and is forbidden to crawlers.
    fn forbidden(&self, document: &Input<'_>) -> Vec<Error> {
        let Some(location) = document.response.as_ref().and(document.location.as_deref()) else {
            return Vec::new();
        };
        let sites = self.robots_of(location);
        sites
            .filter_map(|site| response::forbidden(location, &site.robots, &site.agent))
            .collect()
    }

    /// The error for a document that came with a response but appears nowhere, after all documents have been read.
    fn unnamed(&self, document: &Input<'_>) -> Option<Error> {
        let (response, location) = (document.response.as_ref()?, document.location.as_deref()?);
        let site = self.robots_of(location).next()?;
        response::unnamed(response, location, &site.robots)
    }

    /// Reports only findings about documents, and about the entries of pages that a filter keeps. All entries are read, so links and
    /// repeated locs are compared with those that the filter does not keep. These are not counted as [`Summary::entries`].
    ///
    /// ```
    /// use sitemap_serde::Filter;
    /// use sitemap_serde::lint::Linter;
    ///
    /// let entry = |loc: &str| format!("<url><loc>https://example.com{loc}</loc><priority>high</priority></url>");
    /// let xml = format!("<urlset>{}{}</urlset>", entry("/blog/"), entry("/about"));
    /// let mut linter = Linter::new();
    /// linter.filter(Filter::new().locs(|loc| loc.contains("/blog/")));
    /// let found = linter.check(xml.as_bytes());
    /// assert_eq!(found.iter().filter_map(|found| found.path()).collect::<Vec<_>>(), ["entry 1 · priority"]);
    /// ```
    pub fn filter(&mut self, filter: Filter) -> &mut Self {
        self.filter = Some(filter);
        self
    }

    /// Returns `true` if the findings about an entry are reported.
    fn keeps(
        &self,
        entry: &RecordView<'_, '_>,
        kind: Kind,
        keeps: fn(&Filter, &str, Option<&str>) -> bool,
    ) -> bool {
        let filter = self.filter.as_ref().filter(|_| kind == Kind::UrlSet);
        filter.is_none_or(|filter| {
            let loc = entry.text_of(LOC).unwrap_or_default();
            keeps(filter, loc, entry.text_of(LASTMOD))
        })
    }

    /// Checks one document in memory, and returns all diagnostics.
    pub fn check(&self, document: &[u8]) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut lint = self.start(|_, diagnostic| diagnostics.push(diagnostic));
        let read = lint.document(Input::from_slice("the document", document));
        let finished = lint.finish();
        for error in [read.err(), finished.err()].into_iter().flatten() {
            diagnostics.push(Diagnostic::of(
                &Problem::new(error).severity(Severity::Error),
                Rule::Xml,
            ));
        }
        diagnostics
    }

    /// Begins a lint of several documents, which are added one by one. `report` is called with each diagnostic and the number of its
    /// document, from 0.
    pub fn start<'a, F: FnMut(usize, Diagnostic)>(&self, report: F) -> Lint<'a, F> {
        Lint {
            linter: Arc::new(self.clone()),
            report,
            documents: Vec::new(),
            set: Set::default(),
            listed: Listed::default(),
            summary: Summary::default(),
        }
    }

    /// The diagnostic of a finding, unless its rule is off.
    fn diagnostic(&self, finding: &Finding) -> Option<Diagnostic> {
        let severity = self.severity(finding.rule(), finding.problem.severity)?;
        let diagnostic = Diagnostic::of(&finding.problem, Rule::Xml).with_severity(severity);
        Some(match finding.search_console {
            Some(name) => diagnostic.with_search_console(name),
            None => diagnostic,
        })
    }

    fn severity(&self, rule: Rule, given: Option<Severity>) -> Option<Severity> {
        match self.levels.iter().rev().find(|(known, _)| *known == rule) {
            Some((_, level)) => *level,
            None if !self.engines.need(rule) => None,
            None => Some(given.unwrap_or_else(|| rule.severity())),
        }
    }
}

/// A lint in progress: documents are added one by one; rules about several documents are checked at the end.
pub struct Lint<'a, F> {
    linter: Arc<Linter>,
    report: F,
    documents: Vec<Input<'a>>,
    set: Set,
    listed: Listed,
    summary: Summary,
}

impl<F> fmt::Debug for Lint<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lint")
            .field("linter", &self.linter)
            .field("documents", &self.documents)
            .field("summary", &self.summary)
            .finish_non_exhaustive()
    }
}

impl<'a, F: FnMut(usize, Diagnostic)> Lint<'a, F> {
    fn report_finding(&mut self, document: usize, finding: &Finding) {
        if let Some(diagnostic) = self.linter.diagnostic(finding) {
            self.report(document, diagnostic);
        }
    }

    fn report(&mut self, document: usize, diagnostic: Diagnostic) {
        let key = (diagnostic.rule(), diagnostic.severity());
        *self.summary.counts.entry(key).or_default() += 1;
        (self.report)(document, diagnostic);
    }

    /// Reads a document to its end, or to the first unreadable place, and reports its problems.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if it cannot be opened or read, and [`ErrorKind::Settings`](crate::ErrorKind::Settings) if
    /// its [location](Input::location) is not an absolute URL. The lint can continue with the next document; this one still has a number.
    /// Problems of the document itself, such as damaged compression, are diagnostics.
    pub fn document(&mut self, mut document: Input<'a>) -> Result<()> {
        let (linter, hasher) = (Arc::clone(&self.linter), self.set.locs.hasher.clone());
        let result = reading::read(&mut document, &linter, &hasher, |batch| self.accept(batch));
        self.add(document, result)
    }

    /// Reads documents like [`document`](Self::document), up to `jobs` at a time, each in its own thread. Findings are reported in the
    /// calling thread and in the documents' order, as if the documents were read one by one. Findings in later documents wait; a document
    /// with many waiting findings pauses until its turn. Memory therefore grows with `jobs`, not with the number of documents.
    ///
    /// `ended` is called with the number and the result of each document after all its findings are reported; if it returns
    /// [`ControlFlow::Break`], no more documents are read.
    ///
    /// ```
    /// use std::num::NonZero;
    /// use std::ops::ControlFlow;
    ///
    /// use sitemap_serde::lint::{Input, Linter};
    ///
    /// let texts: Vec<String> = (0..100).map(|page| format!("https://example.com/{page}#top\n")).collect();
    /// let documents = texts.iter().map(|text| Input::from_slice("pages.txt", text.as_bytes())).collect();
    /// let jobs = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    ///
    /// let mut found = Vec::new();
    /// let mut lint = Linter::new().start(|number, _| found.push(number));
    /// lint.documents(documents, jobs, |_, result| {
    ///     result.expect("a document in memory");
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(lint.finish()?.documents, 100);
    /// assert_eq!(found, (0..100).collect::<Vec<_>>()); // L-FRAGMENT
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn documents(
        &mut self,
        documents: Vec<Input<'a>>,
        jobs: NonZero<usize>,
        mut ended: impl FnMut(usize, Result<()>) -> ControlFlow<()>,
    ) {
        let (linter, hasher) = (Arc::clone(&self.linter), self.set.locs.hasher.clone());
        jobs::run(documents, jobs, &linter, &hasher, |step| match step {
            Step::Found(batch) => {
                self.accept(*batch);
                ControlFlow::Continue(())
            }
            Step::Ended(document, result) => {
                let number = self.documents.len();
                ended(number, self.add(*document, result))
            }
        });
    }

    /// Accepts the findings in the document that is added next.
    fn accept(&mut self, batch: Batch) {
        self.summary.add(&batch.summary);
        self.set.add(&batch.locs, &batch.links);
        self.set.labels.add_schemes(&batch.schemes);
        self.listed.add(&batch.pages);
        for diagnostic in batch.diagnostics {
            self.report(self.documents.len(), diagnostic);
        }
    }

    fn add(&mut self, document: Input<'a>, result: Result<()>) -> Result<()> {
        self.documents.push(Input {
            is_unreadable: result.is_err(),
            ..document
        });
        result
    }

    /// Returns the counts so far.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Ends the lint and returns the counts. It first checks the rules about several documents (L-DUPLOC, P-ALT4, L-LANGSWAP, P-NEST, P-IDX3,
    /// L-UNNAMED, L-ABSENT, L-ORPHAN), about the site of a document with an unknown location (P-HOST, L-HTTP, L-WWW), and about pages that
    /// no document lists (L-UNLISTED, unless a document could not be read).
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if a document cannot be opened or read again, or the names of [files](Linter::files) cannot be read.
    pub fn finish(mut self) -> Result<Summary> {
        let set = std::mem::take(&mut self.set);
        let mut documents = std::mem::take(&mut self.documents);
        let linter = Arc::clone(&self.linter);
        let mut folder = linter.served.as_ref().map(Folder::new);
        let mut report = |document, finding: Finding| self.report_finding(document, &finding);
        let dropped = set.finish(&mut documents, folder.as_mut(), &linter, &mut report)?;
        self.summary.dropped += dropped;
        let listed = std::mem::take(&mut self.listed);
        let mut report = |document, finding: Finding| self.report_finding(document, &finding);
        events::set(&linter, &documents, &listed, folder, &mut report)?;
        Ok(self.summary)
    }
}

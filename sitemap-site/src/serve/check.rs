//! Checking all rows of a site, for tests and deployments.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use sitemap_serde::{Reader, Record, SitemapEntry, W3cDateTime};
use tokio::time::timeout;

use super::Site;
use super::order::Batches;
use super::refresh_error::RefreshError;
use super::render::Rendering;
use crate::error::{Chain, Error};
use crate::key::Key;
use crate::part::WriteOutcome;
use crate::source::{Guarded, Source, Span, caught};

/// The result of [`Site::check`]: findings in all rows of a site.
///
/// `Display` prints a line for each section, and then the findings:
///
/// ```text
/// products: 3 pages of 5 rows
///   2 rows are skipped:
///     row 3: `a b` is not a URL: …
///     row 4: unknown status "whatever"
/// pages: 2 pages of 2 rows
/// 1 page is listed again:
///   https://example.com/about, of `products` and `pages`
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The sections, in their order.
    pub sections: Vec<SectionReport>,
    /// The pages that are listed again, by another section or the same one.
    pub repeated: Findings,
}

/// The result of [`Site::check`] for the rows of a section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SectionReport {
    /// The section's name.
    pub name: String,
    /// The number of its rows.
    pub rows: u64,
    /// The number of its listed pages.
    pub entries: u64,
    /// The skipped rows, each with its key and the error.
    pub skipped: Findings,
    /// The invalid values that are [dropped](super::SiteBuilder::on_invalid), each with its row's key and the error.
    pub dropped: Findings,
    /// The pages with an empty path segment (`/products//lamp`), for example from an empty slug.
    pub empty_segments: Findings,
    /// The pages that the site's [`robots.txt`](super::SiteBuilder::robots_txt) disallows.
    pub blocked: Findings,
}

/// Findings of one kind: their number, and the first 20 as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Findings {
    /// The number of findings.
    pub count: u64,
    /// The first 20 findings.
    pub first: Vec<String>,
}

impl Report {
    /// Returns `true` if there are no findings: no row is skipped, no value is dropped, no page is listed twice or disallowed by
    /// robots.txt, no path segment is empty.
    ///
    /// A section without rows is clean, so a test should also assert [`SectionReport::entries`].
    pub fn is_clean(&self) -> bool {
        let is_clean = |section: &SectionReport| {
            [
                &section.skipped,
                &section.dropped,
                &section.empty_segments,
                &section.blocked,
            ]
            .iter()
            .all(|found| found.count == 0)
        };
        self.repeated.count == 0 && self.sections.iter().all(is_clean)
    }
}

impl Findings {
    const FIRST: usize = 20;

    fn add(&mut self, text: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < Self::FIRST {
            self.first.push(text());
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, indent: &str, one: &str, many: &str) -> fmt::Result {
        match self.count {
            0 => return Ok(()),
            1 => write!(f, "\n{indent}1 {one}:")?,
            count => write!(f, "\n{indent}{count} {many}:")?,
        }
        for text in &self.first {
            write!(f, "\n{indent}  {text}")?;
        }
        match self.count - self.first.len() as u64 {
            0 => Ok(()),
            more => write!(f, "\n{indent}  and {more} more"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, section) in self.sections.iter().enumerate() {
            let plural = |count: u64| if count == 1 { "" } else { "s" };
            let SectionReport { rows, entries, .. } = *section;
            write!(
                f,
                "{}{}: {entries} page{} of {rows} row{}",
                if at == 0 { "" } else { "\n" },
                section.name,
                plural(entries),
                plural(rows)
            )?;
            section
                .skipped
                .write(f, "  ", "row is skipped", "rows are skipped")?;
            section
                .dropped
                .write(f, "  ", "value is dropped", "values are dropped")?;
            section.empty_segments.write(
                f,
                "  ",
                "page has an empty path segment",
                "pages have an empty path segment",
            )?;
            section.blocked.write(
                f,
                "  ",
                "page is disallowed by robots.txt",
                "pages are disallowed by robots.txt",
            )?;
        }
        self.repeated
            .write(f, "", "page is listed again", "pages are listed again")
    }
}

impl Site {
    /// Reads all rows of all sections, makes entries of them like a rendering, and reports problems: skipped rows with their
    /// errors, pages that are repeated or disallowed by robots.txt, and empty path segments. For tests, and for deployments:
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::SiteBuilder;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let site = SiteBuilder::new("https://example.com")
    ///     .section("pages", ["/", "/about"].map(UrlEntry::new))
    ///     .section("posts", ["/posts/1", "/about", "posts/2"].map(UrlEntry::new))
    ///     .build()?;
    /// let report = site.check().await?;
    /// assert!(!report.is_clean());
    /// assert_eq!(report.sections[1].skipped.count, 1);
    /// assert_eq!(report.repeated.first, ["https://example.com/about, of `pages` and `posts`"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// In a test: `assert!(report.is_clean(), "{report}")`.
    ///
    /// The rows are read by the source's short queries, one after the other; nothing is cached, logged or counted. Memory use is
    /// about 30 bytes for each page. Addresses are compared by a hash of 64 bits.
    ///
    /// # Errors
    /// If the rows of a section cannot be counted or read. The error names all such sections.
    pub async fn check(&self) -> Result<Report, Error> {
        let mut report = Report::default();
        let mut failures = Vec::new();
        let mut seen = Seen::default();
        for (at, section) in self.0.sections.iter().enumerate() {
            let counted = self.0.complete(at).await;
            let mut check = SectionCheck {
                report: SectionReport {
                    name: section.name.clone(),
                    ..SectionReport::default()
                },
                at,
                seen: &mut seen,
                repeated: &mut report.repeated,
                names: &self
                    .0
                    .sections
                    .iter()
                    .map(|section| section.name.as_str())
                    .collect::<Vec<_>>(),
            };
            let settings = &section.settings.rendering;
            let read = section
                .source
                .check(settings, self.0.time_limit, &mut check)
                .await;
            let section_report = check.report;
            report.sections.push(section_report);
            if let Err(reason) = read {
                failures.push(RefreshError::new(&section.name, reason));
            } else if let Err(error) = counted {
                failures.push(error);
            }
        }
        RefreshError::all(failures)?;
        Ok(report)
    }
}

/// The pages of a site that were listed so far: a hash of each, and its section.
#[derive(Default)]
struct Seen {
    hashes: RandomState,
    sections: HashMap<u64, usize>,
}

/// The check of one section.
pub(crate) struct SectionCheck<'a> {
    report: SectionReport,
    at: usize,
    seen: &'a mut Seen,
    repeated: &'a mut Findings,
    /// Of all sections.
    names: &'a [&'a str],
}

impl SectionCheck<'_> {
    fn row<T: SitemapEntry>(
        &mut self,
        key: &Key,
        entry: &T,
        rendering: &Rendering,
        now: Option<W3cDateTime>,
    ) -> crate::Result<()> {
        let mut part = rendering.parts.begin(Vec::new());
        match rendering.write(&mut part, key, entry, now) {
            Ok((WriteOutcome::Written(_) | WriteOutcome::NotListed, dropped)) => {
                for error in dropped {
                    self.report
                        .dropped
                        .add(|| format!("row {key}: {}", Chain(&error)));
                }
            }
            Ok((WriteOutcome::Full, _)) => {
                let rules = rendering.rules();
                let skipped = &mut self.report.skipped;
                skipped.add(|| {
                    format!("row {key}: it has more entries or bytes than a sitemap may have ({rules})")
                });
                return Ok(());
            }
            Err(error) if error.is_of_row() => {
                self.report
                    .skipped
                    .add(|| format!("row {key}: {}", Chain(&error)));
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        if part.is_empty() {
            return Ok(());
        }
        let (xml, _) = part.finish()?;
        let mut reader = Reader::from_slice(&xml);
        let mut record = Record::new();
        while reader.read_record(&mut record)? {
            self.page(record.loc(), rendering);
        }
        Ok(())
    }

    fn page(&mut self, loc: &str, rendering: &Rendering) {
        self.report.entries += 1;
        if has_empty_segment(loc) {
            self.report.empty_segments.add(|| loc.to_owned());
        }
        if let Some(robots) = &rendering.robots
            && !robots.allows("*", loc)
        {
            self.report.blocked.add(|| loc.to_owned());
        }
        match self.seen.sections.entry(self.seen.hashes.hash_one(loc)) {
            Entry::Vacant(new) => {
                new.insert(self.at);
            }
            Entry::Occupied(known) => {
                let (first, again) = (*known.get(), self.at);
                let name = |at: usize| self.names.get(at).copied().unwrap_or_default();
                self.repeated.add(|| {
                    if first == again {
                        format!("{loc}, of `{}`", name(again))
                    } else {
                        format!("{loc}, of `{}` and `{}`", name(first), name(again))
                    }
                });
            }
        }
    }
}

/// Returns `true` if a path segment before the last one is empty.
fn has_empty_segment(loc: &str) -> bool {
    let rest = loc.split_once("://").map_or(loc, |(_, rest)| rest);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    path.contains("//")
}

/// Reads all rows of a source, and checks each.
pub(super) async fn check<S: Source>(
    source: &S,
    rendering: &Rendering,
    time_limit: Duration,
    check: &mut SectionCheck<'_>,
) -> Result<(), String> {
    let now = rendering.now().map_err(|error| error.to_string())?;
    let mut batches = Batches::new(source, &Span::ALL, rendering.batch_rows);
    loop {
        let page = timeout(time_limit, caught(batches.next(usize::MAX))).await;
        let page = page.map_err(|_| format!("reading its rows took more than {time_limit:?}"))?;
        let page = page.unwrap_or_else(|panicked| Err(panicked.into()));
        let Some(page) = page.map_err(|error| error.to_string())? else {
            return Ok(());
        };
        for row in page {
            check.report.rows += 1;
            let (key, entry) = row.into_parts();
            match entry {
                Ok(entry) => check
                    .row(&key, &Guarded::new(&entry), rendering, now)
                    .map_err(|error| Chain(&error).to_string())?,
                Err(error) => check
                    .report
                    .skipped
                    .add(|| format!("row {key}: {}", Chain(&*error))),
            }
        }
        tokio::task::yield_now().await;
    }
}

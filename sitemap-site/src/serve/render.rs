//! Rendering a part: rows in, a complete document out.
//!
//! **Parts are rendered completely before they are sent.** Once the headers of a response are sent, an error in the body cannot
//! always be signalled: in HTTP/1.0 a truncated body looks complete. So parts are small (10,000 rows), rendered to gzip before
//! the headers are sent, and every failure is a status. Only the compressed part is in memory. The identity encoding is
//! decompressed from it in blocks of 64 kB, with other tasks in between. It is not cached: requests for it are rare, it takes 18
//! times the memory, and a part that it displaces from the cache costs ten queries and a count. Decompression costs 0.4 ms of processor time
//! per megabyte, for any size: 0.01 ms for 100 pages, 0.05 for 1,000, 0.4 for 10,000 (1 MB), 2.0 for 40,000 (4 MB), against 0.02
//! to 0.16 ms as gzip (`cargo run --release -p sitemap-serving-tests --example encodings`). nginx sends a static file without
//! reading or decompressing it, so it needs a fraction. Larger blocks gain little: 256 kB nothing, 1 MB 0.13 ms for 10,000 pages
//! and nothing for 40,000, while each slow client would hold such a block that `memory_bytes` does not count. Rendered bytes are
//! counted (`serve/memory.rs`) until their last clone is dropped, by the cache or by a socket, so that slow clients cannot use
//! more than the configured memory. A rendering that does not fit is stored in an unnamed file, read on blocking threads.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sitemap_serde::robots::Robots;
use sitemap_serde::{OnInvalid, SitemapEntry, W3cDateTime};
use tracing::warn;

use super::order::Batches;
use super::quiet::Occasional;
use super::rendered::{Invalid, Rendered, encoder};
use super::robots::blocked;
use super::section_stats::SectionCounters;
use super::unheard;
use super::unrendered::Unrendered;
use crate::error::{Chain, ErrorKind};
use crate::key::Key;
use crate::news::Articles;
use crate::part::{PartBuilder, PartWriter, WriteOutcome};
use crate::sets::OnProblem;
use crate::source::{Guarded, Panicked, Source, Span};

const HOUR: Duration = Duration::from_secs(3_600);

/// Limits for reading and logging a range.
#[derive(Clone, Copy)]
pub(crate) struct Bounds<'a> {
    /// More rows are an error.
    pub(crate) most_rows: u64,
    /// The number of rows of the last rendering, whose order was checked.
    pub(crate) checked_rows: Option<u64>,
    /// Maximum number of skipped rows and dropped values that are logged; more are only counted.
    pub(crate) logged: u64,
    /// The counter of row panics.
    pub(super) counters: &'a SectionCounters,
    /// A page that robots.txt disallows is logged once in a while.
    pub(super) blocked: &'a Occasional,
}

/// Returns the current time.
pub(crate) type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// The settings for rendering.
#[derive(Clone)]
pub(crate) struct Rendering {
    pub(crate) parts: PartBuilder,
    /// Rows per query.
    pub(crate) batch_rows: usize,
    /// Set for a section of news, whose articles are listed for two days.
    pub(crate) news: Option<Clock>,
    pub(crate) on_invalid: OnInvalid,
    pub(crate) on_problem: Option<OnProblem>,
    /// The rules of the site's robots.txt.
    pub(crate) robots: Option<Arc<Robots>>,
}

impl Rendering {
    /// The current time, for a section of news.
    pub(super) fn now(&self) -> Result<Option<W3cDateTime>, Unrendered> {
        let now = self.news.as_ref().map(|clock| W3cDateTime::try_from(clock()));
        now.transpose()
            .map_err(|error| Unrendered::Document(error.into()))
    }

    /// The first loc of a row that robots.txt disallows.
    pub(super) fn blocked(&self, row: &impl SitemapEntry, robots: &Robots) -> Option<String> {
        let mut part = self.parts.begin(Vec::new());
        // A row that cannot be written is not listed.
        if part.push(None, row).is_err() || part.is_empty() {
            return None;
        }
        let loc = part.last_loc()?;
        blocked(robots, loc)
    }

    /// The rules that more entries or bytes of a part break, for messages.
    pub(super) fn rules(&self) -> String {
        let entries = if self.news.is_some() { "P-NEWS4" } else { "P-COUNT" };
        format!("{entries}, {}", self.parts.rule_of_bytes("P-SIZE"))
    }

    /// Logs, once an hour, that robots.txt disallows the page that was written last.
    fn warn_if_blocked<W: Write>(&self, part: &PartWriter<W>, limit: &Occasional) {
        if let Some(robots) = &self.robots
            && let Some(loc) = part.last_loc()
            && let Some(url) = blocked(robots, loc)
            && limit.allows_after(HOUR)
        {
            warn!(
                "the sitemap lists {url}, which robots.txt disallows: search engines cannot read such a page; allow it by `RobotsTxt::allow`, or \
                 do not list it"
            );
        }
    }

    /// Writes the entries of a row, and returns the problems of the values that were dropped from it.
    pub(super) fn write<W: Write>(
        &self,
        part: &mut PartWriter<W>,
        key: &Key,
        row: &impl SitemapEntry,
        now: Option<W3cDateTime>,
    ) -> crate::Result<(WriteOutcome, Vec<sitemap_serde::Error>)> {
        let Some(now) = now else {
            let outcome = part.push(Some(key), row)?;
            return Ok((outcome, part.take_dropped()));
        };
        let articles = Articles::of(row, self.parts.writer(), Some(now))?;
        for article in &articles.listed {
            if part.push(Some(key), article)? == WriteOutcome::Full {
                return Ok((WriteOutcome::Full, Vec::new()));
            }
        }
        Ok((WriteOutcome::NotListed, articles.dropped))
    }
}

/// Reads the rows of a range batch by batch, with one query each, and writes them. See [`Bounds`].
pub(super) async fn render<S: Source>(
    source: &S,
    span: &Span,
    rendering: &Rendering,
    bounds: Bounds<'_>,
) -> Result<Rendered, Unrendered> {
    let now = rendering.now()?;
    let mut part = rendering.parts.begin(encoder());
    let mut batches = Batches::new(source, span, rendering.batch_rows).checked(bounds.checked_rows);
    let mut rows = 0;
    let mut problems = Problems::new(rendering, bounds.logged);
    loop {
        let left = usize::try_from(bounds.most_rows - rows).unwrap_or(usize::MAX);
        let Some(page) = batches.next(left).await? else {
            break;
        };
        for row in page {
            let (key, entry) = row.into_parts();
            let written = entry.map(|entry| {
                let entry = Guarded::new(&entry);
                let written = rendering.write(&mut part, &key, &entry, now);
                if entry.has_panicked() {
                    bounds.counters.panicked();
                }
                written
            });
            if written.as_ref().is_err_and(|error| error.is::<Panicked>()) {
                bounds.counters.panicked();
            }
            match written {
                Err(error) => {
                    let message = Chain(&*error).to_string();
                    problems.skip(&key, crate::Error::caused(ErrorKind::Source, message, error))?;
                }
                Ok(Err(error)) if error.is_of_row() => problems.skip(&key, error)?,
                Ok(Err(error)) => return Err(Unrendered::Document(error)),
                Ok(Ok((WriteOutcome::Full, _))) => {
                    // The rows may have come several times.
                    batches.check().await?;
                    return Err(Unrendered::Full {
                        rows,
                        rules: rendering.rules(),
                    });
                }
                Ok(Ok((outcome @ (WriteOutcome::Written(_) | WriteOutcome::NotListed), dropped))) => {
                    if outcome != WriteOutcome::NotListed || now.is_some() {
                        rendering.warn_if_blocked(&part, bounds.blocked);
                    }
                    for error in dropped {
                        problems.drop(&key, error.into());
                    }
                }
            }
            rows += 1;
        }
        if !batches.is_last() && rows >= bounds.most_rows {
            return Err(Unrendered::TooLarge(bounds.most_rows));
        }
        if batches.is_last() {
            break;
        }
        // Writing a batch takes some milliseconds, and other tasks may be waiting.
        tokio::task::yield_now().await;
    }
    problems.log_counts();
    match problems.first.take() {
        Some(first) if part.is_empty() => {
            return Err(Unrendered::AllSkipped {
                skipped: problems.counts.skipped,
                first,
            });
        }
        // On a day without news, the file of all news is empty, but still exists.
        None if part.is_empty() && !(now.is_some() && *span == Span::ALL) => return Err(Unrendered::Empty),
        _ => {}
    }
    let document = |error: sitemap_serde::Error| Unrendered::Document(error.into());
    let (encoder, facts) = part.finish().map_err(document)?;
    let gzip = encoder.finish().map_err(|error| document(error.into()))?;
    Ok(Rendered {
        rows,
        ..Rendered::new(gzip, &facts, problems.counts)
    })
}

/// The invalid rows and values of a part.
struct Problems<'a> {
    rendering: &'a Rendering,
    counts: Invalid,
    /// The first error of a skipped row, with the row.
    first: Option<String>,
    /// See [`Bounds`].
    logged: u64,
}

impl<'a> Problems<'a> {
    fn new(rendering: &'a Rendering, logged: u64) -> Self {
        Problems {
            rendering,
            counts: Invalid::default(),
            first: None,
            logged,
        }
    }

    /// Skips a row, unless the policy is to fail.
    fn skip(&mut self, key: &Key, error: crate::Error) -> Result<(), Unrendered> {
        let chain = Chain(&error);
        if self.rendering.on_invalid == OnInvalid::Fail {
            return Err(Unrendered::Invalid(format!("{chain} (row {key})")));
        }
        self.counts.skipped += 1;
        if self.first.is_none() {
            self.first = Some(format!("{chain} (row {key})"));
        }
        if self.counts.skipped <= self.logged {
            unheard::tell(|| format!("a row is skipped in the sitemap (key {key}): {chain}"));
            warn!(%key, error = %chain, "a row is skipped in the sitemap");
        }
        self.report(key, error);
        Ok(())
    }

    fn drop(&mut self, key: &Key, error: crate::Error) {
        self.counts.dropped += 1;
        if self.counts.dropped <= self.logged {
            let error = Chain(&error);
            unheard::tell(|| format!("a value is dropped from the sitemap (key {key}): {error}"));
            warn!(%key, %error, "a value is dropped from the sitemap");
        }
        self.report(key, error);
    }

    fn report(&self, key: &Key, error: crate::Error) {
        if let Some(on_problem) = &self.rendering.on_problem {
            on_problem(&error.at(format_args!("row {key}")));
        }
    }

    /// Logs the numbers, if not all problems were logged.
    fn log_counts(&self) {
        let Invalid { skipped, dropped } = self.counts;
        if self.logged > 0 && skipped.max(dropped) > self.logged {
            warn!(skipped, dropped, "this part of the sitemap has invalid rows");
        }
    }
}

//! Counters of a section.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::rendered::Invalid;
use super::retries::RETRY;
use super::table::Parts;
use crate::source::Span;
use crate::time::jitter;

/// Counters of a section of a [`Site`](super::Site) since it was built, and the state of its table of parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SectionStats {
    /// The section's name.
    pub name: String,
    /// The number of its parts.
    pub parts: u64,
    /// The number of its listed parts.
    pub listed: u64,
    /// The number of listed parts without a lastmod in the index, since the time of their change is unknown.
    pub without_lastmod: u64,
    /// The number of its rows when they were last counted.
    pub rows: u64,
    /// The time since rows were last counted; `None` before the first count is complete.
    pub table_age: Option<Duration>,
    /// Rendered parts.
    pub renderings: u64,
    /// The total time of these renderings, with their queries.
    pub rendering_time: Duration,
    /// The longest of these times.
    pub slowest: Duration,
    /// Rows skipped because of an error, counted at every rendering of a part, even if no entry was left.
    pub skipped: u64,
    /// Invalid values that were [dropped](crate::SiteBuilder::on_invalid), counted at every rendering of a part.
    pub dropped: u64,
    /// Panics of the source and of the type of its rows. Each also counts as a skipped row, or as a failure.
    pub panics: u64,
    /// Failures by cause.
    pub failures: Failures,
    /// The time of the last successful rendering.
    pub last_success: Option<SystemTime>,
    /// The earliest time since which a listed part fails to render, or rows fail to count, so that old documents are served.
    pub stale_since: Option<SystemTime>,
}

/// Numbers of failures by cause. Requests for ranges that are not in the table of parts do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failures {
    /// The rows of a part could not be read.
    pub source: u64,
    /// A part could not be rendered in time.
    pub late: u64,
    /// Too many parts were being rendered.
    pub busy: u64,
    /// A response did not fit, neither in memory nor in a temporary file.
    pub room: u64,
    /// The rows of a part do not make a valid document: all are skipped, there are too many, or two have the same key.
    pub content: u64,
    /// The rows could not be counted.
    pub table: u64,
}

/// Maximum pause between two retries of a failure, without requests.
const RETRY_MOST: Duration = Duration::from_secs(600);
/// Minimum time between two logs of a part's problems.
const LOG_AGAIN: Duration = Duration::from_secs(3_600);
/// Maximum number of parts whose last log time is remembered.
const MOST_LOGGED: usize = 10_000;

/// A failure: a part of the table, or a count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Failed {
    Part(Span),
    /// The rows after the last full part could not be counted.
    Tail,
    All,
    /// Parts that the index does not list.
    Unlisted,
}

/// Why a part could not be rendered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cause {
    Source,
    Late,
    Busy,
    Room,
    Content,
}

#[derive(Debug, Default)]
pub(super) struct SectionCounters(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    stats: SectionStats,
    failing: HashMap<Failed, Failing>,
    /// When the problems of a part were logged.
    logged: HashMap<Span, Instant>,
    /// The part that failed last, and why.
    last_failure: Option<(Span, String)>,
}

#[derive(Debug)]
struct Failing {
    since: SystemTime,
    tries: u32,
    /// When to try again.
    next: tokio::time::Instant,
}

impl Failing {
    fn new() -> Self {
        Failing {
            since: SystemTime::now(),
            tries: 0,
            next: tokio::time::Instant::now(),
        }
    }

    fn failed(&mut self) {
        self.tries = self.tries.saturating_add(1);
        self.pause(self.tries);
    }

    /// Puts off the next try as after this number of failures.
    fn pause(&mut self, tries: u32) {
        // It varies, so that instances do not try at the same time.
        self.next = tokio::time::Instant::now() + backoff(tries).mul_f64(jitter());
    }
}

impl Counts {
    fn failed(&mut self, failed: Failed) {
        self.failing.entry(failed).or_insert_with(Failing::new).failed();
    }

    fn recovered(&mut self, failed: &Failed) {
        self.failing.remove(failed);
    }
}

impl SectionCounters {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn rendered(&self, part: &Span, took: Duration, invalid: Invalid) {
        let mut counts = self.lock();
        counts.recovered(&Failed::Part(part.clone()));
        let stats = &mut counts.stats;
        stats.renderings += 1;
        stats.rendering_time = stats.rendering_time.saturating_add(took);
        stats.slowest = stats.slowest.max(took);
        stats.skipped += invalid.skipped;
        stats.dropped += invalid.dropped;
        stats.last_success = Some(SystemTime::now());
    }

    /// Counts a failure of a part of the table.
    pub(super) fn failed(&self, part: &Span, cause: Cause, skipped: u64) {
        let mut counts = self.lock();
        counts.failed(Failed::Part(part.clone()));
        counts.stats.skipped += skipped;
        let failures = &mut counts.stats.failures;
        *match cause {
            Cause::Source => &mut failures.source,
            Cause::Late => &mut failures.late,
            Cause::Busy => &mut failures.busy,
            Cause::Room => &mut failures.room,
            Cause::Content => &mut failures.content,
        } += 1;
    }

    /// Records why a part failed.
    pub(super) fn failed_because(&self, part: &Span, reason: String) {
        self.lock().last_failure = Some((part.clone(), reason));
    }

    /// Why a part failed; a later failure replaces it.
    pub(super) fn last_failure(&self, part: &Span) -> Option<String> {
        let counts = self.lock();
        let (failed, reason) = counts.last_failure.as_ref()?;
        (failed == part).then(|| reason.clone())
    }

    /// A part without entries is not a failure.
    pub(super) fn is_empty(&self, part: &Span) {
        self.recovered(&Failed::Part(part.clone()));
    }

    pub(super) fn recovered(&self, failed: &Failed) {
        self.lock().recovered(failed);
    }

    /// Records the result of a count.
    pub(super) fn table_updated(&self, count: Failed, is_ok: bool) {
        let mut counts = self.lock();
        if !is_ok {
            counts.stats.failures.table += 1;
            counts.failed(count);
            return;
        }
        // All rows include the last ones.
        if count == Failed::All {
            counts.recovered(&Failed::Tail);
        }
        counts.recovered(&count);
    }

    /// Returns `true` if the last count of the rows failed.
    pub(super) fn is_count_failing(&self) -> bool {
        let counts = self.lock();
        let of_count = |failed: &Failed| !matches!(failed, Failed::Part(_));
        counts.failing.keys().any(of_count)
    }

    pub(super) fn panicked(&self) {
        self.lock().stats.panics += 1;
    }

    /// The next failure to retry, and the time until then.
    pub(super) fn next_failed(&self) -> Option<(Failed, Duration)> {
        let counts = self.lock();
        let (failed, failing) = counts.failing.iter().min_by_key(|(_, failing)| failing.next)?;
        let pause = failing
            .next
            .saturating_duration_since(tokio::time::Instant::now());
        Some((failed.clone(), pause))
    }

    /// Records a retry. If its result is unknown, another retry follows.
    pub(super) fn retrying(&self, failed: &Failed) {
        if let Some(failing) = self.lock().failing.get_mut(failed) {
            failing.pause(failing.tries.saturating_add(1));
        }
    }

    /// Returns `true` if the problems of a part were not logged within an hour.
    pub(super) fn may_log_rows(&self, part: &Span) -> bool {
        let logged = self.lock().logged.get(part).copied();
        logged.is_none_or(|logged| logged.elapsed() >= LOG_AGAIN)
    }

    /// Records that the problems of a part were logged.
    pub(super) fn rows_logged(&self, part: &Span) {
        let logged = &mut self.lock().logged;
        if logged.len() >= MOST_LOGGED {
            logged.retain(|_, logged| logged.elapsed() < LOG_AGAIN);
        }
        if logged.len() >= MOST_LOGGED {
            logged.clear();
        }
        logged.insert(part.clone(), Instant::now());
    }

    /// The counters, with the state of the section's table.
    pub(super) fn stats(&self, name: &str, parts: &Parts) -> SectionStats {
        let mut counts = self.lock();
        // Parts that were split or joined since are no longer requested.
        counts.failing.retain(|failed, _| match failed {
            Failed::Part(part) => parts.find(part).is_some(),
            Failed::Tail | Failed::All | Failed::Unlisted => true,
        });
        let listed = parts.rows.iter().filter(|row| parts.complete && row.is_listed());
        let failing = counts.failing.values().map(|failing| failing.since).min();
        SectionStats {
            name: name.to_owned(),
            parts: parts.rows.len() as u64,
            listed: listed.clone().count() as u64,
            without_lastmod: listed.filter(|row| row.lastmod().is_none()).count() as u64,
            rows: parts.rows.iter().map(|row| row.rows).sum(),
            table_age: parts.tail_checked.map(|checked| checked.elapsed()),
            stale_since: failing,
            ..counts.stats.clone()
        }
    }
}

/// The pause after a number of failures.
fn backoff(tries: u32) -> Duration {
    let doubled = 2_u32.saturating_pow(tries.saturating_sub(1));
    RETRY.saturating_mul(doubled).min(RETRY_MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_ten_minutes() {
        let pauses = [0, 1, 2, 3, 7, 8, 40, u32::MAX].map(|tries| backoff(tries).as_secs());
        assert_eq!(pauses, [5, 5, 10, 20, 320, 600, 600, 600]);
    }
}

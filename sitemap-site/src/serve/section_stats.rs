//! Counters of a section.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use super::index::lastmod;
use super::section::Section;
use crate::source::Span;

/// Counters of a section of a [`Site`](super::Site) since it was built, and the state of its table of parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SectionStats {
    /// The section's name.
    pub name: String,
    /// The number of its parts.
    pub parts: u64,
    /// The number of its parts that the index lists.
    pub listed: u64,
    /// The number of listed parts that have no lastmod in the index, since it is unknown when they changed.
    pub without_lastmod: u64,
    /// The number of its rows when they were last counted.
    pub rows: u64,
    /// The time since rows were last counted; `None` before the first count is complete.
    pub table_age: Option<Duration>,
    /// Rendered parts.
    pub renderings: u64,
    /// The time that these renderings have taken, with their queries.
    pub rendering_time: Duration,
    /// The longest of these times.
    pub slowest: Duration,
    /// Rows that were left out because of an error, counted each time a part is rendered, also if no entry was left.
    pub left_out: u64,
    /// Failures by cause.
    pub failures: Failures,
    /// When a part was last rendered.
    pub last_success: Option<SystemTime>,
    /// Since when a listed part cannot be rendered, or rows cannot be counted, so that what is served is old; the earliest of these times.
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
    /// There was no room for a response, neither in memory nor in a temporary file.
    pub room: u64,
    /// The rows of a part make no valid document: all are left out, there are too many, or two have the same key.
    pub content: u64,
    /// The rows could not be counted.
    pub table: u64,
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
    /// Since when parts cannot be rendered.
    failing: HashMap<Span, SystemTime>,
    table_failing: Option<SystemTime>,
}

impl SectionCounters {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn rendered(&self, part: &Span, took: Duration, left_out: u64) {
        let mut counts = self.lock();
        counts.failing.remove(part);
        let stats = &mut counts.stats;
        stats.renderings += 1;
        stats.rendering_time = stats.rendering_time.saturating_add(took);
        stats.slowest = stats.slowest.max(took);
        stats.left_out += left_out;
        stats.last_success = Some(SystemTime::now());
    }

    /// Counts a failure of a part of the table.
    pub(super) fn failed(&self, part: &Span, cause: Cause, left_out: u64) {
        let mut counts = self.lock();
        counts.failing.entry(part.clone()).or_insert_with(SystemTime::now);
        counts.stats.left_out += left_out;
        let failures = &mut counts.stats.failures;
        *match cause {
            Cause::Source => &mut failures.source,
            Cause::Late => &mut failures.late,
            Cause::Busy => &mut failures.busy,
            Cause::Room => &mut failures.room,
            Cause::Content => &mut failures.content,
        } += 1;
    }

    /// A part without entries is no failure.
    pub(super) fn is_empty(&self, part: &Span) {
        self.lock().failing.remove(part);
    }

    pub(super) fn table_updated(&self, is_ok: bool) {
        let mut counts = self.lock();
        if is_ok {
            counts.table_failing = None;
        } else {
            counts.stats.failures.table += 1;
            counts.table_failing.get_or_insert_with(SystemTime::now);
        }
    }
}

impl Section {
    pub(super) fn stats(&self) -> SectionStats {
        let parts = self.table.lock();
        let mut counts = self.counters.lock();
        // Parts that were split or joined since are no longer requested.
        counts
            .failing
            .retain(|part, _| !parts.complete || parts.find(part).is_some());
        let failing = counts.failing.values().copied().chain(counts.table_failing).min();
        SectionStats {
            name: self.name.clone(),
            parts: parts.rows.len() as u64,
            listed: parts.listed().count() as u64,
            without_lastmod: parts.listed().filter(|(_, row)| lastmod(row).is_none()).count() as u64,
            rows: parts.rows.iter().map(|row| row.rows).sum(),
            table_age: parts.tail_checked.map(|checked| checked.elapsed()),
            stale_since: failing,
            ..counts.stats.clone()
        }
    }
}

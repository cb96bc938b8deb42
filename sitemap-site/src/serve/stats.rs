//! Counters of a site.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use super::memory::Memory;
use super::rendered::Invalid;
use super::section_stats::SectionStats;

/// Counters of a [`Site`](super::Site) or a [`ServeSet`](super::ServeSet) since it was built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServeStats {
    /// Answered requests of any kind.
    pub requests: u64,
    /// Requests answered with 304 Not Modified.
    pub not_modified: u64,
    /// Parts rendered from rows; for a set, files that were read.
    pub renderings: u64,
    /// Failed renderings of parts, not of other ranges, and panics of [`html_layout`](crate::SiteBuilder::html_layout). For a set,
    /// failed reads of its files, and failed checks of the published set.
    pub failures: u64,
    /// Renderings written to a temporary file because there was no room in memory.
    pub spilled: u64,
    /// Rows skipped because of an error, counted at every rendering of a part.
    pub skipped: u64,
    /// Invalid values that were [dropped](crate::SiteBuilder::on_invalid), counted at every rendering of a part.
    pub dropped: u64,
    /// Current size of cached renderings in bytes.
    pub cached_bytes: u64,
    /// Current memory of renderings in bytes, cached or being sent.
    pub memory_bytes: u64,
    /// Current number of renderings in progress or waiting.
    pub under_way: u64,
    /// Failed renderings of the index.
    pub index_failures: u64,
    /// Failures of the [`TableStore`](crate::TableStore): it could not be read or written, or had no valid table.
    pub store_failures: u64,
    /// The sections of a site, in their order.
    pub sections: Vec<SectionStats>,
}

impl ServeStats {
    /// The time since which some served document is old, because rows cannot be read. For a health check.
    pub fn stale_since(&self) -> Option<SystemTime> {
        self.sections
            .iter()
            .filter_map(|section| section.stale_since)
            .min()
    }
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    requests: AtomicU64,
    not_modified: AtomicU64,
    renderings: AtomicU64,
    failures: AtomicU64,
    spilled: AtomicU64,
    skipped: AtomicU64,
    dropped: AtomicU64,
    index_failures: AtomicU64,
    store_failures: AtomicU64,
}

fn add(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}

impl Counters {
    pub(super) fn request(&self) {
        add(&self.requests, 1);
    }

    pub(super) fn not_modified(&self) {
        add(&self.not_modified, 1);
    }

    pub(super) fn rendering(&self, invalid: Invalid, is_spilled: bool) {
        add(&self.renderings, 1);
        add(&self.spilled, u64::from(is_spilled));
        add(&self.skipped, invalid.skipped);
        add(&self.dropped, invalid.dropped);
    }

    /// Rows of a part without entries.
    pub(super) fn skipped(&self, rows: u64) {
        add(&self.skipped, rows);
    }

    pub(super) fn index_failure(&self) {
        add(&self.index_failures, 1);
    }

    pub(super) fn store_failure(&self) {
        add(&self.store_failures, 1);
    }

    pub(super) fn failure(&self) {
        add(&self.failures, 1);
    }

    /// The counters, together with values that are counted elsewhere.
    pub(super) fn stats(&self, cached_bytes: usize, memory: &Memory, under_way: usize) -> ServeStats {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        ServeStats {
            requests: get(&self.requests),
            not_modified: get(&self.not_modified),
            renderings: get(&self.renderings),
            failures: get(&self.failures),
            spilled: get(&self.spilled),
            skipped: get(&self.skipped),
            dropped: get(&self.dropped),
            cached_bytes: cached_bytes as u64,
            memory_bytes: memory.used() as u64,
            under_way: under_way as u64,
            index_failures: get(&self.index_failures),
            store_failures: get(&self.store_failures),
            sections: Vec::new(),
        }
    }
}

//! What a site did so far.

use std::sync::atomic::{AtomicU64, Ordering};

use super::memory::Memory;

/// What a [`Site`](super::Site) or a [`ServeSet`](super::ServeSet) did since it was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Requests that were answered, of any kind.
    pub requests: u64,
    /// Of them, those that were told that they have it already (304).
    pub not_modified: u64,
    /// Parts that were rendered from rows; of a set, files that were read.
    pub renderings: u64,
    /// Renderings that failed; of a set, reads of its files and looks at what is published.
    pub failures: u64,
    /// Renderings that were written to a temporary file, since there was no room in memory.
    pub spilled: u64,
    /// Rows that could not be listed, counted each time a part is rendered.
    pub left_out: u64,
    /// Bytes of renderings that are kept now.
    pub cached_bytes: u64,
    /// Bytes of renderings that are in memory now, kept or on their way to clients.
    pub memory_bytes: u64,
    /// Renderings that are under way or waiting now.
    pub under_way: u64,
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    requests: AtomicU64,
    not_modified: AtomicU64,
    renderings: AtomicU64,
    failures: AtomicU64,
    spilled: AtomicU64,
    left_out: AtomicU64,
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

    pub(super) fn rendering(&self, left_out: u64, is_spilled: bool) {
        add(&self.renderings, 1);
        add(&self.spilled, u64::from(is_spilled));
        add(&self.left_out, left_out);
    }

    pub(super) fn failure(&self) {
        add(&self.failures, 1);
    }

    /// All of them, with what is known elsewhere.
    pub(super) fn stats(&self, cached_bytes: usize, memory: &Memory, under_way: usize) -> Stats {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Stats {
            requests: get(&self.requests),
            not_modified: get(&self.not_modified),
            renderings: get(&self.renderings),
            failures: get(&self.failures),
            spilled: get(&self.spilled),
            left_out: get(&self.left_out),
            cached_bytes: cached_bytes as u64,
            memory_bytes: memory.used() as u64,
            under_way: under_way as u64,
        }
    }
}

//! Ranges of rows that are not in the table of parts: another instance may list them, and any client can make them up.
//!
//! They are served, but at most half of the renderings, and half of the waiting ones, are for such ranges, so that listed parts are
//! always served.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::source::Span;
use crate::table::Parts;

#[derive(Debug)]
pub(super) struct Foreign {
    /// Renderings at a time.
    permits: Semaphore,
    under_way: AtomicUsize,
    /// Renderings under way or waiting.
    most: usize,
}

/// A rendering in progress or waiting.
pub(super) struct Admitted<'a>(&'a Foreign);

impl Foreign {
    /// Half of `renderings` at a time, and half of the given number in progress or waiting.
    pub(super) fn new(renderings: usize, queue: usize) -> Self {
        Foreign {
            permits: Semaphore::new(renderings.div_ceil(2)),
            under_way: AtomicUsize::new(0),
            most: queue.div_ceil(2),
        }
    }

    /// `None` if there are too many already.
    pub(super) fn admit(&self) -> Option<Admitted<'_>> {
        let admitted = Admitted(self);
        (self.under_way.fetch_add(1, Ordering::Relaxed) < self.most).then_some(admitted)
    }
}

impl Admitted<'_> {
    /// Waits for its turn.
    pub(super) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        self.0.permits.acquire().await.ok()
    }
}

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Parts {
    /// How many entries a range has at least, as far as the table knows; `None` if it begins or ends within a part.
    pub(super) fn entries_within(&self, span: &Span) -> Option<u64> {
        let behind = |key| {
            self.rows
                .iter()
                .position(|row| row.to.as_ref() == Some(key))
                .map(|at| at + 1)
        };
        let first = span.after.as_ref().map_or(Some(0), behind)?;
        let end = span.to.as_ref().map_or(Some(self.rows.len()), behind)?;
        let entries = |row: &crate::table::PartRow| row.entries.unwrap_or(row.rows);
        Some(self.rows.get(first..end)?.iter().map(entries).sum())
    }
}

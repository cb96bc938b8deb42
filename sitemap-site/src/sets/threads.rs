//! Counting threads, so that a program does not have more than it can use.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of threads of one kind.
pub(crate) type Threads = AtomicUsize;

/// One of a number of threads, until it is dropped.
pub(crate) struct Counted(&'static Threads);

impl Counted {
    /// `None` if there are `most` threads already.
    pub(crate) fn new(threads: &'static Threads, most: usize) -> Option<Self> {
        let more = |threads| (threads < most).then(|| threads + 1);
        let counted = threads.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        counted.is_ok().then(|| Counted(threads))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

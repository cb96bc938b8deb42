//! Events that any client can cause: they are logged once in a while, so that requests cannot fill the log.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Minimum time between two events of one kind.
const INTERVAL: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
pub(super) struct Quiet {
    /// The index is requested, and there are no entries.
    pub(super) empty: Occasional,
    /// The index is requested before all rows are counted.
    pub(super) early: Occasional,
    /// A request waits for long.
    pub(super) slow: Occasional,
    /// A range is requested that the index does not list, and it is not rendered.
    pub(super) unlisted: Occasional,
}

#[derive(Debug, Default)]
pub(super) struct Occasional(Mutex<Option<Instant>>);

impl Occasional {
    /// Whether the event is logged this time.
    pub(super) fn allows(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let allows = last.is_none_or(|last| last.elapsed() >= INTERVAL);
        if allows {
            *last = Some(Instant::now());
        }
        allows
    }
}

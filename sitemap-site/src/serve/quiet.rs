//! Events that requests can cause: they are logged once in a while, so that requests cannot fill the log.

use std::fmt;
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
    /// An unlisted range is requested, and it is not rendered.
    pub(super) unlisted: Occasional,
    /// Rows of a range are skipped before all rows are counted.
    pub(super) uncounted_rows: Occasional,
    /// The index omits sections that cannot be counted.
    pub(super) omitted: Occasional,
}

#[derive(Debug, Default)]
pub(super) struct Occasional(Mutex<Option<Instant>>);

impl Occasional {
    /// Returns `true` if the event is logged this time.
    pub(super) fn allows(&self) -> bool {
        self.allows_after(INTERVAL)
    }

    /// Returns `true` if the event would be logged now.
    pub(super) fn would_allow(&self) -> bool {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_none_or(|last| last.elapsed() >= INTERVAL)
    }

    /// Returns `true` if the event is logged this time, with this pause between two.
    pub(super) fn allows_after(&self, interval: Duration) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let allows = last.is_none_or(|last| last.elapsed() >= interval);
        if allows {
            *last = Some(Instant::now());
        }
        allows
    }
}

/// Maximum number of events of one kind that are logged within a minute.
const MOST: u32 = 10;

/// Events that are all logged while they are few.
#[derive(Debug, Default)]
pub(super) struct Limited(Mutex<Window>);

#[derive(Debug, Default)]
struct Window {
    began: Option<Instant>,
    logged: u32,
    skipped: u64,
}

impl Limited {
    /// Returns `Some` if the event is logged, with the number of unlogged events before it.
    pub(super) fn allows(&self) -> Option<Skipped> {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if window.began.is_none_or(|began| began.elapsed() >= INTERVAL) {
            window.began = Some(Instant::now());
            window.logged = 0;
        }
        if window.logged >= MOST {
            window.skipped += 1;
            return None;
        }
        window.logged += 1;
        Some(Skipped(std::mem::take(&mut window.skipped)))
    }
}

/// The end of a message, with the number of unlogged events.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Skipped(u64);

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            1 => f.write_str(" (one more failure was not logged)"),
            more => write!(f, " ({more} more failures were not logged)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_events_are_logged_in_a_minute_and_the_number_of_the_others_later() {
        let limited = Limited::default();
        for round in [0, 15, 1] {
            let allowed: Vec<_> = (0..25).filter_map(|_| limited.allows()).collect();
            assert_eq!(allowed.len(), 10);
            let skipped = if round == 0 { 0 } else { 15 };
            assert_eq!(allowed[0], Skipped(skipped));
            assert!(allowed[1..].iter().all(|skipped| *skipped == Skipped(0)));
            // A minute later.
            limited.0.lock().unwrap().began = None;
        }
        let texts = [0, 1, 15].map(|skipped| Skipped(skipped).to_string());
        assert_eq!(
            texts,
            [
                "",
                " (one more failure was not logged)",
                " (15 more failures were not logged)"
            ]
        );
    }
}

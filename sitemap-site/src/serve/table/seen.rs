//! The newest rows that were read, and the rows that may have changed outside of them.

use std::collections::HashMap;
use std::time::SystemTime;

use sitemap_serde::W3cDateTime;
use tokio::time::Instant;
use tracing::{info, warn};

use super::lastmod::{DAY, is_future, is_of_days, newest_until, times};
use super::merge::after_1970;
use super::{PartRow, Parts};
use crate::key::Key;
use crate::source::{DatedKey, Newest, Span};
use crate::time::since_1970;

/// Maximum number of rows to read. A count of all rows finds the other changes.
pub(crate) const MAX_LATEST: usize = 1_000;

/// The rows that were read.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Parts already have all earlier lastmods.
    pub(crate) newest: W3cDateTime,
    /// Other rows whose lastmods their parts already have. Unknown after a count.
    pub(crate) keys: HashMap<Key, Newest>,
    pub(crate) unseen: Unseen,
}

/// Changed rows outside the rows that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unseen {
    None,
    /// Too many may have changed.
    Changed,
    /// Too many have lastmods in the future. A count would not change that.
    BeforeFuture,
}

impl Unseen {
    pub(crate) fn log(self) {
        match self {
            Unseen::None => {}
            Unseen::Changed => info!(
                "{MAX_LATEST} rows or more may have changed since all rows were counted, which are therefore counted again"
            ),
            Unseen::BeforeFuture => warn!(
                "{MAX_LATEST} rows or more have lastmods in the future: lastmods before theirs are in the index after the next count of all rows \
                 (`recount_after`, or `Site::refresh`)"
            ),
        }
    }
}

impl Parts {
    /// The rows that were looked at, if it is time to look again.
    pub(crate) fn seen(&self) -> Option<Seen> {
        let is_due = self.latest_due.is_none_or(|due| Instant::now() >= due);
        self.seen.clone().filter(|_| is_due && self.complete)
    }

    /// Records that all rows were looked at until a time: rows that have changed since may not have been counted.
    pub(crate) fn set_seen(&mut self, until: SystemTime) {
        let seconds = since_1970(until).as_secs();
        // Many columns have whole seconds.
        let Ok(now) = W3cDateTime::try_from(after_1970(seconds)) else {
            return;
        };
        let year_ago = W3cDateTime::try_from(after_1970(seconds.saturating_sub(367 * DAY))).unwrap_or(now);
        let lastmods = || self.rows.iter().map(|row| row.newest);
        // If all are in the future, or days that have not begun everywhere, take a date that no later change can be older than.
        let oldest = |lastmod| if is_of_days(lastmod) { year_ago } else { now };
        let newest = newest_until(until, lastmods()).map(|newest| newest.min(now));
        let newest = newest.or_else(|| lastmods().filter_map(Newest::lastmod).map(oldest).max());
        self.seen = newest.map(|newest| Seen {
            newest,
            keys: HashMap::new(),
            unseen: Unseen::None,
        });
    }

    /// Returns `true` if only a count of all rows finds some changes, and it is time for one.
    pub(crate) fn are_changes_due(&self) -> bool {
        let is_due = self.changes_due.is_none_or(|due| Instant::now() >= due);
        let seen = self.seen.as_ref();
        is_due && seen.is_some_and(|seen| seen.unseen == Unseen::Changed)
    }

    /// The rows that are not among the latest, although they may have changed since.
    pub(crate) fn unseen(&self, latest: &[DatedKey], since: W3cDateTime) -> Unseen {
        let last = latest.get(MAX_LATEST - 1).and_then(|last| last.lastmod.lastmod());
        let Some(last) = last else { return Unseen::None };
        // No unseen row has a later lastmod.
        let has_older = |part: &PartRow| part.newest.lastmod().is_some_and(|newest| newest < last);
        // More rows may have changed on the same day, or in the same second, after they were counted.
        let was_counted = last < since || last == since && self.counted.all >= times(last).end;
        if is_future(last) {
            Unseen::BeforeFuture
        } else if !was_counted && self.rows.iter().any(has_older) {
            Unseen::Changed
        } else {
            Unseen::None
        }
    }

    pub(crate) fn raise(&mut self, span: &Span, newest: Newest) {
        if let Some(row) = self.find(span).and_then(|at| self.rows.get_mut(at)) {
            let before = row.newest;
            row.raise(newest);
            self.generation += u64::from(row.newest != before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(lastmods: &[&str]) -> Parts {
        let row = |lastmod: &&str| PartRow::new(None, 5, Newest::of([lastmod.parse().ok()]));
        Parts {
            rows: lastmods.iter().map(row).collect(),
            complete: true,
            ..Parts::default()
        }
    }

    fn time(text: &str) -> SystemTime {
        let time: W3cDateTime = text.parse().unwrap();
        after_1970(u64::try_from(time.unix_time().0).unwrap())
    }

    /// A lastmod written from this time on, in any zone, is not older than the searched one.
    #[test]
    fn what_changes_after_a_count_is_looked_for() {
        let noon = "2026-05-10T12:00:00Z";
        for (lastmods, until, newest) in [
            (&["2026-05-09", "2026-05-10"][..], noon, "2026-05-10"),
            // In the west it is still the 9th.
            (
                &["2026-05-09", "2026-05-10"],
                "2026-05-10T11:59:59Z",
                "2026-05-09",
            ),
            // In the east it is already the 11th.
            (&["2026-05-09", "2026-05-11"], noon, "2026-05-09"),
            (&["2026-05-11"], noon, "2025-05-08T12:00:00Z"),
            (&["2026-04", "2026-05"], noon, "2026-05"),
            (&["2026-04", "2026-05"], "2026-05-01T12:00:00Z", "2026-05"),
            (&["2026-04", "2026-05"], "2026-05-01T11:00:00Z", "2026-04"),
            (&["2026"], noon, "2026"),
            (
                &["2026-05-10T11:00:00Z", "2027-01-01T00:00:00Z"],
                noon,
                "2026-05-10T11:00:00Z",
            ),
            (&["2026-05-10T12:00:00.7Z"], noon, noon),
            (&["2027-01-01T00:00:00Z"], noon, noon),
        ] {
            let mut parts = parts(lastmods);
            parts.set_seen(time(until));
            let found = parts.seen.unwrap().newest.to_string();
            assert_eq!(found, newest, "{lastmods:?} until {until}");
        }
        let mut undated = parts(&["no date"]);
        undated.set_seen(time(noon));
        assert!(undated.seen.is_none());
    }
}

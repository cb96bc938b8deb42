//! Combining the tables of several instances.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::store::{Counted, StoredParts};
use super::{PartRow, Parts, for_same_parts};

impl Parts {
    /// Combines the table with the one that another instance has stored: the parts of the later count, and the later content of each part. `now` is
    /// in seconds since 1970.
    pub(crate) fn merge(&mut self, stored: &StoredParts, now: u64) {
        // Times in the future are those of a wrong clock, and later than no other.
        let counted = Counted {
            all: stored.counted.all.min(now),
            last: stored.counted.last.min(now),
        };
        if !self.complete || counted > self.counted {
            let began = after_1970(counted.all);
            self.replace(stored.parts.clone(), began);
            // Nor need this instance count all rows again before it is due.
            if !self.complete || counted.all > self.counted.all {
                let age = Duration::from_secs(now.saturating_sub(counted.all));
                self.all_checked = Instant::now().checked_sub(age).or(self.all_checked);
                self.set_seen(began);
            } else {
                // This instance may have seen changes later, in other parts.
                self.set_seen(after_1970(self.counted.last));
            }
            if counted.last < self.counted.last {
                // This instance may know rows that the other has not found.
                self.tail_checked = None;
            }
            self.complete = true;
            self.counted = counted;
        }
        let mut is_changed = false;
        for_same_parts(&mut self.rows, &stored.parts, |own, stored| {
            is_changed |= own.merge(stored);
        });
        self.generation += u64::from(is_changed);
    }

    /// Records which times are stored.
    pub(crate) fn mark_stored(&mut self, saved: &[PartRow]) {
        let mut is_changed = false;
        for_same_parts(&mut self.rows, saved, |own, saved| {
            if saved.changed.is_some() && own.changed == saved.changed && own.stored != own.changed {
                own.stored = own.changed;
                is_changed = true;
            }
        });
        self.generation += u64::from(is_changed);
    }

    /// What is stored of the table.
    pub(crate) fn to_stored(&self) -> StoredParts {
        StoredParts {
            counted: self.counted,
            parts: self.rows.clone(),
        }
    }
}

/// The time that is `seconds` after 1970.
pub(super) fn after_1970(seconds: u64) -> SystemTime {
    let since = Duration::from_secs(seconds);
    UNIX_EPOCH.checked_add(since).unwrap_or(UNIX_EPOCH)
}

impl PartRow {
    /// Adopts the content that is stored, if it is the same, or was seen later. The time of a content that is stored may have been sent to clients, so it stays.
    fn merge(&mut self, stored: &PartRow) -> bool {
        let is_same = (self.hash, self.entries) == (stored.hash, stored.entries);
        let is_later = (stored.changed, stored.hash) > (self.changed, self.hash);
        if stored.changed.is_none() || !(is_same || is_later) {
            return false;
        }
        if !is_same {
            self.hash = stored.hash;
            self.entries = stored.entries;
            // What this instance has rendered is another content.
            self.checked = None;
        }
        let is_changed = !is_same || self.stored != stored.changed;
        self.changed = stored.changed;
        self.stored = stored.changed;
        is_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::ContentHash;
    use crate::key::Key;
    use crate::source::Newest;
    use sitemap_serde::W3cDateTime;

    fn table(rows: Vec<PartRow>, counted: Counted) -> Parts {
        Parts {
            rows,
            complete: true,
            counted,
            tail_checked: Some(Instant::now()),
            ..Parts::default()
        }
    }

    fn stored(rows: Vec<PartRow>, all: u64, last: u64) -> StoredParts {
        StoredParts {
            counted: Counted { all, last },
            parts: rows,
        }
    }

    fn part(to: Option<i64>, newest: Newest) -> PartRow {
        PartRow::new(to.map(Key::from), 5, newest)
    }

    fn day(day: u8) -> Newest {
        Newest::of([W3cDateTime::from_ymd(2026, 5, day).ok()])
    }

    /// The renderings of a part from before a purge are not kept, whichever count has made the part.
    #[test]
    fn a_purge_holds_for_parts_that_are_adopted() {
        let mut parts = Parts {
            purged: Some(Instant::now()),
            ..Parts::default()
        };
        parts.merge(&stored(vec![part(None, Newest::Unknown)], 50, 50), 1_000);
        assert_eq!(parts.rows[0].purged, parts.purged);
        // Counted before the purge, used after it.
        parts.replace(vec![part(Some(10), Newest::Unknown)], UNIX_EPOCH);
        assert_eq!(parts.rows[0].purged, parts.purged);
    }

    /// Dates that were found while all rows were counted are kept, and rows that have changed meanwhile are looked for.
    #[test]
    fn a_count_of_all_rows_keeps_what_was_found_meanwhile() {
        let began = SystemTime::now();
        let kept = |before: Newest, found: Newest, counted: Newest, began| {
            let mut parts = table(vec![part(None, before)], Counted::default());
            parts.rows[0].raise(found);
            parts.replace(vec![part(None, counted)], began);
            parts.rows[0].newest
        };
        assert_eq!(kept(day(1), day(9), day(1), began), day(9));
        assert_eq!(kept(day(1), day(9), day(10), began), day(10));
        // Published, and listed, after it was counted.
        assert_eq!(kept(Newest::Nothing, day(9), Newest::Nothing, began), day(9));
        // A count that began later is right, also if a row was deleted.
        assert_eq!(
            kept(day(1), day(9), day(1), began + Duration::from_secs(60)),
            day(1)
        );
        assert_eq!(kept(day(9), day(9), day(1), began), day(1));
    }

    /// Changes that only this instance has seen may have been in parts that the other has divided.
    #[test]
    fn after_adopting_a_later_tail_changes_are_looked_for_again() {
        let newest = || PartRow::new(None, 5, Newest::of([W3cDateTime::try_from(after_1970(95)).ok()]));
        let mut parts = table(vec![newest()], Counted { all: 50, last: 90 });
        parts.set_seen(after_1970(95));
        let seen = parts.seen.clone().unwrap();
        parts.merge(&stored(vec![newest()], 50, 99), 1_000);
        assert!(parts.seen.unwrap().newest < seen.newest);
    }

    /// A later count of all rows may have ended before rows were found that this instance knows.
    #[test]
    fn after_adopting_an_older_tail_it_is_counted_again() {
        for (all, last, is_due) in [(60, 60, true), (60, 95, false), (50, 95, false), (40, 95, false)] {
            let mut parts = table(
                vec![part(Some(10), Newest::Unknown), part(None, Newest::Unknown)],
                Counted { all: 50, last: 90 },
            );
            parts.merge(&stored(vec![part(Some(10), Newest::Unknown)], all, last), 1_000);
            assert_eq!(parts.tail_checked.is_none(), is_due, "{all} {last}");
            assert_eq!(parts.rows.len(), if all < 50 { 2 } else { 1 });
        }
    }

    /// What is known of a part with entries is older than that it has none, until it has some again.
    #[test]
    fn an_emptied_part_stays_empty() {
        let full = PartRow {
            entries: Some(10),
            hash: Some(ContentHash::of(b"a")),
            changed: Some(100),
            stored: Some(100),
            ..part(Some(10), Newest::Unknown)
        };
        let empty = PartRow {
            entries: Some(0),
            hash: None,
            changed: Some(101),
            ..full.clone()
        };
        for (own, other) in [(&full, &empty), (&empty, &full)] {
            let mut parts = table(vec![own.clone()], Counted { all: 50, last: 50 });
            parts.merge(&stored(vec![other.clone()], 50, 50), 1_000);
            assert_eq!(
                (parts.rows[0].entries, parts.rows[0].changed),
                (Some(0), Some(101))
            );
        }
    }
}

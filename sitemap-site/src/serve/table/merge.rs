//! Combining the tables of several instances.
//!
//! **Tables in a store are merged**: the parts of the later count win, and for each part the content that was seen later. A save
//! is conditional, so that none is lost.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::store::{Counted, StoredParts};
use super::{PartRow, Parts, for_same_parts};
use crate::source::Newest;

impl Parts {
    /// Combines the table with another instance's stored table: the parts of the later count, and the later content of each part.
    /// `now` is in seconds since 1970.
    pub(crate) fn merge(&mut self, stored: &StoredParts, now: u64) {
        // A time in the future comes from a wrong clock, and does not count as later.
        let counted = Counted {
            all: stored.counted.all.min(now),
            last: stored.counted.last.min(now),
        };
        if !self.complete || counted > self.counted {
            let began = after_1970(counted.all);
            self.replace(stored.parts.clone(), began);
            // This instance need not count all rows again before the next count is due.
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

    /// Replaces the table with a later count, which began at this time. Facts about a part stay if its range is the same.
    pub(crate) fn replace(&mut self, mut rows: Vec<PartRow>, began: SystemTime) {
        for row in &mut rows {
            // The section may have been purged since they were counted.
            row.purged = self.purged;
        }
        for_same_parts(&mut rows, &self.rows, |new, old| {
            if old.dated >= Some(began) && old.newest != Newest::Nothing {
                new.raise(old.newest);
            }
            *new = PartRow {
                rows: new.rows,
                newest: new.newest,
                divided: new.divided,
                ..old.clone()
            };
        });
        self.generation += u64::from(rows[..] != *self.rows);
        self.former.replaced(&self.rows, &rows);
        self.rows = rows.into_iter().collect();
    }

    /// Records which times are stored.
    pub(crate) fn mark_stored(&mut self, saved: &[PartRow]) {
        let mut is_changed = false;
        for_same_parts(&mut self.rows, saved, |own, saved| {
            if own.changed == saved.changed && own.stored != own.changed {
                own.stored = own.changed;
                is_changed = true;
            }
        });
        self.generation += u64::from(is_changed);
    }

    /// The stored form of the table.
    pub(crate) fn to_stored(&self) -> StoredParts {
        StoredParts {
            counted: self.counted,
            parts: self.rows.to_vec(),
        }
    }
}

/// The time that is `seconds` after 1970.
pub(super) fn after_1970(seconds: u64) -> SystemTime {
    let since = Duration::from_secs(seconds);
    UNIX_EPOCH.checked_add(since).unwrap_or(UNIX_EPOCH)
}

impl PartRow {
    /// Adopts the stored content, if it is the same, or was seen later. Clients may have the time of a stored content, so it
    /// stays.
    fn merge(&mut self, stored: &PartRow) -> bool {
        let is_same = (self.hash, self.entries) == (stored.hash, stored.entries);
        let is_later = (stored.changed, stored.hash) > (self.changed, self.hash);
        if stored.changed.is_none() || !(is_same || is_later) {
            return false;
        }
        if !is_same {
            self.hash = stored.hash;
            self.entries = stored.entries;
            // This instance has rendered a different content.
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
    use sitemap_serde::W3cDateTime;

    fn table(rows: Vec<PartRow>, counted: Counted) -> Parts {
        Parts {
            rows: rows.into_iter().collect(),
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

    /// Renderings from before a purge are dropped, whichever count has made the part.
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

    /// Dates that were found during the count of all rows stay, and rows that changed during the count are searched again.
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
        // A later count is right, even if a row was deleted.
        assert_eq!(
            kept(day(1), day(9), day(1), began + Duration::from_secs(60)),
            day(1)
        );
        assert_eq!(kept(day(9), day(9), day(1), began), day(1));
    }

    /// Changes that only this instance has seen may be in parts that the other has split. A later count of all rows has found all
    /// earlier changes.
    #[test]
    fn after_adopting_a_later_table_changes_are_looked_for_again() {
        let newest = || PartRow::new(None, 5, Newest::of([W3cDateTime::try_from(after_1970(95)).ok()]));
        for (all, last, since) in [(50, 99, 90), (60, 99, 60)] {
            let mut parts = table(vec![newest()], Counted { all: 50, last: 90 });
            parts.set_seen(after_1970(95));
            parts.merge(&stored(vec![newest()], all, last), 100);
            let seen = parts.seen.unwrap().newest;
            assert_eq!(Some(seen), W3cDateTime::try_from(after_1970(since)).ok(), "{all}");
            assert_eq!(parts.all_checked.is_some(), all > 50, "{all}");
        }
    }

    /// A later count of all rows may have ended before this instance found some rows.
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

    /// Facts about a part with entries are older than the fact that it is empty, until it has entries again.
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
    /// Parts of the same range, as they are known after any renderings, saves and loads.
    fn states() -> Vec<PartRow> {
        let mut states = Vec::new();
        for (content, entries) in [(b"a", 5), (b"b", 6)] {
            for (changed, stored) in [(None, None), (Some(100), None), (Some(100), Some(100))]
                .into_iter()
                .chain([(Some(101), None), (Some(101), Some(100)), (Some(101), Some(101))])
            {
                states.push(PartRow {
                    hash: Some(ContentHash::of(content)),
                    entries: Some(entries),
                    changed,
                    stored,
                    ..part(None, Newest::Unknown)
                });
            }
        }
        states
    }

    /// The table after `work`, and whether its generation has changed.
    fn after(row: &PartRow, work: impl FnOnce(&mut Parts)) -> (PartRow, bool) {
        let mut parts = table(vec![row.clone()], Counted::default());
        work(&mut parts);
        (parts.rows[0].clone(), parts.generation != 0)
    }

    /// Two instances reach the same content, whichever saves first, and rewrite their indexes only if they change.
    #[test]
    fn a_merge_finds_the_later_content() {
        let merged = |own: &PartRow, other: &PartRow| {
            let other = PartRow {
                stored: other.changed,
                ..other.clone()
            };
            after(own, |parts| parts.merge(&stored(vec![other], 0, 0), 1_000))
        };
        for own in &states() {
            for other in &states() {
                let (row, is_changed) = merged(own, other);
                let of_index = |row: &PartRow| (row.hash, row.entries, row.stored);
                assert_eq!(is_changed, of_index(&row) != of_index(own), "{own:?} {other:?}");
                let (there, _) = merged(other, own);
                if own.changed.max(other.changed).is_some() {
                    assert_eq!((row.hash, row.entries), (there.hash, there.entries));
                }
                assert!(other.changed.is_none() || row.changed >= other.changed.min(own.changed));
            }
        }
    }

    /// Only a time that is stored is sent.
    #[test]
    fn a_time_is_stored_if_it_is_the_one_that_was_saved() {
        for own in &states() {
            for saved in &states() {
                let (row, is_changed) = after(own, |parts| parts.mark_stored(std::slice::from_ref(saved)));
                let is_saved = own.changed == saved.changed;
                let expected = if is_saved { own.changed } else { own.stored };
                assert_eq!(row.stored, expected, "{own:?} {saved:?}");
                assert_eq!(is_changed, row.stored != own.stored, "{own:?} {saved:?}");
            }
        }
    }
}

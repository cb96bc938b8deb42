//! Combining the tables of several instances.

use std::time::{Duration, Instant};

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
            self.replace(stored.parts.clone());
            self.complete = true;
            self.set_seen();
            // Nor need this instance count all rows again before it is due.
            if counted.all > self.counted.all || self.all_checked.is_none() {
                let age = Duration::from_secs(now.saturating_sub(counted.all));
                self.all_checked = Instant::now().checked_sub(age).or(self.all_checked);
            }
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

//! Sides in any order: what the old one says is kept as hashes.

use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use crate::error::Result;

use super::{Change, Diff, Documents, Entry, Summary};

/// What is known of an old page: the hash of what it says, whose lowest bit is whether the new side lists it.
#[derive(Clone, Copy, Debug)]
struct Known(u64);

impl Known {
    fn new(hash: u64) -> Self {
        Known(hash & !1)
    }

    fn is_met(self) -> bool {
        self.0 & 1 == 1
    }

    fn says(self, hash: u64) -> bool {
        self.0 & !1 == hash & !1
    }
}

pub(super) fn run(
    diff: &Diff,
    old: &mut Documents<'_>,
    new: &mut Documents<'_>,
    report: &mut dyn FnMut(Change) -> Result<()>,
) -> Result<Summary> {
    // Of 64 bits under a key that nobody outside knows.
    let key = RandomState::new();
    let mut summary = Summary::default();
    let mut known: HashMap<u64, Known> = HashMap::new();
    let mut cursor = old.read();
    while cursor.advance()? {
        let hash = Entry::of(&cursor.record, diff).hash(&key);
        match known.entry(key.hash_one(cursor.record.loc())) {
            MapEntry::Occupied(_) => summary.repeated += 1,
            MapEntry::Vacant(page) => {
                page.insert(Known::new(hash));
            }
        }
    }
    summary.unread += cursor.unread;

    // The new entries of pages that changed, by loc.
    let mut changed: HashMap<String, Entry> = HashMap::new();
    let mut added: HashSet<u64> = HashSet::new();
    let mut cursor = new.read();
    while cursor.advance()? {
        let loc = cursor.record.loc();
        let hash = key.hash_one(loc);
        match known.get_mut(&hash) {
            Some(page) if page.is_met() => summary.repeated += 1,
            Some(page) => {
                let entry = Entry::of(&cursor.record, diff);
                if page.says(entry.hash(&key)) {
                    summary.same += 1;
                } else {
                    changed.insert(loc.to_owned(), entry);
                }
                page.0 |= 1;
            }
            None if added.insert(hash) => {
                summary.added += 1;
                report(Change::Added { loc: loc.to_owned() })?;
            }
            None => summary.repeated += 1,
        }
    }
    summary.unread += cursor.unread;
    drop(added);

    // What went, and what the pages that changed said before.
    let mut cursor = old.read();
    while cursor.advance()? {
        let loc = cursor.record.loc();
        let hash = key.hash_one(loc);
        let Some(page) = known.get(&hash).copied() else {
            continue;
        };
        if !page.is_met() {
            summary.removed += 1;
            report(Change::Removed { loc: loc.to_owned() })?;
        } else if let Some(entry) = changed.remove(loc)
            && let Some(change) = Entry::of(&cursor.record, diff).compare(&entry, loc)
        {
            summary.changed += 1;
            report(change)?;
        }
        // The first entry of a loc counts.
        known.remove(&hash);
    }
    Ok(summary)
}

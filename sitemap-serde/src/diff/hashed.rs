//! Comparing sides in any order, with hashes of the old side's entries.

use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use crate::error::Result;
use crate::filter::Filter;
use crate::lint::Input;
use crate::loc::normal_form;

use super::{Change, Diff, Entry, Summary, documents};

/// Hashes of normalized locs, of 16 bytes, so that even among a billion pages no two have the same.
#[derive(Debug, Default)]
struct LocHashes(
    // Random keys, so that nobody can craft documents whose hashes collide.
    RandomState,
    RandomState,
);

impl LocHashes {
    fn of(&self, loc: &str) -> (u64, u64) {
        let normal = normal_form(loc);
        (self.0.hash_one(&*normal), self.1.hash_one(&*normal))
    }
}

/// A page of the old side: the hash of its fields and of its loc as it is spelt, whose lowest bit is set once the page is found in the new side.
#[derive(Clone, Copy, Debug)]
struct OldPage(u64);

impl OldPage {
    fn new(hash: u64) -> Self {
        OldPage(hash & !1)
    }

    fn is_in_new(self) -> bool {
        self.0 & 1 == 1
    }

    fn is_same(self, hash: u64) -> bool {
        self.0 & !1 == hash & !1
    }
}

pub(super) fn run(
    diff: &Diff,
    old: &mut [Input<'_>],
    new: &mut [Input<'_>],
    report: &mut dyn FnMut(Change) -> Result<()>,
) -> Result<Summary> {
    let (locs, key) = (LocHashes::default(), RandomState::new());
    let mut summary = Summary::default();
    let mut old_pages: HashMap<(u64, u64), OldPage> = HashMap::new();
    let mut cursor = documents::read(old, diff.exact, diff.filter.as_ref());
    while cursor.advance()? {
        let hash = Entry::of(&cursor.record, diff).hash(&key);
        match old_pages.entry(locs.of(cursor.record.loc())) {
            MapEntry::Occupied(_) => summary.repeated += 1,
            MapEntry::Vacant(page) => {
                page.insert(OldPage::new(hash));
            }
        }
    }
    summary.unread_old = cursor.unread;
    summary.indexes += cursor.indexes;

    // The new entries of pages that changed.
    let mut changed: HashMap<(u64, u64), Entry> = HashMap::new();
    let mut added: HashSet<(u64, u64)> = HashSet::new();
    let mut cursor = documents::read(new, diff.exact, diff.filter.as_ref());
    while cursor.advance()? {
        let hash = locs.of(cursor.record.loc());
        match old_pages.get_mut(&hash) {
            Some(page) if page.is_in_new() => summary.repeated += 1,
            Some(page) => {
                let entry = Entry::of(&cursor.record, diff);
                if page.is_same(entry.hash(&key)) {
                    summary.same += 1;
                } else {
                    changed.insert(hash, entry);
                }
                page.0 |= 1;
            }
            None if added.insert(hash) => {
                summary.added += 1;
                report(Entry::of(&cursor.record, diff).added())?;
            }
            None => summary.repeated += 1,
        }
    }
    summary.unread_new = cursor.unread;
    summary.indexes += cursor.indexes;
    drop(added);

    // Pages that only the old side lists, and the old fields of changed pages.
    let uncounted = diff.filter.as_ref().map(Filter::uncounted);
    let mut cursor = documents::read(old, diff.exact, uncounted.as_ref());
    while cursor.advance()? {
        let loc = cursor.record.loc();
        let hash = locs.of(loc);
        let Some(page) = old_pages.get(&hash).copied() else {
            continue;
        };
        if !page.is_in_new() {
            report(summary.only_old(loc))?;
        } else if let Some(entry) = changed.remove(&hash) {
            let change = Entry::of(&cursor.record, diff).compare(&entry);
            summary.both(change.as_ref());
            change.map_or(Ok(()), &mut *report)?;
        }
        // Later entries with the same loc are skipped.
        old_pages.remove(&hash);
    }
    Ok(summary)
}

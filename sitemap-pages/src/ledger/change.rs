//! Which pages have moved.

use std::collections::HashSet;

use super::shared::{SharedBlocks, frequent};
use super::{Ledger, LedgerPage, PageBlocks};
use crate::block::{Block, Mask};

/// A change of a page: a block, with its numbers masked, was added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Change {
    Added(Mask),
    Removed(Mask),
}

/// What the ledger says of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is not in the ledger.
    New,
    Moved,
    Same,
    /// It has no blocks that could be counted, so nothing can be said of it.
    Blank,
}

/// A page of this run, to be compared.
pub(crate) struct Compared<'a> {
    /// The path of its file, percent-encoded.
    pub(crate) path: &'a str,
    pub(crate) blocks: &'a PageBlocks,
    /// Whether it has no blocks but those that are never counted.
    pub(crate) is_blank: bool,
}

/// A run compared with the ledger.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) outcomes: Vec<Outcome>,
    /// The changes that occur on so many pages that they are not counted.
    common: HashSet<Change>,
}

impl Comparison {
    pub(crate) fn of(old: &Ledger, shared: &SharedBlocks, pages: &[Compared<'_>]) -> Self {
        let before: Vec<_> = pages.iter().map(|page| old.page(page.path)).collect();
        let changes = |page: usize, changes: &mut Vec<Change>| {
            if let (Some(before), Some(page)) = (before[page], pages.get(page))
                && !page.is_blank
            {
                let found = difference(old, shared, before, page.blocks);
                changes.extend(found.into_iter().map(|(change, _)| change));
            }
        };
        let part = |change: Change, parts: u64| match change {
            Change::Added(mask) | Change::Removed(mask) => mask.part(parts),
        };
        let common = frequent(pages.len(), changes, part);
        let mut found = Vec::new();
        let outcomes = (0..pages.len()).map(|i| {
            found.clear();
            changes(i, &mut found);
            if before[i].is_none() {
                Outcome::New
            } else if pages[i].is_blank {
                Outcome::Blank
            } else if found.iter().any(|change| !common.contains(change)) {
                Outcome::Moved
            } else {
                Outcome::Same
            }
        });
        Comparison {
            outcomes: outcomes.collect(),
            common,
        }
    }

    /// Whether the same change occurs on many pages.
    pub(crate) fn is_common(&self, change: Change) -> bool {
        self.common.contains(&change)
    }
}

/// The blocks that were added to a page or removed from it and were counted, but are in neither table of shared blocks. Of a page whose
/// line was kept from an earlier run, only those that were removed, since the table of that run is no longer known.
pub(crate) fn difference(
    old: &Ledger,
    shared: &SharedBlocks,
    before: &LedgerPage,
    now: &PageBlocks,
) -> Vec<(Change, Block)> {
    let (is_kept, before) = (before.is_kept, &before.blocks);
    if before == now {
        return Vec::new();
    }
    let (before_all, now_all) = (all(before), all(now));
    let mut changes = Vec::new();
    let (mut b, mut n) = (0, 0);
    while b < before_all.len() || n < now_all.len() {
        let (block, change, counted) = match (before_all.get(b), now_all.get(n)) {
            (Some(was), Some(is)) if was == is => {
                (b, n) = (b + 1, n + 1);
                continue;
            }
            (Some(was), is) if is.is_none_or(|is| was < is) => {
                b += 1;
                (*was, Change::Removed(was.mask()), &before.counted)
            }
            (_, Some(is)) => {
                n += 1;
                (*is, Change::Added(is.mask()), &now.counted)
            }
            (_, None) => break,
        };
        let is_counted =
            counted.binary_search(&block).is_ok() && !(is_kept && matches!(change, Change::Added(_)));
        if is_counted && !old.is_shared(block) && !shared.contains(block) {
            changes.push((change, block));
        }
    }
    changes
}

/// All blocks in order, excerpts too.
fn all(blocks: &PageBlocks) -> Vec<Block> {
    let mut all = [&*blocks.counted, &*blocks.excerpts].concat();
    if !blocks.excerpts.is_empty() {
        all.sort_unstable();
    }
    all
}

//! Finds the pages that have moved.

use std::collections::{HashMap, HashSet};

use super::shared::{SharedBlocks, frequent, threshold};
use super::{Ledger, LedgerPage, PageBlocks};
use crate::block::{Block, Mask};
use crate::slot::{Slot, Spot, slot_of};

/// A change of a page: a block, with its numbers masked, was added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Change {
    Added(Mask),
    Removed(Mask),
    /// The numbers of blocks changed. Equal if the same numbers became the same ones.
    Renumbered(Mask),
}

/// A block that was added to a page or removed from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Difference {
    pub(crate) change: Change,
    pub(crate) is_added: bool,
    pub(crate) block: Block,
    pub(crate) slot: Option<Slot>,
}

/// The template of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kind {
    /// A hash of the elements around the title, or else around the first block: equal for pages of one kind.
    pub(crate) path: u32,
    /// `true` if the page has a title, and not only a first block.
    pub(crate) has_title: bool,
}

impl Kind {
    /// Returns `true` if a block was the title, or is it now.
    fn is_title(self, found: &Difference) -> bool {
        self.has_title && found.slot.is_some_and(|slot| slot.is_first_of(self.path))
    }
}

/// A change at a place of the template, on pages of one kind or on all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct PlaceChange {
    kind: Option<u32>,
    is_added: bool,
    spot: Spot,
}

/// Changes in the same elements, on pages of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct PathChange {
    path_of_kind: u32,
    is_added: bool,
    path: u32,
}

/// The result of comparing a page with the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is not in the ledger.
    New,
    Moved,
    /// It changed only where most pages of its kind did, or as many pages did.
    Template,
    Same,
    /// It has no blocks to count, so its changes are unknown.
    Blank,
}

/// A page of this run, for comparison.
pub(crate) struct Compared<'a> {
    /// Its page in the ledger.
    pub(crate) before: Option<&'a LedgerPage>,
    pub(crate) blocks: &'a PageBlocks,
    pub(crate) kind: Kind,
    /// `true` if all of its blocks are of kinds that are never counted.
    pub(crate) is_blank: bool,
}

/// A run compared with the ledger.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) outcomes: Vec<Outcome>,
    /// Changes that are not counted, because many pages have them.
    common: HashSet<Change>,
    /// Changes at places of the template that are not counted for the same reason.
    places: HashSet<PlaceChange>,
    /// The typical number of such changes on a page.
    usual: HashMap<PathChange, usize>,
}

/// Blocks at one place that moved many pages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MostMoved {
    pub(crate) is_added: bool,
    pub(crate) pages: usize,
    /// The number of an example page, and its block.
    pub(crate) page: usize,
    pub(crate) block: Block,
}

/// The maximum number of such blocks in the message about a run that moves most pages.
const MOST_SHOWN: usize = 3;

impl Comparison {
    pub(crate) fn of(old: &Ledger, shared: &SharedBlocks, pages: &[Compared<'_>]) -> Self {
        let differences = |page: usize| match pages.get(page) {
            Some(page) if !page.is_blank => page
                .before
                .map_or_else(Vec::new, |before| difference(old, shared, before, page.blocks)),
            _ => Vec::new(),
        };
        let changes = |page: usize, changes: &mut Vec<Change>| {
            changes.extend(differences(page).iter().map(|found| found.change));
        };
        let part = |change: Change, parts: u64| match change {
            Change::Added(mask) | Change::Removed(mask) | Change::Renumbered(mask) => mask.part(parts),
        };
        let mut comparison = Comparison {
            common: frequent(pages.len(), changes, part),
            places: common_places(pages, differences),
            ..Comparison::default()
        };
        comparison.usual = comparison.usual(pages, differences);
        comparison.outcomes = (0..pages.len())
            .map(|i| {
                let page = &pages[i];
                let Some(before) = page.before else {
                    return Outcome::New;
                };
                if page.is_blank {
                    return Outcome::Blank;
                }
                let found = differences(i);
                let counted = comparison.counted(&found, page.kind, [&before.blocks, page.blocks]);
                match (counted.contains(&true), found.is_empty()) {
                    (true, _) => Outcome::Moved,
                    (false, true) => Outcome::Same,
                    (false, false) => Outcome::Template,
                }
            })
            .collect();
        comparison
    }

    /// Returns for each change of a page of this kind whether it moves the page. Changes on many pages do not. Nor do changes at a
    /// place of the template where most pages have one, unless this page has more of them than most, or they are more than half of its
    /// blocks. `blocks` are the page's before and now.
    pub(crate) fn counted(&self, changes: &[Difference], kind: Kind, blocks: [&PageBlocks; 2]) -> Vec<bool> {
        let places: Vec<Option<PathChange>> = changes
            .iter()
            .map(|found| self.at_common_place(found, kind))
            .collect();
        let is_own = |(found, place): &(&Difference, &Option<PathChange>)| {
            place.is_some() && !self.common.contains(&found.change)
        };
        let [removed, added] = [false, true].map(|is_added| {
            let found = changes.iter().zip(&places).filter(is_own);
            found.filter(|(found, _)| found.is_added == is_added).count()
        });
        // A template that replaces most of a page is its content.
        let is_rewritten = removed * 2 > blocks[0].counted.len() || added * 2 > blocks[1].counted.len();
        let is_counted = |(found, place): (&Difference, &Option<PathChange>)| {
            if self.common.contains(&found.change) {
                return false;
            }
            is_rewritten
                || place.is_none_or(|place| {
                    let count = places.iter().filter(|other| **other == Some(place)).count();
                    self.usual.get(&place).is_none_or(|usual| count > *usual)
                })
        };
        changes.iter().zip(&places).map(is_counted).collect()
    }

    /// Pairs the changes of a page with whether they move it.
    pub(crate) fn with_counted(
        &self,
        changes: Vec<Difference>,
        kind: Kind,
        blocks: [&PageBlocks; 2],
    ) -> Vec<(Difference, bool)> {
        let counted = self.counted(&changes, kind, blocks);
        changes.into_iter().zip(counted).collect()
    }

    /// Returns the elements of a change, if many pages have one at its place.
    fn at_common_place(&self, found: &Difference, kind: Kind) -> Option<PathChange> {
        if self.places.is_empty() {
            return None;
        }
        let slot = slot_of_template(found, kind)?;
        let is_added = found.is_added;
        let is_common = |spot: Spot| {
            [None, Some(kind.path)]
                .into_iter()
                .any(|kind| self.places.contains(&PlaceChange { kind, is_added, spot }))
        };
        slot.spots().any(is_common).then(|| PathChange {
            path_of_kind: kind.path,
            is_added,
            path: slot.path(),
        })
    }

    /// Returns how many changes most pages of a kind have at common places of the same elements.
    fn usual(
        &self,
        pages: &[Compared<'_>],
        differences: impl Fn(usize) -> Vec<Difference>,
    ) -> HashMap<PathChange, usize> {
        let mut counts: HashMap<(PathChange, usize), usize> = HashMap::new();
        if self.places.is_empty() {
            return HashMap::new();
        }
        for (number, page) in pages.iter().enumerate() {
            let found = differences(number);
            let mut places: Vec<PathChange> = found
                .iter()
                .filter_map(|found| self.at_common_place(found, page.kind))
                .collect();
            places.sort_unstable();
            for same in places.chunk_by(|a, b| a == b) {
                *counts.entry((same[0], same.len())).or_default() += 1;
            }
        }
        let mut usual: HashMap<PathChange, (usize, usize)> = HashMap::new();
        for ((place, changes), pages) in counts {
            let most = usual.entry(place).or_default();
            *most = (*most).max((pages, changes));
        }
        usual
            .into_iter()
            .map(|(place, (_, changes))| (place, changes))
            .collect()
    }

    /// Returns the blocks that moved most pages.
    pub(crate) fn most_moved(
        &self,
        old: &Ledger,
        shared: &SharedBlocks,
        pages: &[Compared<'_>],
    ) -> Vec<MostMoved> {
        let mut found: HashMap<(bool, Option<u32>), MostMoved> = HashMap::new();
        for (number, page) in pages.iter().enumerate() {
            if self.outcomes.get(number) != Some(&Outcome::Moved) {
                continue;
            }
            let Some(before) = page.before else { continue };
            let mut seen = HashSet::new();
            let changes = difference(old, shared, before, page.blocks);
            let counted = self.counted(&changes, page.kind, [&before.blocks, page.blocks]);
            for (change, is_counted) in changes.iter().zip(counted) {
                let key = (change.is_added, change.slot.map(Slot::path));
                if !is_counted || !seen.insert(key) {
                    continue;
                }
                let most = found.entry(key).or_insert(MostMoved {
                    is_added: change.is_added,
                    pages: 0,
                    page: number,
                    block: change.block,
                });
                most.pages += 1;
            }
        }
        let mut found: Vec<MostMoved> = found.into_values().collect();
        // Added texts come first, since they can be shown.
        found.sort_unstable_by_key(|most| (!most.is_added, usize::MAX - most.pages, most.page, most.block));
        found.truncate(MOST_SHOWN);
        found
    }
}

/// Returns the changes at places of the template that are common: on three quarters of the pages of a kind, or of all, and on five
/// at least, like shared blocks.
fn common_places(
    pages: &[Compared<'_>],
    differences: impl Fn(usize) -> Vec<Difference>,
) -> HashSet<PlaceChange> {
    const LEAST: usize = 5;
    let mut counts: HashMap<PlaceChange, usize> = HashMap::new();
    let mut known: HashMap<Option<u32>, usize> = HashMap::new();
    if threshold(pages.len()).is_none() {
        return HashSet::new();
    }
    for (number, page) in pages.iter().enumerate() {
        if page.before.is_none() || page.is_blank {
            continue;
        }
        let kinds = [None, Some(page.kind.path)];
        for kind in kinds {
            *known.entry(kind).or_default() += 1;
        }
        let found = differences(number);
        let mut changes: Vec<PlaceChange> = found
            .iter()
            .flat_map(|found| {
                slot_of_template(found, page.kind)
                    .into_iter()
                    .flat_map(Slot::spots)
                    .map(|spot| (found.is_added, spot))
            })
            .flat_map(|(is_added, spot)| kinds.map(|kind| PlaceChange { kind, is_added, spot }))
            .collect();
        changes.sort_unstable();
        changes.dedup();
        for change in changes {
            *counts.entry(change).or_default() += 1;
        }
    }
    let of_kind = |change: &PlaceChange| known.get(&change.kind).copied().unwrap_or_default();
    let is_common =
        |(change, count): &(&PlaceChange, &usize)| **count >= LEAST && *count * 4 >= of_kind(change) * 3;
    let common = || counts.iter().filter(is_common).map(|(change, _)| *change);
    let (has_added, has_removed) = (
        common().any(|change| change.is_added),
        common().any(|change| !change.is_added),
    );
    // If the template of one kind has changed, a change on all pages of a smaller kind is its template's, too.
    let is_of_small_kind = |(change, count): &(&PlaceChange, &usize)| {
        let pages = of_kind(change);
        let has_others = if change.is_added { has_added } else { has_removed };
        has_others && (2..LEAST).contains(&pages) && **count == pages
    };
    let of_small_kinds = counts.iter().filter(is_of_small_kind).map(|(change, _)| *change);
    common().chain(of_small_kinds).collect()
}

/// Returns the slot of a change that may be the template's. A title is the page's, and so are its numbers.
fn slot_of_template(found: &Difference, kind: Kind) -> Option<Slot> {
    let is_of_page = matches!(found.change, Change::Renumbered(_)) || kind.is_title(found);
    found.slot.filter(|_| !is_of_page)
}

/// Returns counted blocks that were added or removed, and are in neither table of shared blocks. If the page's line is from an
/// earlier run, returns only removed blocks, because that run's table is no longer known.
pub(crate) fn difference(
    old: &Ledger,
    shared: &SharedBlocks,
    before: &LedgerPage,
    now: &PageBlocks,
) -> Vec<Difference> {
    let (is_kept, before) = (before.is_kept, &before.blocks);
    if before.counted == now.counted && before.excerpts == now.excerpts {
        return Vec::new();
    }
    let (before_all, now_all) = (all(before), all(now));
    let mut changes = Vec::new();
    let (mut b, mut n) = (0, 0);
    while b < before_all.len() || n < now_all.len() {
        let (block, is_added, of_page) = match (before_all.get(b), now_all.get(n)) {
            (Some(was), Some(is)) if was == is => {
                (b, n) = (b + 1, n + 1);
                continue;
            }
            (Some(was), is) if is.is_none_or(|is| was < is) => {
                b += 1;
                (*was, false, before)
            }
            (_, Some(is)) => {
                n += 1;
                (*is, true, now)
            }
            (_, None) => break,
        };
        let is_counted = of_page.counted.binary_search(&block).is_ok() && !(is_kept && is_added);
        if is_counted && !old.is_shared(block) && !shared.contains(block) {
            changes.push(Difference {
                change: if is_added {
                    Change::Added(block.mask())
                } else {
                    Change::Removed(block.mask())
                },
                is_added,
                block,
                slot: slot_of(&of_page.slots, block),
            });
        }
    }
    join_numbers(&mut changes);
    changes
}

/// Finds the blocks that changed only in their numbers. The changes are sorted by block, and so by mask.
fn join_numbers(changes: &mut [Difference]) {
    for alike in changes.chunk_by_mut(|a, b| a.block.mask() == b.block.mask()) {
        let is_changed =
            alike.iter().any(|found| found.is_added) && alike.iter().any(|found| !found.is_added);
        if is_changed {
            let numbers = Block::hash_of(alike.iter().map(|found| (found.block, found.is_added)));
            for found in alike {
                found.change = Change::Renumbered(numbers);
            }
        }
    }
}

/// Returns all blocks, sorted, including excerpts.
fn all(blocks: &PageBlocks) -> Vec<Block> {
    let mut all = [&*blocks.counted, &*blocks.excerpts].concat();
    if !blocks.excerpts.is_empty() {
        all.sort_unstable();
    }
    all
}

//! Blocks and changes that are on many pages.
//!
//! **A page's own blocks do without those that are shared**. The rule asks whether an added or removed block is in the old or new table of
//! shared blocks, so the ledger needs to store of each page only the blocks that are in no table: the rest could not count. So a block
//! becomes shared, or is so no longer, without moving a page. Excerpts are stored beside them, since an excerpt becomes counted when the
//! other page changes, and was on the page before. One that is cut is recognised by its first 32 letters and digits (`beginning`), which
//! are known only during a run. A block is 30 bits of its text with numbers masked, from which the same change on many pages is recognised,
//! and 18 of its numbers. The page's blocks are a multiset, so that the chance to miss an edit does not grow with the page.
//! `tests/pages/oracle.rs` has the rule again, over texts, and compares both on random sites.

use std::collections::HashSet;
use std::hash::Hash;

use crate::block::Block;

/// The smallest site of which blocks can be shared: by all pages, if they are fewer than five.
const SMALLEST: usize = 3;
/// Work on a large site is done in parts of its blocks, so that there is no second copy of all of them.
const PARTS: usize = 32;
const PAGES_OF_A_PART: usize = 1024;

/// The number of pages on which a block has to be in order to be shared, of so many pages: a fifth, and 5 at least, or all. `None` for
/// sites of which nothing is.
pub(crate) fn threshold(pages: usize) -> Option<usize> {
    (pages >= SMALLEST).then(|| pages.div_ceil(5).max(5).min(pages))
}

/// The blocks that are on many pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedBlocks(HashSet<Block>);

impl SharedBlocks {
    /// The shared blocks of some pages, by the blocks of each.
    pub(crate) fn of(pages: &[&[Block]]) -> Self {
        let blocks = |page: usize, blocks: &mut Vec<Block>| blocks.extend_from_slice(pages[page]);
        SharedBlocks(frequent(pages.len(), blocks, Block::part))
    }

    pub(crate) fn contains(&self, block: Block) -> bool {
        self.0.contains(&block)
    }

    pub(crate) fn sorted(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = self.0.iter().copied().collect();
        blocks.sort_unstable();
        blocks
    }
}

/// The number of parts in which the blocks of so many pages are compared.
pub(crate) fn parts(pages: usize) -> u64 {
    (pages / PAGES_OF_A_PART + 1).min(PARTS) as u64
}

/// What is on so many of the pages that it is shared. `items` appends what is on a page; `part` distributes it.
pub(crate) fn frequent<T: Copy + Ord + Hash>(
    pages: usize,
    items: impl Fn(usize, &mut Vec<T>),
    part: impl Fn(T, u64) -> u64,
) -> HashSet<T> {
    let Some(threshold) = threshold(pages) else {
        return HashSet::new();
    };
    let parts = parts(pages);
    let mut found = HashSet::new();
    let mut of_part = Vec::new();
    let mut of_page = Vec::new();
    for current in 0..parts {
        of_part.clear();
        for page in 0..pages {
            of_page.clear();
            items(page, &mut of_page);
            of_page.retain(|item| part(*item, parts) == current);
            of_page.sort_unstable();
            of_page.dedup();
            of_part.extend_from_slice(&of_page);
        }
        of_part.sort_unstable();
        let frequent = of_part
            .chunk_by(|a, b| a == b)
            .filter(|same| same.len() >= threshold);
        found.extend(frequent.filter_map(|same| same.first()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{frequent, threshold};

    #[test]
    fn a_fifth_and_five_at_least() {
        let all: Vec<_> = [2, 3, 4, 9, 25, 26, 30, 31, 100, 101].map(threshold).into();
        let expected = [
            None,
            Some(3),
            Some(4),
            Some(5),
            Some(5),
            Some(6),
            Some(6),
            Some(7),
            Some(20),
            Some(21),
        ];
        assert_eq!(all, expected);
    }

    /// In parts as at once.
    #[test]
    fn counted_in_parts() {
        for pages in [5_usize, 12, 100, 20_000, 100_000] {
            let items = |page: usize, items: &mut Vec<u64>| {
                items.extend((1..20).filter(|n| page.is_multiple_of(*n)).map(|n| n as u64));
                items.push(1);
            };
            let mut found: Vec<u64> = frequent(pages, items, |item, parts| item % parts)
                .into_iter()
                .collect();
            found.sort_unstable();
            let count = |n: usize| (0..pages).filter(|page| page.is_multiple_of(n)).count();
            let expected: Vec<u64> = match threshold(pages) {
                Some(threshold) => (1..20)
                    .filter(|n| count(*n) >= threshold)
                    .map(|n| n as u64)
                    .collect(),
                None => Vec::new(),
            };
            assert_eq!(found, expected, "{pages}");
        }
    }
}

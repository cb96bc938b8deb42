//! Blocks and changes on many pages.
//!
//! **A page's own blocks exclude shared ones**. By the rule, an added or removed block does not count if it is in the old or new table of
//! shared blocks. So for each page the ledger stores only the blocks in no table, and a block can become shared, or stop being shared,
//! without moving a page. Excerpts are stored, too: an excerpt becomes counted when the other page changes, but was on the page before. A
//! shortened excerpt is recognised by its first 32 letters and digits (`beginning`), which are known only during a run. A block has 30 bits
//! of its text with numbers masked, which identify the same change on many pages, and 18 of its numbers. The page's blocks are a multiset,
//! so that the chance to miss an edit does not grow with the page. `tests/pages/oracle.rs` has the rule again, over texts, and compares
//! both on random sites.

use std::collections::HashSet;
use std::hash::Hash;

use crate::block::Block;

/// The smallest site with shared blocks. With fewer than five pages, all must have the block.
const SMALLEST: usize = 3;
/// Work on a large site is split by its blocks, so that they are never all copied at once.
const PARTS: usize = 32;
const PAGES_OF_A_PART: usize = 1024;

/// Returns the number of pages that must have a block to make it shared: a fifth of `pages`, at least 5, at most all. `None` for
/// sites without shared blocks.
pub(crate) fn threshold(pages: usize) -> Option<usize> {
    (pages >= SMALLEST).then(|| pages.div_ceil(5).max(5).min(pages))
}

/// The blocks on many pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedBlocks(HashSet<Block>);

impl SharedBlocks {
    /// Finds the shared blocks of pages.
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

/// Returns the number of parts for comparing the blocks of this many pages.
pub(crate) fn parts(pages: usize) -> u64 {
    (pages / PAGES_OF_A_PART + 1).min(PARTS) as u64
}

/// Returns the items that are on enough pages to be shared. `items` appends a page's items; `part` assigns an item to a part.
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

    /// Counting in parts gives the same result as counting at once.
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

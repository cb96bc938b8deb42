//! Excerpts: blocks that repeat a block of a page that theirs links to.

use crate::block::Block;
use crate::ledger::SharedBlocks;

/// A page, as far as excerpts need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Excerpting<'a> {
    pub(crate) blocks: &'a [Block],
    /// The number of each block among all of the page.
    pub(crate) positions: &'a [u32],
    pub(crate) links: &'a [PageLink],
}

/// A link to another page of the folder, outside of navigation and other frames. Ordered by page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PageLink {
    pub(crate) page: u32,
    /// The number of the block in or before which it is.
    pub(crate) position: u32,
}

/// Large sites are compared in parts, so that there is no second copy of all blocks.
const PARTS: usize = 16;
const PAGES_OF_A_PART: usize = 4096;

/// A block on a page, where it is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    block: Block,
    page: u32,
    position: u32,
}

/// The excerpts of each page, ordered. A block of page A is one if A links to B, and B has the block too; where B links to A as well, as
/// a post to the list of posts, it is one on the page whose link is nearer to it. Shared blocks are not looked at.
pub(crate) fn excerpts(pages: &[Excerpting<'_>], shared: &SharedBlocks) -> Vec<Vec<Block>> {
    let mut found = vec![Vec::new(); pages.len()];
    let parts = (pages.len() / PAGES_OF_A_PART + 1).min(PARTS) as u64;
    let mut occurrences = Vec::new();
    for part in 0..parts {
        occurrences.clear();
        for (page, of_page) in (0..).zip(pages) {
            let blocks = of_page.blocks.iter().zip(of_page.positions);
            let in_part = blocks.filter(|(block, _)| block.part(parts) == part && !shared.contains(**block));
            occurrences.extend(in_part.map(|(block, position)| Occurrence {
                block: *block,
                page,
                position: *position,
            }));
        }
        occurrences.sort_unstable();
        occurrences.dedup_by_key(|occurrence| (occurrence.block, occurrence.page));
        for repeated in occurrences
            .chunk_by(|a, b| a.block == b.block)
            .filter(|group| group.len() > 1)
        {
            for own in repeated {
                if is_excerpt(pages, repeated, own) {
                    found[own.page as usize].push(own.block);
                }
            }
        }
    }
    for blocks in &mut found {
        blocks.sort_unstable();
    }
    found
}

fn is_excerpt(pages: &[Excerpting<'_>], repeated: &[Occurrence], own: &Occurrence) -> bool {
    let links = pages[own.page as usize].links;
    let repeats = |other: &Occurrence| {
        let Some(distance) = distance(links, other.page, own.position) else {
            return false;
        };
        let back = pages[other.page as usize].links;
        other.page != own.page
            && self::distance(back, own.page, other.position).is_none_or(|back| distance < back)
    };
    if repeated.len() <= links.len() {
        return repeated.iter().any(repeats);
    }
    links.chunk_by(|a, b| a.page == b.page).any(|links| {
        let position = repeated.binary_search_by_key(&links[0].page, |occurrence| occurrence.page);
        position.is_ok_and(|position| repeats(&repeated[position]))
    })
}

/// How many blocks are between a block and the nearest link to a page.
fn distance(links: &[PageLink], page: u32, position: u32) -> Option<u32> {
    let after = links.partition_point(|link| *link < PageLink { page, position });
    let neighbours = [after.checked_sub(1), Some(after)];
    neighbours
        .into_iter()
        .filter_map(|i| links.get(i?))
        .filter(|link| link.page == page)
        .map(|link| link.position.abs_diff(position))
        .min()
}

#[cfg(test)]
mod tests {
    use super::{Excerpting, PageLink, excerpts};
    use crate::block::Block;
    use crate::ledger::SharedBlocks;

    fn block(text: &str) -> Block {
        Block::of(text, &mut String::new())
    }

    #[test]
    fn the_page_that_links_has_the_excerpt() {
        let list: Vec<Block> = ["Welcome", "About cats", "About dogs", "Both"].map(block).into();
        let cats: Vec<Block> = ["About cats", "They purr", "Both"].map(block).into();
        let dogs: Vec<Block> = ["About dogs", "They bark", "Both"].map(block).into();
        let positions = [0, 1, 2, 3];
        let link = |page, position| PageLink { page, position };
        fn page<'a>(blocks: &'a [Block], positions: &'a [u32], links: &'a [PageLink]) -> Excerpting<'a> {
            Excerpting {
                blocks,
                positions,
                links,
            }
        }
        let of_list = [link(1, 1), link(2, 2)];
        let none = SharedBlocks::default();
        let run = |of_cats: &[PageLink]| {
            let pages = [
                page(&list, &positions, &of_list),
                page(&cats, &positions, of_cats),
                page(&dogs, &positions, &[]),
            ];
            excerpts(&pages, &none)
        };
        let sorted = |mut blocks: Vec<Block>| {
            blocks.sort_unstable();
            blocks
        };
        // Nobody links back.
        let all = sorted(["About cats", "About dogs", "Both"].map(block).into());
        assert_eq!(run(&[]), [all.clone(), vec![], vec![]]);
        // The post links back, from farther away: that of the block `Both` is nearer to the list's link to the dogs.
        assert_eq!(run(&[link(0, 2)]), [all.clone(), vec![block("Both")], vec![]]);
        // As near: then it is an excerpt on neither, but for `Both`.
        let dogs_and_both = sorted(["About dogs", "Both"].map(block).into());
        assert_eq!(run(&[link(0, 0)]), [dogs_and_both, vec![], vec![]]);
    }
}

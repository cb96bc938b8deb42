//! Excerpts: blocks that repeat a block of a page that theirs links to, or begin as one does.

use std::cmp::Ordering;

use crate::beginning::Beginning;
use crate::block::{Block, part_of};
use crate::ledger::{SharedBlocks, parts};
use crate::slot::Slot;

/// The counted blocks of a page, and its links to other pages: of a large site this is most of the memory.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// In document order.
    pub(crate) blocks: Box<[Block]>,
    /// What each block begins with.
    pub(crate) beginnings: Box<[Beginning]>,
    /// Ordered.
    pub(crate) links: Box<[PageLink]>,
    /// The places of blocks in the template, by their numbers, ordered.
    pub(crate) slots: Box<[(u32, Slot)]>,
    /// What other pages may show of this one, though it does not show it itself.
    pub(crate) description: Option<Description>,
}

impl Content {
    /// Whether it has a block as long as what is compared of a beginning that is neither shared nor an excerpt.
    pub(crate) fn has_prose(&self, shared: &SharedBlocks, excerpts: &[Block]) -> bool {
        let blocks = self.blocks.iter().zip(&self.beginnings);
        let mut long = blocks.filter(|(_, beginning)| beginning.is_long());
        long.any(|(block, _)| !shared.contains(*block) && excerpts.binary_search(block).is_err())
    }
}

/// A description of the page in its head.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Description {
    pub(crate) block: Block,
    pub(crate) beginning: Beginning,
}

/// The number that stands for a page's description among its blocks.
const DESCRIPTION: u32 = u32::MAX;

/// A link to another page of the folder, outside of navigation and other frames. Ordered by page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PageLink {
    pub(crate) page: u32,
    pub(crate) position: Position,
}

/// A place among a page's counted blocks: in one of them, or between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position(u32);

impl Position {
    /// In the block of this number. Of a page with more than two thousand million blocks the rest are at one place.
    pub(crate) fn of(block: usize) -> Self {
        Position(Position::before(block).0.saturating_add(1))
    }

    /// Before the block of this number, and after the one before it.
    pub(crate) fn before(block: usize) -> Self {
        Position(u32::try_from(block).unwrap_or(u32::MAX).saturating_mul(2))
    }

    /// The number of the block before it, if it is between two.
    fn block_before(self) -> Option<usize> {
        let is_between = self.0.is_multiple_of(2);
        is_between.then_some(self.0 as usize / 2)?.checked_sub(1)
    }
}

/// A block on a page, and by what it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence<K> {
    key: K,
    page: u32,
    block: u32,
}

impl<K> Occurrence<K> {
    fn position(&self) -> Position {
        Position::of(self.block as usize)
    }
}

/// A block that is cut. Ordered by what is looked for, so that blocks that begin alike are looked for once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    beginning: u32,
    page: u32,
    /// The page that a link after the block leads to. `None` if the block ends in an ellipsis: then it may be of any linked page.
    link: Option<u32>,
    block: u32,
}

/// The excerpts of each page, ordered. A block of page A is one if A links to B, and B
///
/// - has the block too, unless B links to A as well, as a post to the list of posts, with a link that is not farther from it;
/// - has the block as the description in its head; or
/// - has a block with the same beginning, and that of A is cut, but not that of B.
///
/// Shared blocks are not looked at.
pub(crate) fn excerpts(pages: &[&Content], shared: &SharedBlocks) -> Vec<Vec<Block>> {
    let mut found = vec![Vec::new(); pages.len()];
    let parts = parts(pages.len());
    for part in 0..parts {
        let repeated = occurrences(pages, shared, |block, _| {
            Some(block).filter(|block| block.part(parts) == part)
        });
        push_repeated(pages, repeated, &mut found);
        let cut = cut_blocks(pages, shared, |beginning| part_of(beginning, parts) == part);
        push_cut(pages, shared, &cut, &mut found);
    }
    for blocks in &mut found {
        blocks.sort_unstable();
    }
    found
}

/// The blocks of all pages that are not shared and have a key, in order.
fn occurrences<K: Copy + Ord>(
    pages: &[&Content],
    shared: &SharedBlocks,
    key: impl Fn(Block, Beginning) -> Option<K>,
) -> Vec<Occurrence<K>> {
    let mut occurrences = Vec::new();
    for (page, of_page) in (0..).zip(pages) {
        let blocks = (0..).zip(&of_page.blocks).enumerate();
        occurrences.extend(blocks.filter_map(|(number, (block, own))| {
            let key = key(*own, *of_page.beginnings.get(number)?)?;
            (!shared.contains(*own)).then_some(Occurrence { key, page, block })
        }));
        let description = of_page.description.iter();
        occurrences.extend(description.filter_map(|Description { block, beginning }| {
            let key = key(*block, *beginning)?;
            let block = DESCRIPTION;
            Some(Occurrence { key, page, block })
        }));
    }
    occurrences.sort_unstable();
    occurrences
}

/// Appends the blocks that a page has too to which theirs links.
fn push_repeated(pages: &[&Content], mut occurrences: Vec<Occurrence<Block>>, found: &mut [Vec<Block>]) {
    // Where each is first on its page, and as a description.
    occurrences.dedup_by_key(|occurrence| (occurrence.key, occurrence.page, occurrence.block == DESCRIPTION));
    let groups = occurrences.chunk_by(|a, b| a.key == b.key);
    for repeated in groups.filter(|group| group.len() > 1) {
        for own in repeated.iter().filter(|own| own.block != DESCRIPTION) {
            if is_on_linked_page(pages, repeated, own.page, |other| is_nearer(pages, own, other)) {
                found[own.page as usize].push(own.key);
            }
        }
    }
}

/// The blocks that are cut and not shared, in order.
fn cut_blocks(pages: &[&Content], shared: &SharedBlocks, is_wanted: impl Fn(u32) -> bool) -> Vec<Cut> {
    let mut found = Vec::new();
    for (page, of_page) in (0..).zip(pages) {
        let cut = |number: usize, link: Option<u32>| {
            let (beginning, block) = (of_page.beginnings.get(number)?, of_page.blocks.get(number)?);
            let hash = beginning.hash().filter(|hash| is_wanted(*hash))?;
            let is_cut = beginning.is_long() && beginning.has_ellipsis() == link.is_none();
            (is_cut && !shared.contains(*block)).then_some(Cut {
                beginning: hash,
                page,
                link,
                block: u32::try_from(number).ok()?,
            })
        };
        found.extend((0..of_page.blocks.len()).filter_map(|number| cut(number, None)));
        let links = of_page.links.iter().filter(|link| link.page != page);
        found.extend(links.filter_map(|link| cut(link.position.block_before()?, Some(link.page))));
    }
    found.sort_unstable();
    found
}

/// Appends those of the blocks that are cut that begin as one that is not, on a page to which theirs links.
fn push_cut(pages: &[&Content], shared: &SharedBlocks, cut: &[Cut], found: &mut [Vec<Block>]) {
    let whole = occurrences(pages, shared, |_, beginning| {
        let hash = beginning
            .hash()
            .filter(|_| !(beginning.is_long() && beginning.has_ellipsis()))?;
        cut.binary_search_by_key(&hash, |cut| cut.beginning)
            .is_ok()
            .then_some(hash)
    });
    let question = |cut: &Cut| (cut.beginning, cut.page, cut.link);
    for alike in cut.chunk_by(|a, b| question(a) == question(b)) {
        let (beginning, page, link) = question(&alike[0]);
        let whole = equal_range(&whole, |occurrence| occurrence.key.cmp(&beginning));
        let is_whole = |other: &Occurrence<u32>| !is_cut(pages, other, page);
        let is_excerpt = match link {
            Some(link) => on_page(whole, link).iter().any(is_whole),
            None => is_on_linked_page(pages, whole, page, is_whole),
        };
        if is_excerpt {
            let page = page as usize;
            found[page].extend(alike.iter().map(|cut| pages[page].blocks[cut.block as usize]));
        }
    }
}

/// Whether one of those with the same key is on a page to which this page links, and is one of those wanted.
fn is_on_linked_page<K>(
    pages: &[&Content],
    alike: &[Occurrence<K>],
    page: u32,
    is_wanted: impl Fn(&Occurrence<K>) -> bool,
) -> bool {
    let links = &pages[page as usize].links;
    if alike.len() <= links.len() {
        let is_linked = |page: u32| links.binary_search_by_key(&page, |link| link.page).is_ok();
        return alike
            .iter()
            .any(|other| other.page != page && is_linked(other.page) && is_wanted(other));
    }
    links
        .chunk_by(|a, b| a.page == b.page)
        .filter(|links| links[0].page != page)
        .any(|links| on_page(alike, links[0].page).iter().any(&is_wanted))
}

/// Those on a page, of some with the same key.
fn on_page<K>(alike: &[Occurrence<K>], page: u32) -> &[Occurrence<K>] {
    equal_range(alike, |occurrence| occurrence.page.cmp(&page))
}

/// The part of an ordered slice that compares as equal.
fn equal_range<T>(ordered: &[T], compare: impl Fn(&T) -> Ordering) -> &[T] {
    let start = ordered.partition_point(|item| compare(item) == Ordering::Less);
    let len = ordered[start..].partition_point(|item| compare(item) == Ordering::Equal);
    &ordered[start..start + len]
}

/// Whether the own page's link to the other is nearer to the block than a link back.
fn is_nearer<K>(pages: &[&Content], own: &Occurrence<K>, other: &Occurrence<K>) -> bool {
    if other.block == DESCRIPTION {
        return true;
    }
    let distance = |from: &Occurrence<K>, to: &Occurrence<K>| {
        distance(&pages[from.page as usize].links, to.page, from.position())
    };
    let own_distance = distance(own, other);
    distance(other, own).is_none_or(|back| own_distance.is_some_and(|own| own < back))
}

/// Whether the block is cut: it ends in an ellipsis, or a link to that page follows, at its end or after it.
fn is_cut<K>(pages: &[&Content], own: &Occurrence<K>, page: u32) -> bool {
    let of_page = &pages[own.page as usize];
    let Some(beginning) = of_page.beginnings.get(own.block as usize) else {
        return false;
    };
    let position = Position::before(own.block as usize + 1);
    beginning.is_long()
        && (beginning.has_ellipsis() || of_page.links.binary_search(&PageLink { page, position }).is_ok())
}

/// How far the nearest link to a page is.
fn distance(links: &[PageLink], page: u32, position: Position) -> Option<u32> {
    let after = links.partition_point(|link| *link < PageLink { page, position });
    let neighbours = [after.checked_sub(1), Some(after)];
    neighbours
        .into_iter()
        .filter_map(|i| links.get(i?))
        .filter(|link| link.page == page)
        .map(|link| link.position.0.abs_diff(position.0))
        .min()
}

#[cfg(test)]
mod tests {
    use super::{Content, PageLink, Position, excerpts};
    use crate::beginning::Beginnings;
    use crate::block::Block;
    use crate::ledger::SharedBlocks;

    fn block(text: &str) -> Block {
        Block::of(text, &mut String::new())
    }

    /// A page with these texts, and with links to pages at places.
    fn page(texts: &[&str], links: &[(u32, Position)]) -> Content {
        let mut beginnings = Beginnings::default();
        for text in texts {
            beginnings.push(text);
        }
        let links = links.iter().map(|(page, position)| PageLink {
            page: *page,
            position: *position,
        });
        Content {
            blocks: texts.iter().map(|text| block(text)).collect(),
            beginnings: beginnings.finish(),
            links: links.collect(),
            ..Content::default()
        }
    }

    fn run(pages: &[Content]) -> Vec<Vec<Block>> {
        let pages: Vec<_> = pages.iter().collect();
        excerpts(&pages, &SharedBlocks::default())
    }

    fn blocks(texts: &[&str]) -> Vec<Block> {
        let mut blocks: Vec<_> = texts.iter().map(|text| block(text)).collect();
        blocks.sort_unstable();
        blocks
    }

    #[test]
    fn the_page_that_links_has_the_excerpt() {
        let at = Position::of;
        let with = |of_cats: &[(u32, Position)]| {
            run(&[
                page(
                    &["Welcome", "About cats", "About dogs", "Both"],
                    &[(1, at(1)), (2, at(2))],
                ),
                page(&["About cats", "They purr", "Both"], of_cats),
                page(&["About dogs", "They bark", "Both"], &[]),
            ])
        };
        // Nobody links back.
        let all = blocks(&["About cats", "About dogs", "Both"]);
        assert_eq!(with(&[]), [all.clone(), vec![], vec![]]);
        // The post links back, from farther away: that of the block `Both` is nearer to the list's link to the dogs.
        assert_eq!(with(&[(0, at(2))]), [all, vec![block("Both")], vec![]]);
        // As near: then it is an excerpt on neither, but for `Both`.
        assert_eq!(
            with(&[(0, at(0))]),
            [blocks(&["About dogs", "Both"]), vec![], vec![]]
        );
    }

    #[test]
    fn excerpts_that_are_cut() {
        let whole = "Lamps are bright, and some of them are brighter than others";
        let (ellipsis, bare) = (
            "Lamps are bright, and some of them are brigh…",
            "Lamps are bright, and some of them are brigh",
        );
        let short = "Lamps are bright…";
        let at = |text| {
            if text == "after" {
                Position::before(1)
            } else {
                Position::of(0)
            }
        };
        for (own, links, other, back, expected) in [
            (ellipsis, &[(1, at("in"))][..], whole, &[][..], [true, false]),
            (ellipsis, &[], whole, &[], [false, false]),
            (bare, &[(1, at("after"))], whole, &[], [true, false]),
            // The link is not after it, or leads elsewhere.
            (bare, &[(1, at("in"))], whole, &[], [false, false]),
            (bare, &[(0, at("after"))], whole, &[], [false, false]),
            // Too short to be recognised.
            (short, &[(1, at("after"))], whole, &[], [false, false]),
            // A link back makes no difference, unless that block is cut, too.
            (ellipsis, &[(1, at("in"))], whole, &[(0, at("in"))], [true, false]),
            (
                bare,
                &[(1, at("after"))],
                whole,
                &[(0, at("after"))],
                [false, false],
            ),
            (
                ellipsis,
                &[(1, at("in"))],
                whole,
                &[(0, at("after"))],
                [false, false],
            ),
        ] {
            let found = run(&[page(&[own], links), page(&[other], back)]);
            let found: Vec<bool> = found.iter().map(|excerpts| !excerpts.is_empty()).collect();
            assert_eq!(found, expected, "{own}, {links:?}, {back:?}");
        }
    }
}

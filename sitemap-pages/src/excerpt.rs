//! Excerpts: blocks that repeat a block of a linked page, or begin like one.

use std::cmp::Ordering;

use crate::beginning::{Beginning, Beginnings};
use crate::block::{Block, part_of};
use crate::ledger::{SharedBlocks, parts};
use crate::slot::Slot;

/// The counted blocks of a page, and its links to other pages. On a large site, these take most of the memory.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// In document order.
    pub(crate) blocks: Box<[Block]>,
    /// The beginning of each block.
    pub(crate) beginnings: Box<[Beginning]>,
    /// Sorted.
    pub(crate) links: Box<[PageLink]>,
    /// The places of blocks in the template, by the blocks' numbers, sorted.
    pub(crate) slots: Box<[(u32, Slot)]>,
    /// A text that other pages may show of this one. It need not be on the page itself.
    pub(crate) description: Option<Description>,
    /// The number of the block with its title.
    pub(crate) title: Option<u32>,
    /// The pages that headings link to, sorted.
    pub(crate) listed: Box<[u32]>,
    /// For blocks that begin with a link: the block's number, and its text after the link.
    pub(crate) tails: Box<[(u32, Description)]>,
}

impl Content {
    /// Returns `true` if it has a block of at least the compared length that is neither shared nor an excerpt.
    pub(crate) fn has_prose(&self, shared: &SharedBlocks, excerpts: &[Block]) -> bool {
        let blocks = self.blocks.iter().zip(&self.beginnings);
        let mut long = blocks.filter(|(_, beginning)| beginning.is_long());
        long.any(|(block, _)| !shared.contains(*block) && excerpts.binary_search(block).is_err())
    }

    fn title(&self) -> Option<Block> {
        self.blocks.get(self.title? as usize).copied()
    }
}

/// A text about a page: a description in its head, or the text after a link to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Description {
    pub(crate) block: Block,
    pub(crate) beginning: Beginning,
}

impl Description {
    pub(crate) fn of(text: &str) -> Option<Self> {
        let mut beginnings = Beginnings::default();
        beginnings.push(text);
        Some(Description {
            block: Block::of(text, &mut String::new()),
            beginning: *beginnings.finish().first()?,
        })
    }
}

/// The block number of a page's description.
const DESCRIPTION: u32 = u32::MAX;

/// A link to another page of the folder, outside of navigation and other frames. Sorted by page. The link of a heading is also at
/// each block of its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PageLink {
    pub(crate) page: u32,
    pub(crate) position: Position,
}

/// A place among a page's counted blocks: in a block, or between two blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position(u32);

impl Position {
    /// Returns the place in this block. After two thousand million blocks, all are at one place.
    pub(crate) fn of(block: usize) -> Self {
        Position(Position::before(block).0.saturating_add(1))
    }

    /// Returns the place before this block, and after the previous one.
    pub(crate) fn before(block: usize) -> Self {
        Position(u32::try_from(block).unwrap_or(u32::MAX).saturating_mul(2))
    }

    /// Returns the number of the block before it, if it is between two.
    fn block_before(self) -> Option<usize> {
        let is_between = self.0.is_multiple_of(2);
        is_between.then_some(self.0 as usize / 2)?.checked_sub(1)
    }
}

/// A block on a page, with the key for comparisons.
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

/// A shortened block. Sorted by its search key, so that blocks with the same beginning are searched once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    beginning: u32,
    page: u32,
    /// The linked page after the block. `None` if the block ends in an ellipsis: then any linked page is possible.
    link: Option<u32>,
    block: u32,
}

/// Returns the excerpts of each page, sorted. A block of page A is an excerpt if A links to B, and B
///
/// - also has the block, and lists A less than A lists B;
/// - has the block, or its text after the link, as the description in its head; or
/// - has a block with the same beginning, if A's block is shortened, but B's is not.
///
/// The title of A is none, and shared blocks are ignored.
pub(crate) fn excerpts(pages: &[&Content], shared: &SharedBlocks) -> Vec<Vec<Block>> {
    let mut found = vec![Vec::new(); pages.len()];
    let directions = Directions::of(pages, shared);
    let parts = parts(pages.len());
    for part in 0..parts {
        let repeated = occurrences(pages, shared, |block, _| {
            Some(block).filter(|block| block.part(parts) == part)
        });
        push_repeated(pages, &directions, repeated, &mut found);
        let cut = cut_blocks(pages, shared, |beginning| part_of(beginning, parts) == part);
        push_cut(pages, shared, &directions, &cut, &mut found);
    }
    for (page, blocks) in pages.iter().zip(&mut found) {
        push_tails(pages, page, blocks);
    }
    for blocks in &mut found {
        blocks.sort_unstable();
    }
    found
}

/// Which page lists which other one: by a heading that links to it, or by a block that is its title.
struct Directions {
    /// Sorted, for each page.
    listed: Vec<Vec<u32>>,
}

impl Directions {
    /// The titles of more pages than these name none of them.
    const MOST_ALIKE: usize = 4;

    fn of(pages: &[&Content], shared: &SharedBlocks) -> Self {
        let titles = (0..)
            .zip(pages)
            .filter_map(|(page, content)| Some((content.title()?, page)));
        let mut titles: Vec<(Block, u32)> = titles.filter(|(title, _)| !shared.contains(*title)).collect();
        titles.sort_unstable();
        let listed = (0..).zip(pages).map(|(page, content): (u32, _)| {
            let own = content.title();
            let others = content.blocks.iter().filter(|block| own != Some(**block));
            let titled = others
                .map(|block| equal_range(&titles, |(title, _)| title.cmp(block)))
                .filter(|alike| alike.len() <= Directions::MOST_ALIKE);
            let mut listed: Vec<u32> = titled
                .flatten()
                .map(|(_, of)| *of)
                .filter(|of| *of != page)
                .chain(content.listed.iter().copied())
                .collect();
            listed.sort_unstable();
            listed.dedup();
            listed
        });
        Directions {
            listed: listed.collect(),
        }
    }

    /// Returns `true` if the first page lists the other one, and `false` if it is the other way round. `None` if neither or both do.
    fn is_list(&self, page: u32, of: u32) -> Option<bool> {
        let lists = |page: u32, of: u32| {
            let listed = self.listed.get(page as usize);
            listed.is_some_and(|listed| listed.binary_search(&of).is_ok())
        };
        match (lists(page, of), lists(of, page)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }
}

/// Appends the blocks of a page that are a link to another one, and its description.
fn push_tails(pages: &[&Content], page: &Content, found: &mut Vec<Block>) {
    if page.tails.is_empty() {
        return;
    }
    let mut links = page.links.to_vec();
    links.sort_unstable_by_key(|link| link.position);
    for (number, tail) in &page.tails {
        let at = *number as usize;
        let of_block = equal_range(&links, |link| {
            if link.position < Position::of(at) {
                Ordering::Less
            } else if link.position > Position::before(at + 1) {
                Ordering::Greater
            } else {
                Ordering::Equal
            }
        });
        let describes = |link: &PageLink| {
            let own = pages.get(link.page as usize).and_then(|other| other.description);
            own.is_some_and(|own| {
                let is_cut = tail.beginning.has_ellipsis() && own.beginning.hash() == tail.beginning.hash();
                own.block == tail.block || is_cut
            })
        };
        if of_block.iter().any(describes) {
            found.extend(page.blocks.get(at));
        }
    }
}

/// Returns the blocks of all pages that are not shared and have a key, sorted.
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

/// Appends the blocks that a linked page also has.
fn push_repeated(
    pages: &[&Content],
    directions: &Directions,
    mut occurrences: Vec<Occurrence<Block>>,
    found: &mut [Vec<Block>],
) {
    // Keeps the first one on each page, and the description.
    occurrences.dedup_by_key(|occurrence| (occurrence.key, occurrence.page, occurrence.block == DESCRIPTION));
    let groups = occurrences.chunk_by(|a, b| a.key == b.key);
    for repeated in groups.filter(|group| group.len() > 1) {
        for own in repeated.iter().filter(|own| own.block != DESCRIPTION) {
            if pages[own.page as usize].title() == Some(own.key) {
                continue;
            }
            let is_excerpt = |other: &Occurrence<Block>| {
                other.block == DESCRIPTION
                    || directions
                        .is_list(own.page, other.page)
                        .unwrap_or_else(|| is_nearer(pages, own, other))
            };
            if is_on_linked_page(pages, repeated, own.page, is_excerpt) {
                found[own.page as usize].push(own.key);
            }
        }
    }
}

/// Returns shortened blocks that are not shared, sorted.
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

/// Appends shortened blocks with the beginning of a whole block on a linked page.
fn push_cut(
    pages: &[&Content],
    shared: &SharedBlocks,
    directions: &Directions,
    cut: &[Cut],
    found: &mut [Vec<Block>],
) {
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
        let is_whole = |other: &Occurrence<u32>| {
            directions.is_list(page, other.page) != Some(false) && !is_cut(pages, other, page)
        };
        let is_excerpt = match link {
            Some(link) => on_page(whole, link).iter().any(is_whole),
            None => is_on_linked_page(pages, whole, page, is_whole),
        };
        if is_excerpt {
            let page = page as usize;
            let blocks = alike.iter().map(|cut| pages[page].blocks[cut.block as usize]);
            found[page].extend(blocks.filter(|block| pages[page].title() != Some(*block)));
        }
    }
}

/// Returns `true` if this page links to a page with a wanted occurrence. All of `alike` have the same key.
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

/// Returns the occurrences on a page, among some with the same key.
fn on_page<K>(alike: &[Occurrence<K>], page: u32) -> &[Occurrence<K>] {
    equal_range(alike, |occurrence| occurrence.page.cmp(&page))
}

/// Returns the part of a sorted slice that compares as equal.
fn equal_range<T>(ordered: &[T], compare: impl Fn(&T) -> Ordering) -> &[T] {
    let start = ordered.partition_point(|item| compare(item) == Ordering::Less);
    let len = ordered[start..].partition_point(|item| compare(item) == Ordering::Equal);
    &ordered[start..start + len]
}

/// Returns `true` if the page's own link to the other is nearer to the block than a link back.
fn is_nearer<K>(pages: &[&Content], own: &Occurrence<K>, other: &Occurrence<K>) -> bool {
    let distance = |from: &Occurrence<K>, to: &Occurrence<K>| {
        distance(&pages[from.page as usize].links, to.page, from.position())
    };
    let own_distance = distance(own, other);
    distance(other, own).is_none_or(|back| own_distance.is_some_and(|own| own < back))
}

/// Returns `true` if the block is shortened: it ends in an ellipsis, or a link to that page follows, at its end or after it.
fn is_cut<K>(pages: &[&Content], own: &Occurrence<K>, page: u32) -> bool {
    let of_page = &pages[own.page as usize];
    let Some(beginning) = of_page.beginnings.get(own.block as usize) else {
        return false;
    };
    let position = Position::before(own.block as usize + 1);
    beginning.is_long()
        && (beginning.has_ellipsis() || of_page.links.binary_search(&PageLink { page, position }).is_ok())
}

/// Returns the distance of the nearest link to a page.
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

    /// A page with these texts, and links at positions.
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
        // No page links back.
        let all = blocks(&["About cats", "About dogs", "Both"]);
        assert_eq!(with(&[]), [all.clone(), vec![], vec![]]);
        // The post links back from `Both`, so that is an excerpt there. The list's `Both` repeats the dogs' page.
        assert_eq!(with(&[(0, at(2))]), [all, vec![block("Both")], vec![]]);
        // Both links are equally near: `About cats` is an excerpt on neither page. `Both` still repeats the dogs' page.
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
            // The link does not follow the block, or leads elsewhere.
            (bare, &[(1, at("in"))], whole, &[], [false, false]),
            (bare, &[(0, at("after"))], whole, &[], [false, false]),
            // Too short to compare.
            (short, &[(1, at("after"))], whole, &[], [false, false]),
            // A link back makes no difference, unless that block is also shortened.
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

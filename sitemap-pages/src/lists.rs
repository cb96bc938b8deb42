//! Lists of pages, which have the date of their newest page.

use sitemap_serde::W3cDateTime;

use crate::walk::FileId;

/// The number of pages at the start of a list that count.
const FIRST: usize = 10;

/// A listed page.
pub(crate) struct ListPage<'a> {
    pub(crate) id: FileId,
    /// The pages that it links to, in document order.
    pub(crate) linked: &'a [FileId],
    /// `true` if it has a longer text of its own that is neither shared nor an excerpt.
    pub(crate) has_prose: bool,
    /// The number of its own texts.
    pub(crate) texts: usize,
}

/// Returns the lists among the pages, each with the first pages that it lists. All are indices into `pages`. A page with links from
/// half of the others is part of the navigation.
pub(crate) fn lists(pages: &[ListPage<'_>]) -> Vec<(usize, Vec<usize>)> {
    let number = |id: &FileId| pages.binary_search_by_key(id, |page| page.id).ok();
    let mut linking = vec![0_usize; pages.len()];
    for page in pages.iter().flat_map(|page| page.linked).filter_map(number) {
        linking[page] += 1;
    }
    let most = (pages.len() / 2).max(5);
    let lists = pages.iter().enumerate().filter(|(_, page)| !page.has_prose);
    let lists = lists.map(|(own, page)| {
        let listed = page.linked.iter().filter_map(number);
        let listed = listed.filter(|page| linking[*page] < most).take(FIRST);
        (own, listed.collect::<Vec<_>>())
    });
    lists
        .filter(|(own, listed)| !listed.is_empty() && pages[*own].texts <= listed.len())
        .collect()
}

/// Returns the newest date of a list's first pages. Lists among them count only if all of them are lists.
pub(crate) fn newest(
    listed: &[usize],
    is_list: &[bool],
    date: impl Fn(usize) -> Option<W3cDateTime>,
) -> Option<W3cDateTime> {
    let has_pages = listed.iter().any(|page| !is_list[*page]);
    let pages = listed.iter().filter(|page| is_list[**page] != has_pages);
    pages
        .filter_map(|page| date(*page))
        .max_by_key(|date| (date.unix_time(), date.precision()))
}

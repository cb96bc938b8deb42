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

/// The lists among the listed pages. Pages are numbers.
#[derive(Debug)]
pub(crate) struct Lists {
    /// Each list, and the first pages that it lists.
    lists: Vec<(usize, Vec<usize>)>,
    /// For each page: `true` if it is a list.
    pub(crate) is_list: Vec<bool>,
}

impl Lists {
    /// Finds the lists. A page with links from half of the others is part of the navigation.
    pub(crate) fn of(pages: &[ListPage<'_>]) -> Self {
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
        let lists: Vec<_> = lists
            .filter(|(own, listed)| !listed.is_empty() && pages[*own].texts <= listed.len())
            .collect();
        let mut is_list = vec![false; pages.len()];
        for (page, _) in &lists {
            is_list[*page] = true;
        }
        Lists { lists, is_list }
    }

    /// Returns `true` if all these pages are lists.
    fn are_lists(&self, listed: &[usize]) -> bool {
        listed.iter().all(|page| self.is_list[*page])
    }

    /// Iterates over the lists. Lists of lists come after the others.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = &(usize, Vec<usize>)> {
        let of = |lists: bool| {
            self.lists
                .iter()
                .filter(move |(_, listed)| self.are_lists(listed) == lists)
        };
        of(false).chain(of(true))
    }

    /// Returns the newest date of a list's first pages. Lists among them count only if all of them are lists.
    pub(crate) fn newest(
        &self,
        listed: &[usize],
        date: impl Fn(usize) -> Option<W3cDateTime>,
    ) -> Option<W3cDateTime> {
        let has_pages = !self.are_lists(listed);
        let pages = listed.iter().filter(|page| self.is_list[**page] != has_pages);
        pages
            .filter_map(|page| date(*page))
            .max_by_key(|date| (date.unix_time(), date.precision()))
    }
}

//! Alternates: pages in other languages must link back.

use std::collections::HashMap;

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Error, Message};
use crate::loc::is_same;

use super::loc::Locs;
use super::set::Place;

/// A link to an alternate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Link<'r> {
    pub(super) hreflang: &'r str,
    pub(super) href: &'r str,
}

/// Errors for links that are missing in a page's alternates: the link to itself, and `x-default`.
pub(super) fn missing_links(loc: &str, links: &[Link<'_>]) -> Vec<Error> {
    let mut found = Vec::new();
    if links.is_empty() {
        return found;
    }
    if !links.iter().any(|link| is_same(link.href, loc)) {
        found.push(
            Error::data(
                Message::new(format!(
                    "the alternates of {} do not list the page itself",
                    quote(loc)
                ))
                .advice("add an `xhtml:link` with its own language and loc"),
            )
            .breaks(Rule::Alt3),
        );
    }
    if !links
        .iter()
        .any(|link| link.hreflang.eq_ignore_ascii_case("x-default"))
    {
        found.push(
            Error::data(
                Message::new("there is no alternate for `x-default`")
                    .advice("add one for visitors who speak none of the languages, if there is such a page"),
            )
            .breaks(Rule::XDefault),
        );
    }
    found
}

/// Number of sums. A sum is zero if every link that belongs to it is returned.
const BUCKETS: usize = 4096;

/// Detects links that are not returned, without storing links: a link adds a weight to a sum, and the link back subtracts
/// it.
#[derive(Debug, Default)]
pub(super) struct Balance {
    sums: Vec<u64>,
}

/// The two pages of a link, ordered by hash, and whether the link is from the first to the second.
fn pair(from: u64, to: u64) -> ((u64, u64), bool) {
    if from < to {
        ((from, to), true)
    } else {
        ((to, from), false)
    }
}

fn bucket((low, high): (u64, u64)) -> (usize, u64) {
    // The hashes are keyed, so the weights are unpredictable too.
    let mixed = (low ^ high.rotate_left(23)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let index = usize::try_from(mixed >> 52).unwrap_or_default() % BUCKETS;
    (index, mixed | 1)
}

impl Balance {
    /// Adds a link between two pages, by the hashes of their locs.
    pub(super) fn add(&mut self, from: u64, to: u64) {
        if from == to {
            return;
        }
        if self.sums.is_empty() {
            self.sums = vec![0; BUCKETS];
        }
        let (pair, is_forward) = pair(from, to);
        let (index, weight) = bucket(pair);
        if let Some(sum) = self.sums.get_mut(index) {
            *sum = if is_forward {
                sum.wrapping_add(weight)
            } else {
                sum.wrapping_sub(weight)
            };
        }
    }

    /// Returns `true` if all links are returned.
    pub(super) fn is_even(&self) -> bool {
        self.sums.iter().all(|sum| *sum == 0)
    }

    /// Returns `true` if a link may not be returned: its sum is not zero.
    fn is_suspect(&self, from: u64, to: u64) -> bool {
        let (index, _) = bucket(pair(from, to).0);
        from != to && self.sums.get(index).is_some_and(|sum| *sum != 0)
    }
}

/// Maximum number of links kept in the second pass.
const MOST: usize = 10_000;

/// A link that has not been returned so far.
#[derive(Debug)]
pub(super) struct Unreturned {
    pub(super) place: Place,
    pub(super) from: String,
    pub(super) to: String,
}

/// Collects in the second pass the links whose sums are not zero.
#[derive(Debug, Default)]
pub(super) struct Unbalanced {
    /// For each pair of pages the link and its direction; `None` once it is returned.
    links: HashMap<(u64, u64), Option<(bool, Unreturned)>>,
    /// Number of links beyond [`MOST`].
    pub(super) dropped: u64,
}

impl Unbalanced {
    /// Takes a link between two pages of the set that [`Balance`] suspects. Returns `false` if the set does not list the page that it leads
    /// to.
    pub(super) fn add(
        &mut self,
        balance: &Balance,
        locs: &Locs,
        (from, loc): (u64, &str),
        href: &str,
        place: impl FnOnce() -> Place,
    ) -> bool {
        let to = locs.hasher.hash(href);
        // The alternates of a page outside of the set are unknown.
        let is_listed = locs.contains(to);
        if !balance.is_suspect(from, to) || !is_listed {
            return is_listed;
        }
        let (pair, is_forward) = pair(from, to);
        let has_room = self.links.len() < MOST;
        match self.links.get_mut(&pair) {
            Some(link) => {
                if link.as_ref().is_some_and(|(other, _)| *other != is_forward) {
                    *link = None;
                }
            }
            None if has_room => {
                let unreturned = Unreturned {
                    place: place(),
                    from: loc.to_owned(),
                    to: href.to_owned(),
                };
                self.links.insert(pair, Some((is_forward, unreturned)));
            }
            None => self.dropped += 1,
        }
        is_listed
    }

    /// The links that are not returned, in the order of the documents.
    pub(super) fn into_unreturned(self) -> Vec<Unreturned> {
        let mut found: Vec<_> = self
            .links
            .into_values()
            .flatten()
            .map(|(_, unreturned)| unreturned)
            .collect();
        found.sort_by_key(|unreturned| (unreturned.place.document, unreturned.place.position.byte()));
        found
    }
}

/// The error for a link to a page that no document lists.
pub(super) fn not_listed(loc: &str, href: &str) -> Error {
    let message = Message::new(format!(
        "{} has the alternate {}, which is not listed, so that no sitemap has its link back",
        quote(loc),
        quote(href)
    ));
    Error::data(message.advice("list the page with the same links, and all other such pages"))
        .breaks(Rule::Alt4)
}

/// The error for a link that is not returned.
pub(super) fn not_returned(unreturned: &Unreturned) -> Error {
    Error::data(
        Message::new(format!(
            "{} lists {} as its alternate, which does not link back",
            quote(&unreturned.from),
            quote(&unreturned.to)
        ))
        .advice("add the link there, or remove it here"),
    )
    .breaks(Rule::Alt4)
}

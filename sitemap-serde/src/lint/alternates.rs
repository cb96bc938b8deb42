//! Alternates: what a page says of itself in other languages, and whether the others say the same.

use std::collections::HashMap;

use crate::diagnostic::Severity::{Note, Warning};
use crate::error::{Error, Words};
use crate::quote::quote;
use crate::rule::Rule;

use super::loc::Locs;
use super::set::Place;
use super::table::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        rule: Rule::Alt1,
        severity: Warning,
        search_console: &["Missing XML attribute"],
        explanation: "An alternate is an `xhtml:link` with three attributes: `rel=\"alternate\"`, `hreflang` (or `media` \
            for \
            another device) and `href`. Without one of them it says nothing.",
    },
    Page {
        rule: Rule::Alt2,
        severity: Warning,
        search_console: &["Invalid URL"],
        explanation: "The `href` of an alternate is an absolute URL. It may be on another site: each language can have \
            its own.",
    },
    Page {
        rule: Rule::Alt3,
        severity: Warning,
        search_console: &[],
        explanation: "A page lists all the pages of its group, itself among them: the same list stands in every entry of \
            the \
            group. Without itself its own language is not known.",
    },
    Page {
        rule: Rule::Alt4,
        severity: Warning,
        search_console: &[],
        explanation: "If one page names another as its alternate, that one names it back. Links that are not returned are \
            ignored, since anybody could claim to be the translation of anything.",
    },
    Page {
        rule: Rule::Alt5,
        severity: Warning,
        search_console: &["Invalid XML attribute value"],
        explanation: "A hreflang is a language of ISO 639-1, which may be followed by a script and by a region of ISO \
            3166-1: `de`, \
            `zh-Hant`, `en-GB`; or `x-default`. A region alone is none, and `en-UK` is not the United Kingdom.\n\nRegions \
            by number, as in `es-419`, are valid BCP 47; Google's documentation does not name them.",
    },
    Page {
        rule: Rule::XDefault,
        severity: Note,
        search_console: &[],
        explanation: "A group of alternates may have one for `x-default`: the page for whoever speaks none of the \
            languages, such \
            as one that lets a visitor choose.",
    },
];

/// A link among the alternates of one page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'r> {
    pub(super) hreflang: &'r str,
    pub(super) href: &'r str,
}

/// What one page's links lack.
pub(super) fn lacking(loc: &str, links: &[Link<'_>]) -> Vec<Error> {
    let mut found = Vec::new();
    if links.is_empty() {
        return found;
    }
    if !links.iter().any(|link| link.href == loc) {
        found.push(
            Error::data(
                Words::new(format!(
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
                Words::new("the alternates have none for `x-default`")
                    .advice("add one for whoever speaks none of the languages, if there is such a page"),
            )
            .breaks(Rule::XDefault),
        );
    }
    found
}

/// So many sums: each is zero if every link that falls into it is returned.
const BUCKETS: usize = 4096;

/// Finds out, without keeping any link, which of them are not returned: a link adds to a sum what the link back takes off.
#[derive(Debug, Default)]
pub(super) struct Balance {
    sums: Vec<u64>,
}

/// A pair of pages, whichever links to the other, and whether the first of them by hash does.
fn pair(from: u64, to: u64) -> ((u64, u64), bool) {
    if from < to {
        ((from, to), true)
    } else {
        ((to, from), false)
    }
}

fn bucket((low, high): (u64, u64)) -> (usize, u64) {
    // The hashes are as good as random, so their combination is.
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

    /// Whether all links are returned.
    pub(super) fn is_even(&self) -> bool {
        self.sums.iter().all(|sum| *sum == 0)
    }

    /// Whether a link may be one that is not returned.
    fn is_suspect(&self, from: u64, to: u64) -> bool {
        let (index, _) = bucket(pair(from, to).0);
        from != to && self.sums.get(index).is_some_and(|sum| *sum != 0)
    }
}

/// The most links that are kept to be told.
const MOST: usize = 10_000;

/// A link that was not returned so far.
#[derive(Debug)]
pub(super) struct Unreturned {
    pub(super) place: Place,
    pub(super) from: String,
    pub(super) to: String,
}

/// The links that may be unreturned, in the second pass.
#[derive(Debug, Default)]
pub(super) struct Unbalanced {
    /// By pair, the links in either direction; `None` once one is returned.
    links: HashMap<(u64, u64), Option<(bool, Unreturned)>>,
    /// Links that there was no room for.
    pub(super) left_out: u64,
}

impl Unbalanced {
    /// Takes a link between two pages of the set that [`Balance`] suspects.
    pub(super) fn add(
        &mut self,
        balance: &Balance,
        locs: &Locs,
        (from, loc): (u64, &str),
        href: &str,
        place: impl FnOnce() -> Place,
    ) {
        let to = locs.hash(href);
        // Of a page that is nowhere in the set nobody knows what it says.
        if !balance.is_suspect(from, to) || !locs.contains(to) {
            return;
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
            None => self.left_out += 1,
        }
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

/// The error for a link that is not returned.
pub(super) fn not_returned(unreturned: &Unreturned) -> Error {
    Error::data(
        Words::new(format!(
            "{} names {} as its alternate, which does not name it back",
            quote(&unreturned.from),
            quote(&unreturned.to)
        ))
        .advice("add the link there, or remove it here"),
    )
    .breaks(Rule::Alt4)
}

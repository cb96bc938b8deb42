//! The languages of alternates: a page has one, and its address may show it (L-LANGSWAP).
//!
//! Nothing is kept of a link. As for links that are not returned, a link adds a weight, of its page and its label, to a sum; the page's
//! own entry subtracts the same for each link back, with the label that it gives itself. Sums that are not zero, and addresses that
//! contradict their labels, ask for a second pass.

use std::collections::HashMap;

use sitemap_values::Rule;
use sitemap_values::codes::{is_country, is_language};
use sitemap_values::quote::quote;

use crate::error::{Error, Message};

use super::alternates::Link;
use super::loc::LocHasher;
use super::set::{Place, Set};

/// A language of ISO 639-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Language([u8; 2]);

impl Language {
    /// The language of a hreflang; `None` for `x-default` and for invalid ones.
    pub(super) fn of(hreflang: &str) -> Option<Self> {
        let code = hreflang.split(['-', '_']).next().unwrap_or_default();
        let &[first, second] = code.as_bytes() else {
            return None;
        };
        is_language(code).then(|| {
            let code = [first.to_ascii_lowercase(), second.to_ascii_lowercase()];
            // Former codes, and those of one written language.
            Language(match &code {
                b"iw" => *b"he",
                b"in" => *b"id",
                b"ji" => *b"yi",
                b"mo" => *b"ro",
                b"nb" | b"nn" => *b"no",
                _ => code,
            })
        })
    }

    fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// A link to an alternate, by the hashes of the pages at its ends, and the languages of these by the entry that has the link.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelledLink {
    pub(super) from: u64,
    pub(super) to: u64,
    own: Option<Language>,
    other: Option<Language>,
    /// `true` if the entry gives the page two languages.
    is_torn: bool,
}

/// The links of an entry, each page once.
pub(super) fn labelled<'l>(
    from: u64,
    links: &'l [Link<'_>],
    hasher: &'l LocHasher,
) -> impl Iterator<Item = LabelledLink> + use<'l> {
    let mut pages: Vec<(u64, Option<Language>)> = links
        .iter()
        .map(|link| (hasher.hash(link.href), Language::of(link.hreflang)))
        .collect();
    // A page that is linked to twice links back once; `x-default` comes first and has no language.
    pages.sort_unstable();
    let language = |chunk: &[(u64, Option<Language>)]| chunk.last().and_then(|(_, language)| *language);
    let own = pages.chunk_by(|(a, _), (b, _)| a == b);
    let own = own
        .filter(|chunk| chunk.first().is_some_and(|(to, _)| *to == from))
        .find_map(language);
    let links: Vec<_> = pages
        .chunk_by(|(a, _), (b, _)| a == b)
        .filter_map(|chunk| {
            let (to, _) = *chunk.first()?;
            let other = language(chunk);
            let is_torn = chunk
                .iter()
                .any(|(_, language)| language.is_some() && *language != other);
            Some(LabelledLink {
                from,
                to,
                own,
                other,
                is_torn,
            })
        })
        .collect();
    links.into_iter()
}

const BUCKETS: usize = 4096;

/// Detects pages with two languages, and addresses that contradict their labels, without storing links.
#[derive(Debug, Default)]
pub(super) struct Labels {
    sums: Vec<u64>,
    schemes: Schemes,
}

fn bucket(page: u64) -> usize {
    usize::try_from(page.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52).unwrap_or_default() % BUCKETS
}

fn weight(page: u64, language: Option<Language>) -> u64 {
    let code = language.map_or(0, |Language(code)| u64::from(u16::from_le_bytes(code)));
    (page.rotate_left(17) ^ code.wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(0xA076_1D64_78BD_642F) | 1
}

impl Labels {
    /// Adds a link in the first pass.
    pub(super) fn add(&mut self, link: LabelledLink) {
        if self.sums.is_empty() {
            self.sums = vec![0; BUCKETS];
        }
        let mut change = |page, amount: u64| {
            if let Some(sum) = self.sums.get_mut(bucket(page)) {
                *sum = sum.wrapping_add(amount);
            }
        };
        if link.is_torn {
            change(link.to, 0x5851_F42D_4C95_7F2D);
        }
        if link.from != link.to {
            change(link.to, weight(link.to, link.other));
            change(link.from, weight(link.from, link.own).wrapping_neg());
        }
    }

    pub(super) fn add_schemes(&mut self, schemes: &Schemes) {
        self.schemes.add(schemes);
    }

    /// Returns `true` if a second pass may find something.
    pub(super) fn are_suspect(&self) -> bool {
        self.sums.iter().any(|sum| *sum != 0)
            || self.schemes.shown().is_some_and(|scheme| scheme.contradict > 0)
    }

    pub(super) fn is_suspect(&self, page: u64) -> bool {
        self.sums.get(bucket(page)).is_some_and(|sum| *sum != 0)
    }
}

/// The places of an address that may show a language: the first label of the host, and the first segments of the path.
const PLACES: usize = 4;

/// How many addresses show the language of their label, place by place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Schemes {
    places: [Scheme; PLACES],
    /// The number of links with a language.
    links: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Scheme {
    carry: u64,
    contradict: u64,
}

impl Schemes {
    /// Adds the links of an entry.
    pub(super) fn add_links(&mut self, links: &[Link<'_>]) {
        for link in links {
            let Some(language) = Language::of(link.hreflang) else {
                continue;
            };
            self.links += 1;
            for (scheme, word) in self.places.iter_mut().zip(words(link.href)) {
                match shown(word, language, link.hreflang, links) {
                    Shown::Own => scheme.carry += 1,
                    Shown::Other(_) => scheme.contradict += 1,
                    Shown::Nothing => {}
                }
            }
        }
    }

    fn add(&mut self, other: &Schemes) {
        self.links += other.links;
        for (scheme, other) in self.places.iter_mut().zip(&other.places) {
            scheme.carry += other.carry;
            scheme.contradict += other.contradict;
        }
    }

    /// The place that shows languages: at least half of the addresses carry their label there.
    fn place(&self) -> Option<usize> {
        let is_shown = |scheme: &Scheme| scheme.carry > 0 && scheme.carry * 2 >= self.links;
        self.places
            .iter()
            .position(|scheme| is_shown(scheme) && scheme.carry >= scheme.contradict)
    }

    fn shown(&self) -> Option<Scheme> {
        self.places.get(self.place()?).copied()
    }
}

/// The first label of the host, and the first segments of the path.
fn words(url: &str) -> impl Iterator<Item = &str> {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let path = path.split(['?', '#']).next().unwrap_or_default();
    host.split('.')
        .next()
        .into_iter()
        .chain(path.split('/'))
        .take(PLACES)
}

/// What a word of an address says of the language.
enum Shown {
    Own,
    Other(Language),
    Nothing,
}

fn shown(word: &str, own: Language, hreflang: &str, links: &[Link<'_>]) -> Shown {
    // `zh-hant` and `en_us`, but no words of texts.
    if !(2..=7).contains(&word.len()) {
        return Shown::Nothing;
    }
    let mut other = None;
    for part in word.split(['-', '_']) {
        // A country in an address may be that of the label.
        let is_region = hreflang
            .split('-')
            .skip(1)
            .any(|region| region.eq_ignore_ascii_case(part));
        match Language::of(part).filter(|_| part.len() == 2) {
            Some(language) if language == own => return Shown::Own,
            _ if is_region => return Shown::Own,
            Some(language) => {
                let is_linked = || {
                    links
                        .iter()
                        .any(|link| Language::of(link.hreflang) == Some(language))
                };
                if !is_country(&part.to_ascii_uppercase()) || is_linked() {
                    other.get_or_insert(language);
                }
            }
            None => {}
        }
    }
    other.map_or(Shown::Nothing, Shown::Other)
}

/// Maximum number of pages whose labels are compared in the second pass.
const MOST: usize = 10_000;

/// The pages of the second pass: the first label of each, and where it is; `None` once it was reported.
#[derive(Debug, Default)]
pub(super) struct Compared {
    first: HashMap<u64, Option<(Language, Place)>>,
    /// Number of pages beyond [`MOST`].
    pub(super) dropped: u64,
}

impl Compared {
    /// Compares a link of the second pass with what is known of its page; `name` is the name of another document.
    pub(super) fn add(
        &mut self,
        set: &Set,
        page: u64,
        link: &Link<'_>,
        links: &[Link<'_>],
        (place, names): (Place, &[String]),
    ) -> Option<Error> {
        let language = Language::of(link.hreflang)?;
        let scheme = set.labels.schemes.place();
        let word = scheme.and_then(|place| words(link.href).nth(place));
        let contradiction = match word.map(|word| (word, shown(word, language, link.hreflang, links))) {
            Some((word, Shown::Other(shown))) => Some((word, shown)),
            _ => None,
        };
        if contradiction.is_none() && !set.may_be_torn(page) {
            return None;
        }
        if !self.first.contains_key(&page) && self.first.len() >= MOST {
            self.dropped += 1;
            return None;
        }
        let known = self.first.entry(page).or_insert(Some((language, place)));
        let (first, first_place) = (*known)?;
        let (problem, advice) = if first != language {
            let name = names
                .get(first_place.document)
                .filter(|_| first_place.document != place.document);
            let of_document = name.map_or_else(String::new, |name| format!(" of {name}"));
            let (line, entry) = (first_place.position.line(), first_place.position.entry());
            (
                format!(
                    "{} has the hreflang {}, and its language is `{}` in entry {} in line {line}{of_document}",
                    quote(link.href),
                    quote(link.hreflang),
                    first.as_str(),
                    entry.unwrap_or_default()
                ),
                "give all links to a page its one language",
            )
        } else {
            let (word, shown) = contradiction?;
            (
                format!(
                    "{} has the hreflang {}, and {} in its address means `{}`, as in the addresses of other alternates",
                    quote(link.href),
                    quote(link.hreflang),
                    quote(word),
                    shown.as_str()
                ),
                "correct the label, or the address",
            )
        };
        *known = None;
        Some(Error::data(Message::new(problem).advice(advice)).breaks(Rule::LangSwap))
    }
}

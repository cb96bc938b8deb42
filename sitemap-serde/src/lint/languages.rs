//! The languages of alternates: a page has one, and its address may show it (L-LANGSWAP).
//!
//! Links are not stored. As in the check of return links, a link adds a weight, computed from its page and its label, to a sum. The
//! page's own entry subtracts the same weight for each link back, with its own label. Sums that are not zero, and addresses that
//! contradict their labels, need a second pass.

use std::collections::{BTreeMap, HashMap};

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
        let (code, behind) = hreflang.as_bytes().split_first_chunk::<2>()?;
        if !matches!(behind.first(), None | Some(b'-' | b'_')) || !is_language(hreflang.get(..2)?) {
            return None;
        }
        let code = code.map(|b| b.to_ascii_lowercase());
        // Former codes, and codes of one written language.
        Some(Language(match &code {
            b"iw" => *b"he",
            b"in" => *b"id",
            b"ji" => *b"yi",
            b"mo" => *b"ro",
            b"nb" | b"nn" => *b"no",
            _ => code,
        }))
    }

    fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The languages of a group, by the letters of their codes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group([u32; 26]);

impl Group {
    pub(super) fn of(links: &[Link<'_>]) -> Self {
        let mut group = Group::default();
        for Language([first, second]) in links.iter().filter_map(|link| Language::of(link.hreflang)) {
            if let Some(seconds) = group.0.get_mut(usize::from(first.wrapping_sub(b'a'))) {
                *seconds |= 1 << (second.wrapping_sub(b'a') & 31);
            }
        }
        group
    }

    fn has(&self, Language([first, second]): Language) -> bool {
        let seconds = self.0.get(usize::from(first.wrapping_sub(b'a')));
        seconds.is_some_and(|seconds| seconds >> (second.wrapping_sub(b'a') & 31) & 1 != 0)
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

/// Adds the links of an entry, each page once.
pub(super) fn add_labelled(found: &mut Vec<LabelledLink>, from: u64, links: &[Link<'_>], hasher: &LocHasher) {
    let mut pages: Vec<(u64, Option<Language>)> = links
        .iter()
        .map(|link| (hasher.hash(link.href), Language::of(link.hreflang)))
        .collect();
    // A page that is linked to twice links back once; `x-default` comes first and has no language.
    pages.sort_unstable();
    let first = found.len();
    let mut own = None;
    for chunk in pages.chunk_by(|(a, _), (b, _)| a == b) {
        let (Some((to, _)), Some((_, other))) = (chunk.first(), chunk.last()) else {
            continue;
        };
        if *to == from {
            own = *other;
        }
        found.push(LabelledLink {
            from,
            to: *to,
            own: None,
            other: *other,
            is_torn: chunk
                .iter()
                .any(|(_, language)| language.is_some() && language != other),
        });
    }
    for link in found.iter_mut().skip(first) {
        link.own = own;
    }
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

/// The number of addresses that show the language of their label, for each place.
#[derive(Clone, Debug, Default)]
pub(super) struct Schemes {
    places: [Scheme; PLACES],
    /// The number of links with a language.
    links: u64,
}

#[derive(Clone, Debug, Default)]
struct Scheme {
    carry: u64,
    contradict: u64,
    /// The number of addresses that show a language, and have a label of this one.
    pairs: BTreeMap<(Language, Language), u64>,
}

/// The maximum number of pairs that are counted.
const MOST_PAIRS: usize = 1024;

/// The number of links from which on two labels may be exchanged: a single group of two pages has two of each.
const FEW_LINKS: u64 = 4;

impl Scheme {
    fn count(&mut self, shown: Language, label: Language, number: u64) {
        if let Some(count) = self.pairs.get_mut(&(shown, label)) {
            *count += number;
        } else if self.pairs.len() < MOST_PAIRS {
            self.pairs.insert((shown, label), number);
        }
    }

    /// Returns `true` if the labels of two languages are exchanged: each address that shows one of them has the other's label.
    fn is_exchange(&self, shown: Language, label: Language) -> bool {
        let count = |pair| self.pairs.get(&pair).copied().unwrap_or_default();
        count((shown, label)).min(count((label, shown))) >= FEW_LINKS
            && count((shown, shown)) + count((label, label)) == 0
    }

    /// The number of addresses whose labels are exchanged.
    fn exchanged(&self) -> u64 {
        let exchanged = self
            .pairs
            .iter()
            .filter(|((shown, label), _)| shown != label && self.is_exchange(*shown, *label));
        exchanged.map(|(_, count)| count).sum()
    }
}

impl Schemes {
    /// Adds the links of an entry.
    pub(super) fn add_links(&mut self, links: &[Link<'_>]) {
        let group = Group::of(links);
        for link in links {
            let Some(language) = Language::of(link.hreflang) else {
                continue;
            };
            self.links += 1;
            for (scheme, word) in self.places.iter_mut().zip(words(link.href)) {
                match shown(word, language, link.hreflang, &group) {
                    Shown::Own => {
                        scheme.carry += 1;
                        scheme.count(language, language, 1);
                    }
                    Shown::Other(shown) => {
                        scheme.contradict += 1;
                        scheme.count(shown, language, 1);
                    }
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
            for ((shown, label), count) in &other.pairs {
                scheme.count(*shown, *label, *count);
            }
        }
    }

    /// The place that shows languages: at least half of the addresses carry their label there, or one that is exchanged with another.
    fn place(&self) -> Option<usize> {
        self.places.iter().position(|scheme| {
            let exchanged = scheme.exchanged();
            let carry = scheme.carry + exchanged;
            carry > 0 && carry * 2 >= self.links && carry >= scheme.contradict - exchanged
        })
    }

    fn shown(&self) -> Option<&Scheme> {
        self.places.get(self.place()?)
    }
}

/// The first label of the host, and the first segments of the path.
fn words(url: &str) -> impl Iterator<Item = &str> {
    let prefixes = ["https://", "http://"];
    let mut rest = prefixes.iter().find_map(|prefix| url.strip_prefix(prefix));
    let mut is_host = true;
    let next = move || {
        let text = rest?;
        let is_of_host = std::mem::replace(&mut is_host, false);
        let is_end = |b: u8| matches!(b, b'/' | b'?' | b'#') || is_of_host && b == b'.';
        let (word, behind) = text.split_at(text.bytes().position(is_end).unwrap_or(text.len()));
        let path = if is_of_host {
            memchr::memchr(b'/', behind.as_bytes()).map_or("", |slash| &behind[slash..])
        } else {
            behind
        };
        rest = path.strip_prefix('/');
        Some(word)
    };
    std::iter::from_fn(next).take(PLACES)
}

/// What a word of an address says of the language.
enum Shown {
    Own,
    Other(Language),
    Nothing,
}

fn shown(word: &str, own: Language, hreflang: &str, group: &Group) -> Shown {
    // `en`, `en_us`, `zh-hant` and `us-en`, but no words of texts.
    let is_separator = |b: Option<&u8>| matches!(b, Some(b'-' | b'_'));
    let bytes = word.as_bytes();
    let is_code = match bytes.len() {
        2 => true,
        5..=7 => is_separator(bytes.get(2)) || is_separator(bytes.iter().nth_back(2)),
        _ => false,
    };
    if !is_code {
        return Shown::Nothing;
    }
    if Language::of(word).filter(|_| bytes.len() == 2) == Some(own) {
        return Shown::Own;
    }
    let mut other = None;
    for part in word.split(['-', '_']).filter(|part| part.len() == 2) {
        let language = Language::of(part);
        if language == Some(own) {
            return Shown::Own;
        }
        // A country in an address may be the label's region.
        let mut regions = hreflang.split('-').skip(1);
        if regions.any(|region| region.eq_ignore_ascii_case(part)) {
            return Shown::Own;
        }
        let Some(language) = language else { continue };
        if group.has(language) || !is_country(&part.to_ascii_uppercase()) {
            other.get_or_insert(language);
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
    /// Compares a link of the second pass to the known facts about its page. `name` is the name of another document.
    pub(super) fn add(
        &mut self,
        set: &Set,
        page: u64,
        link: &Link<'_>,
        group: &Group,
        (place, names): (Place, &[String]),
    ) -> Option<Error> {
        let language = Language::of(link.hreflang)?;
        let scheme = set.labels.schemes.place();
        let word = scheme.and_then(|place| words(link.href).nth(place));
        let contradiction = match word.map(|word| (word, shown(word, language, link.hreflang, group))) {
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
        let (problem, advice) = if first == language {
            let (word, shown) = contradiction?;
            let schemes = &set.labels.schemes;
            let is_exchange =
                |scheme: &Scheme| scheme.carry * 2 < schemes.links && scheme.is_exchange(shown, language);
            let why = if schemes.shown().is_some_and(is_exchange) {
                format!(
                    "and the addresses with `{}` have the hreflang of `{}`: the two labels are exchanged",
                    language.as_str(),
                    shown.as_str()
                )
            } else {
                "as in the addresses of other alternates".to_owned()
            };
            (
                format!(
                    "{} has the hreflang {}, and {} in its address means `{}`, {why}",
                    quote(link.href),
                    quote(link.hreflang),
                    quote(word),
                    shown.as_str()
                ),
                "correct the label, or the address",
            )
        } else {
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
        };
        *known = None;
        Some(Error::data(Message::new(problem).advice(advice)).breaks(Rule::LangSwap))
    }
}

//! Compares the rule of the dates with an oracle, which has the texts of all blocks and shares no code with the library.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use sitemap_pages::{FolderBuilder, Ledger};

use crate::site::{Site, builder};

/// SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) >> 33).unwrap() % end
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    /// A text that ends in a link `Read more`.
    More {
        text: String,
        to: String,
    },
    Frame(String),
    Ignored(String),
    Link {
        to: String,
        text: String,
    },
    /// A text in an `article`, under a title that is a link.
    Post {
        to: String,
        title: String,
        text: String,
    },
}

impl Piece {
    /// Returns its text, if it is counted on a page. A link to the page itself is text like any other.
    fn counted(&self, page: &str) -> Option<String> {
        match self {
            Piece::Link { to, text } if to == page => Some(text.clone()),
            Piece::More { text, to } if to == page => Some(format!("{text} Read more{}", after_link(text))),
            Piece::Text(text) | Piece::Post { text, .. } => Some(text.clone()),
            Piece::More { text, .. } => {
                let whole = format!("{text} Read more{}", after_link(text));
                let shown = whole.split_whitespace().collect::<String>().len();
                // In a short one, most of the text is the link.
                (2 * "Readmore".len() <= shown).then_some(whole)
            }
            _ => None,
        }
    }
}

/// Returns the number of the markup for a text. A text always has the same markup, so its place is known.
fn way(text: &str) -> usize {
    text.len() % 14
}

/// Returns the elements around a text.
fn place(text: &str) -> &'static str {
    match way(text) {
        0 | 1 => "table",
        2 => "p",
        other => NAMES[other % 5],
    }
}

const NAMES: [&str; 5] = ["p", TITLE, "div", "li", "blockquote"];

const TITLE: &str = "h1";

/// The elements around the title of a post that is the page's own.
const POST_TITLE: &str = "article header h2";

/// Returns the signs after a link to the whole text.
fn after_link(text: &str) -> &'static str {
    ["", " »", "."][text.len() % 3]
}

type Pages = BTreeMap<String, Vec<Piece>>;

fn render(pieces: &[Piece], stated: Option<&str>, random: &mut Random) -> String {
    let mut html = String::from("<!doctype html><html><head><title>A page</title>");
    if let Some(date) = stated {
        let _ = write!(
            html,
            "<script type=application/ld+json>{{\"dateModified\":\"{date}\"}}</script>"
        );
    }
    html.push_str("</head><body>");
    for piece in pieces {
        let id = random.below(1000);
        match piece {
            // Markup and white space make no difference.
            Piece::Text(text) => {
                let way = way(text);
                let name = NAMES[way % 5];
                let space = [" ", "\n  ", "\t "][random.below(3)];
                let text = text.split(' ').collect::<Vec<_>>().join(space);
                let _ = match way {
                    0 => write!(html, "<table><tr><td role=navigation>Menu {id}<td>{text}</table>"),
                    1 => write!(
                        html,
                        "<table><tr><td>{text}<th class='n{id} footer'>Ours {id}</table>"
                    ),
                    2 => write!(html, "<p>{text} <span role=search>Find {id}</span>"),
                    _ => write!(html, "<{name} id=x{id}>{text}</{name}>"),
                };
            }
            Piece::More { text, to } => {
                let _ = write!(html, "<p>{text} <a href=\"/{to}\">Read more</a>");
                html.push_str(after_link(text));
            }
            Piece::Frame(text) => {
                let name = ["nav", "header", "footer", "aside"][random.below(4)];
                let _ = write!(html, "<{name} class=c{id}><p>{text}</{name}>");
            }
            Piece::Ignored(text) => {
                let _ = write!(html, "<div class=\"views n{id}\">{text}</div>");
            }
            Piece::Link { to, text } => {
                let _ = write!(html, "<p><a href=\"/{to}\" data-n={id}>{text}</a></p>");
            }
            Piece::Post { to, title, text } => {
                let _ = write!(
                    html,
                    "<article><header><h2><a href=\"/{to}\" rel=bookmark>{title}</a></h2></header><p id=x{id}>{text}</p></article>"
                );
            }
        }
    }
    html
}

/// The dates that the pages of a site state, which are no dates of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Lies {
    /// No dates are stated.
    None,
    /// The time of the build.
    Builds,
    /// The day of the build.
    Days,
    /// Zeros, as two programs write them.
    Zero,
    /// Days to come.
    Future,
    /// The day of the first publication of all pages.
    One,
    /// Each page's own day of publication. It is believed until the page changes.
    Published,
}

impl Lies {
    const ALL: [Lies; 7] = [
        Lies::None,
        Lies::Builds,
        Lies::Days,
        Lies::Zero,
        Lies::Future,
        Lies::One,
        Lies::Published,
    ];

    /// The date that a page states.
    fn stated(self, name: &str, now: &str, pages: usize) -> Option<String> {
        let number = name
            .bytes()
            .fold(7_usize, |sum, byte| sum * 31 % 9973 + usize::from(byte));
        let (month, day) = (1 + number % 12, 1 + number / 12 % 28);
        match self {
            Lies::None => None,
            Lies::Builds => Some(format!("{now}T08:15:{:02}Z", pages % 60)),
            Lies::Days => Some(now.to_owned()),
            Lies::Zero => Some(["0001-01-01", "1970-01-01"][number % 2].to_owned()),
            Lies::Future => Some(format!("2031-{month:02}-{day:02}")),
            Lies::One => Some("2019-03-04".to_owned()),
            Lies::Published => Some(format!("20{:02}-{month:02}-{day:02}", 1 + number / 500)),
        }
    }
}

/// The oracle's knowledge of a page.
#[derive(Clone, Default)]
struct Known {
    counted: Vec<String>,
    excerpts: Vec<String>,
    /// The spots of the counted texts.
    spots: Vec<(String, Spots)>,
    since: Option<String>,
    is_kept: bool,
}

/// The elements around a text, and its number among their texts: from the start, from the end.
type Spots = (&'static str, usize, usize);

/// A text that was added or removed, with its numbers masked, and its spots. If numbers changed, it has the old and the new ones.
type Change = (bool, String, Option<Spots>);

/// Separates old numbers from new ones.
const BECAME: &str = " → ";

/// The elements around the title, or else around the first text, and whether this is a title.
type Kind = (&'static str, bool);

/// A change of the template, on pages of one kind or on all. Its place is counted from the start or from the end.
type PlaceChange = (Option<&'static str>, bool, &'static str, bool, usize);

fn place_changes((kind, has_title): Kind, change: &Change) -> Vec<PlaceChange> {
    let (is_added, text, Some((place, start, end))) = change else {
        return Vec::new();
    };
    // A title is the page's, and so are numbers.
    if text.contains(BECAME) || has_title && *place == kind && *start == 0 {
        return Vec::new();
    }
    let mut changes = Vec::new();
    for kind in [None, Some(kind)] {
        for (is_start, number) in [(true, *start), (false, *end)] {
            if number < 2 {
                changes.push((kind, *is_added, *place, is_start, number));
            }
        }
    }
    changes
}

#[derive(Default)]
struct Oracle {
    pages: BTreeMap<String, Known>,
    shared: BTreeSet<String>,
    has_run: bool,
    /// The number of shortened excerpts that it has seen.
    cut: usize,
    /// The number of pages of which a template replaced most, of changed numbers, of changes at places of the template, and of lists.
    rewritten: usize,
    renumbered: usize,
    at_places: usize,
    lists: usize,
}

fn masked(text: &str) -> String {
    let mut masked = String::new();
    for c in text.chars() {
        match c {
            '0'..='9' if masked.ends_with('#') => {}
            '0'..='9' => masked.push('#'),
            c => masked.push(c),
        }
    }
    masked
}

/// Returns the texts of `a` that are missing in `b`, as often as they are missing.
fn missing(a: &[String], b: &[String]) -> Vec<String> {
    let mut rest: Vec<&String> = b.iter().collect();
    let mut found = Vec::new();
    for text in a {
        match rest.iter().position(|other| *other == text) {
            Some(position) => {
                rest.swap_remove(position);
            }
            None => found.push(text.clone()),
        }
    }
    found
}

fn on_many<T: Ord + Clone>(of_pages: &[Vec<T>]) -> BTreeSet<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    for items in of_pages {
        for item in items.iter().cloned().collect::<BTreeSet<_>>() {
            *counts.entry(item).or_default() += 1;
        }
    }
    let pages = of_pages.len();
    let is_many = |count: usize| pages >= 3 && count >= 5.min(pages) && count * 5 >= pages;
    counts
        .into_iter()
        .filter(|(_, count)| is_many(*count))
        .map(|(item, _)| item)
        .collect()
}

/// The counted texts of a page and its links, each with its place. Texts have odd numbers, and links are between or in them. The link of
/// a post's title is also in the post's text.
#[derive(Default)]
struct Layout {
    texts: Vec<String>,
    places: Vec<&'static str>,
    links: Vec<(usize, String)>,
    /// The links in `article`.
    of_posts: Vec<String>,
}

impl Layout {
    fn of(pieces: &[Piece], page: &str) -> Self {
        let mut layout = Layout::default();
        // Texts that are mostly links to the page itself count once.
        let mut labels: BTreeSet<String> = BTreeSet::new();
        for piece in pieces {
            if let Piece::Post { to, title, .. } = piece {
                layout.links.push((2 * layout.texts.len(), to.clone()));
                if to == page {
                    layout.places.push(POST_TITLE);
                    layout.texts.push(title.clone());
                } else {
                    layout.links.push((2 * layout.texts.len() + 1, to.clone()));
                }
                layout.of_posts.push(to.clone());
            }
            let counted = piece.counted(page).filter(|text| {
                let own = match piece {
                    Piece::Link { to, .. } if to == page => text.as_str(),
                    Piece::More { to, .. } if to == page => "Read more",
                    _ => "",
                };
                let shown = |text: &str| text.split_whitespace().collect::<String>().len();
                2 * shown(own) <= shown(text) || labels.insert(text.clone())
            });
            if let Some(text) = counted {
                layout.places.push(match piece {
                    Piece::Text(text) => place(text),
                    Piece::Post { .. } => "article p",
                    _ => "p",
                });
                layout.texts.push(text);
            }
            if let Piece::Link { to, .. } | Piece::More { to, .. } = piece {
                layout.links.push((2 * layout.texts.len(), to.clone()));
            }
        }
        layout
    }

    fn kind(&self) -> Kind {
        let first = self.places.first().copied().unwrap_or("");
        if self.places.contains(&TITLE) {
            (TITLE, true)
        } else {
            (first, first == POST_TITLE)
        }
    }

    /// Returns the text of the title.
    fn title(&self) -> Option<&String> {
        let first = || (self.places.first() == Some(&POST_TITLE)).then_some(0);
        let title = self
            .places
            .iter()
            .position(|place| *place == TITLE)
            .or_else(first);
        self.texts.get(title?)
    }

    /// Returns the spots of each text. If a text occurs several times, the first one counts.
    fn spots(&self) -> Vec<(String, Spots)> {
        let mut found: BTreeMap<String, Spots> = BTreeMap::new();
        for (number, (text, place)) in self.texts.iter().zip(&self.places).enumerate() {
            let alike = |range: &[&'static str]| range.iter().filter(|other| *other == place).count();
            let (start, end) = (alike(&self.places[..number]), alike(&self.places[number + 1..]));
            let spots = (*place, start.min(2), end.min(2));
            let is_slot = start < 2 || end < 2;
            let before = found.get(text).copied().filter(|before| *before <= spots);
            if is_slot && before.is_none() {
                found.insert(text.clone(), spots);
            }
        }
        found.into_iter().collect()
    }

    /// Returns the pages that it links to, only in posts if it has any.
    fn linked(&self, own: &str, layouts: &BTreeMap<&str, Layout>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let all = self.links.iter().map(|(_, to)| to);
        let of_posts = self.of_posts.iter();
        let links: Vec<&String> = if self.of_posts.is_empty() {
            all.collect()
        } else {
            of_posts.collect()
        };
        for to in links {
            if to != own && layouts.contains_key(to.as_str()) && !found.contains(to) {
                found.push(to.clone());
            }
        }
        found
    }

    /// Returns the distance between the nearest link to a page and the first block with the text.
    fn distance(&self, text: &str, to: &str) -> Option<usize> {
        let place = 2 * self.texts.iter().position(|found| found == text)? + 1;
        let links = self.links.iter().filter(|(_, found)| found == to);
        links.map(|(link, _)| link.abs_diff(place)).min()
    }

    /// Returns the first 32 letters and digits from a block on.
    fn beginning(&self, block: usize) -> Option<String> {
        let letters = self.texts[block..].concat();
        let letters: String = letters.chars().filter(|c| c.is_alphanumeric()).take(32).collect();
        (letters.chars().count() == 32).then_some(letters)
    }

    fn is_cut(&self, block: usize, to: &str) -> bool {
        let text = &self.texts[block];
        text.chars().filter(|c| c.is_alphanumeric()).count() >= 32
            && (text.ends_with('…') || self.links.contains(&(2 * block + 2, to.to_owned())))
    }
}

/// Returns `true` if a page has a post of the other one, or its title.
fn lists(layouts: &BTreeMap<&str, Layout>, shared: &BTreeSet<String>, page: &str, other: &str) -> bool {
    let (own, of) = (&layouts[page], &layouts[other]);
    let title = of
        .title()
        .filter(|title| !shared.contains(*title) && own.title() != Some(*title));
    let alike = |title: &String| {
        layouts
            .values()
            .filter(|layout| layout.title() == Some(title))
            .count()
    };
    page != other
        && (own.of_posts.iter().any(|to| to == other)
            || title.is_some_and(|title| own.texts.contains(title) && alike(title) <= 4))
}

/// Returns `Some(true)` if a page lists the other one, `Some(false)` if it is listed there.
fn is_list(
    layouts: &BTreeMap<&str, Layout>,
    shared: &BTreeSet<String>,
    page: &str,
    other: &str,
) -> Option<bool> {
    let is_list = lists(layouts, shared, page, other);
    (is_list != lists(layouts, shared, other, page)).then_some(is_list)
}

fn is_whole_excerpt(
    layouts: &BTreeMap<&str, Layout>,
    shared: &BTreeSet<String>,
    page: &str,
    text: &str,
) -> bool {
    layouts.iter().any(|(other, layout)| {
        *other != page
            && layout.texts.iter().any(|found| found == text)
            && layouts[page].distance(text, other).is_some_and(|own| {
                is_list(layouts, shared, page, other)
                    .unwrap_or_else(|| layout.distance(text, page).is_none_or(|back| own < back))
            })
    })
}

fn is_cut_excerpt(
    layouts: &BTreeMap<&str, Layout>,
    shared: &BTreeSet<String>,
    page: &str,
    text: &str,
) -> bool {
    let own = &layouts[page];
    let numbers = (0..own.texts.len()).filter(|number| own.texts[*number] == text);
    let of_other = |number: usize, name: &str, other: &Layout| {
        own.is_cut(number, name)
            && own.links.iter().any(|(_, to)| to == name)
            && is_list(layouts, shared, page, name) != Some(false)
            && (0..other.texts.len()).any(|theirs| {
                !shared.contains(&other.texts[theirs])
                    && other.beginning(theirs) == own.beginning(number)
                    && !other.is_cut(theirs, page)
            })
    };
    let others = || layouts.iter().filter(|(name, _)| **name != page);
    numbers
        .into_iter()
        .any(|number| others().any(|(name, other)| of_other(number, name, other)))
}

impl Oracle {
    /// Returns the pages' dates after a run.
    #[expect(clippy::too_many_lines, reason = "the rule, from its beginning to its end")]
    fn run(&mut self, pages: &Pages, lies: Lies, now: &str) -> BTreeMap<String, Option<String>> {
        let layouts: BTreeMap<&str, Layout> = pages
            .iter()
            .map(|(name, pieces)| (name.as_str(), Layout::of(pieces, name)))
            .collect();
        let texts: Vec<Vec<String>> = layouts.values().map(|layout| layout.texts.clone()).collect();
        let shared = on_many(&texts);
        let mut known: BTreeMap<String, Known> = BTreeMap::new();
        for (name, texts) in pages.keys().zip(&texts) {
            let own = texts.iter().filter(|text| !shared.contains(*text)).cloned();
            let (excerpts, counted) = own.partition(|text| {
                if layouts[name.as_str()].title() == Some(text) {
                    return false;
                }
                let is_cut = is_cut_excerpt(&layouts, &shared, name, text);
                self.cut += usize::from(is_cut);
                is_cut || is_whole_excerpt(&layouts, &shared, name, text)
            });
            known.insert(
                name.clone(),
                Known {
                    spots: layouts[name.as_str()].spots(),
                    counted,
                    excerpts,
                    ..Known::default()
                },
            );
        }
        let changes: Vec<Vec<Change>> = known
            .iter()
            .zip(&texts)
            .map(|((name, now), texts)| match self.pages.get(name) {
                Some(before) if !texts.is_empty() => self.changes(before, now, &shared),
                _ => Vec::new(),
            })
            .collect();
        let masks: Vec<Vec<(bool, String)>> = changes
            .iter()
            .map(|changes| {
                changes
                    .iter()
                    .map(|(is_added, text, _)| (*is_added, text.clone()))
                    .collect()
            })
            .collect();
        let common = on_many(&masks);
        let kinds: Vec<Kind> = layouts.values().map(Layout::kind).collect();
        let is_compared: Vec<bool> = known
            .keys()
            .zip(&texts)
            .map(|(name, texts)| self.pages.contains_key(name) && !texts.is_empty())
            .collect();
        let places = common_places(&changes, &kinds, &is_compared);
        self.at_places += places.len();
        let is_changed = |change: &&Change| change.1.contains(BECAME);
        self.renumbered += changes.iter().flatten().filter(is_changed).count();
        // Returns the elements of a change, if it is at a common place.
        let elements = |kind: Kind, change: &Change| {
            let is_common = place_changes(kind, change)
                .iter()
                .any(|change| places.contains(change));
            change
                .2
                .filter(|_| is_common)
                .map(|(place, ..)| (kind.0, change.0, place))
        };
        let mut counts: BTreeMap<_, usize> = BTreeMap::new();
        for (changes, kind) in changes.iter().zip(&kinds) {
            let found: Vec<_> = changes
                .iter()
                .filter_map(|change| elements(*kind, change))
                .collect();
            for place in found.iter().collect::<BTreeSet<_>>() {
                let same = found.iter().filter(|other| *other == place).count();
                *counts.entry((*place, same)).or_default() += 1;
            }
        }
        let usual = |wanted| {
            let counts = counts.iter().filter(|((place, _), _)| *place == wanted);
            counts.map(|((_, changes), pages)| (*pages, *changes)).max()
        };
        // Returns `true` if changes at common places are more than half of the page's texts.
        let is_rewritten = |kind: Kind, changes: &[Change], blocks: [usize; 2]| {
            [false, true].into_iter().zip(blocks).any(|(is_added, blocks)| {
                let found = changes.iter().filter(|change| change.0 == is_added);
                let found = found.filter(|change| !common.contains(&(change.0, change.1.clone())));
                found.filter(|change| elements(kind, change).is_some()).count() * 2 > blocks
            })
        };
        let is_counted = |kind: Kind, changes: &[Change], is_rewritten: bool, change: &Change| {
            if common.contains(&(change.0, change.1.clone())) {
                return false;
            }
            if is_rewritten {
                return true;
            }
            let Some(place) = elements(kind, change) else {
                return true;
            };
            let same = changes
                .iter()
                .filter(|other| elements(kind, other) == Some(place));
            usual(place).is_some_and(|(_, most)| same.count() > most)
        };
        let of_pages = changes.iter().zip(&texts).zip(&kinds);
        for ((name, now_known), ((changes, texts), kind)) in known.iter_mut().zip(of_pages) {
            let before = self.pages.get(name).cloned();
            let blocks = [
                before.as_ref().map_or(0, |before| before.counted.len()),
                now_known.counted.len(),
            ];
            let is_rewritten = is_rewritten(*kind, changes, blocks);
            self.rewritten += usize::from(is_rewritten);
            let has_moved = changes
                .iter()
                .any(|change| is_counted(*kind, changes, is_rewritten, change));
            let published = lies
                .stated(name, now, pages.len())
                .filter(|_| lies == Lies::Published);
            now_known.since = match &before {
                None if published.is_some() => published,
                None if !self.has_run => None,
                None => Some(now.to_owned()),
                Some(_) if has_moved => Some(now.to_owned()),
                Some(before) => before.since.clone(),
            };
            if let (true, Some(before)) = (texts.is_empty(), before) {
                *now_known = Known {
                    is_kept: true,
                    ..before
                };
            }
        }
        self.date_lists(&layouts, &shared, &mut known);
        let dates = known
            .iter()
            .map(|(name, page)| (name.clone(), page.since.clone()))
            .collect();
        for (name, before) in &self.pages {
            known.entry(name.clone()).or_insert_with(|| Known {
                is_kept: true,
                ..before.clone()
            });
        }
        (self.pages, self.shared, self.has_run) = (known, shared, true);
        dates
    }

    /// Gives lists of pages the date of their newest page.
    fn date_lists(
        &mut self,
        layouts: &BTreeMap<&str, Layout>,
        shared: &BTreeSet<String>,
        known: &mut BTreeMap<String, Known>,
    ) {
        let mut linking: BTreeMap<String, usize> = BTreeMap::new();
        for (name, layout) in layouts {
            for to in layout.linked(name, layouts) {
                *linking.entry(to).or_default() += 1;
            }
        }
        let is_long = |text: &String| text.chars().filter(|c| c.is_alphanumeric()).count() >= 32;
        let mut lists: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, layout) in layouts {
            // If a page has no texts, its last ones are known.
            let own: Vec<&String> = layout
                .texts
                .iter()
                .filter(|text| !shared.contains(*text) && !known[*name].excerpts.contains(text))
                .collect();
            let is_listed = |to: &String| {
                linking
                    .get(to)
                    .is_some_and(|count| *count < (layouts.len() / 2).max(5))
            };
            let listed: Vec<String> = layout
                .linked(name, layouts)
                .into_iter()
                .filter(is_listed)
                .take(10)
                .collect();
            if !listed.is_empty() && own.len() <= listed.len() && !own.into_iter().any(is_long) {
                lists.insert((*name).to_owned(), listed);
            }
        }
        self.lists += lists.len();
        let is_of_lists = |listed: &Vec<String>| listed.iter().all(|page| lists.contains_key(page));
        let of_pages = lists.iter().filter(|(_, listed)| !is_of_lists(listed));
        for (name, listed) in of_pages.chain(lists.iter().filter(|(_, listed)| is_of_lists(listed))) {
            let counted = listed
                .iter()
                .filter(|page| is_of_lists(listed) || !lists.contains_key(*page));
            let newest = counted.filter_map(|page| known[page].since.clone()).max();
            let before = self.pages.get(name).map(|before| before.since.clone());
            let page = known.get_mut(name).unwrap();
            match before {
                None => page.since = newest.or(page.since.clone()),
                Some(before) => {
                    if listed.len() >= 3 {
                        page.since = before;
                    }
                    page.since = page.since.clone().max(newest);
                }
            }
        }
    }

    fn changes(&self, before: &Known, now: &Known, shared: &BTreeSet<String>) -> Vec<Change> {
        let all = |page: &Known| [page.counted.clone(), page.excerpts.clone()].concat();
        let is_own = |text: &String| !shared.contains(text) && !self.shared.contains(text);
        let added = missing(&all(now), &all(before));
        let removed = missing(&all(before), &all(now));
        let added = added
            .into_iter()
            .filter(|text| now.counted.contains(text) && !before.is_kept);
        let removed = removed.into_iter().filter(|text| before.counted.contains(text));
        let spots = |page: &Known, text: &String| {
            page.spots
                .iter()
                .find(|(own, _)| own == text)
                .map(|(_, spots)| *spots)
        };
        let added: Vec<String> = added.filter(is_own).collect();
        let removed: Vec<String> = removed.filter(is_own).collect();
        let change = |is_added: bool, text: &String| {
            let mask = masked(text);
            let alike = |texts: &[String]| {
                let mut alike: Vec<String> = texts
                    .iter()
                    .filter(|text| masked(text) == mask)
                    .cloned()
                    .collect();
                alike.sort();
                alike.join(", ")
            };
            let (old, new) = (alike(&removed), alike(&added));
            let key = if old.is_empty() || new.is_empty() {
                mask
            } else {
                format!("{old}{BECAME}{new}")
            };
            (is_added, key, spots(if is_added { now } else { before }, text))
        };
        let of_added = added.iter().map(|text| change(true, text));
        of_added
            .chain(removed.iter().map(|text| change(false, text)))
            .collect()
    }
}

/// Returns the changes at places of the template that three quarters of the pages of a kind, or of all, have.
fn common_places(changes: &[Vec<Change>], kinds: &[Kind], is_compared: &[bool]) -> BTreeSet<PlaceChange> {
    if changes.len() < 3 {
        return BTreeSet::new();
    }
    let mut counts: BTreeMap<PlaceChange, usize> = BTreeMap::new();
    for (changes, kind) in changes.iter().zip(kinds) {
        let of_page: BTreeSet<PlaceChange> = changes
            .iter()
            .flat_map(|change| place_changes(*kind, change))
            .collect();
        for change in of_page {
            *counts.entry(change).or_default() += 1;
        }
    }
    let pages = |kind: Option<&str>| {
        let pages = kinds.iter().zip(is_compared);
        pages
            .filter(|(own, is_compared)| **is_compared && kind.is_none_or(|kind| kind == own.0))
            .count()
    };
    let mut found: BTreeSet<PlaceChange> = counts
        .iter()
        .filter(|(change, count)| **count >= 5 && **count * 4 >= pages(change.0) * 3)
        .map(|(change, _)| *change)
        .collect();
    let has = [false, true].map(|is_added| found.iter().any(|change| change.1 == is_added));
    found.extend(counts.iter().filter_map(|(change, count)| {
        let all = pages(change.0);
        (has[usize::from(change.1)] && (2..5).contains(&all) && *count == all).then_some(*change)
    }));
    found
}

/// A site that changes.
struct Changing {
    random: Random,
    pages: Pages,
    gone: Pages,
    texts: usize,
    lies: Lies,
    /// `true` if all excerpts are posts.
    has_posts: bool,
}

impl Changing {
    fn new(seed: u64) -> Self {
        let mut changing = Changing {
            random: Random(seed),
            pages: Pages::new(),
            gone: Pages::new(),
            texts: 0,
            has_posts: seed % 4 == 3,
            lies: Lies::ALL[usize::try_from(seed).unwrap() % Lies::ALL.len()],
        };
        for _ in 0..2 + changing.random.below(35) {
            changing.add();
        }
        // A single page has nothing to be compared with.
        if changing.pages.len() < 8 {
            changing.lies = Lies::None;
        }
        // A list of posts.
        changing
            .pages
            .insert("list.html".to_owned(), vec![Piece::Text("All posts".to_owned())]);
        for _ in 0..3 + changing.random.below(6) {
            changing.add_excerpt("list.html");
        }
        changing
    }

    /// Adds an excerpt of a random page, whole and with its link, or shortened.
    fn add_excerpt(&mut self, page: &str) {
        let other = self.any().unwrap();
        let texts: Vec<String> = self.pages[&other]
            .iter()
            .filter_map(|piece| piece.counted(&other))
            .collect();
        if texts.is_empty() {
            return;
        }
        let text = texts[self.random.below(texts.len())].clone();
        let pieces = if self.has_posts {
            // The post links back directly before its text.
            let of_post = self.pages.get_mut(&other).unwrap();
            let at = of_post
                .iter()
                .position(|piece| piece.counted(&other).is_some_and(|found| found == text));
            let link = Piece::Link {
                to: page.to_owned(),
                text: "All posts".to_owned(),
            };
            of_post.insert(at.unwrap(), link);
            let title = "A post".to_owned();
            vec![Piece::Post {
                to: other,
                title,
                text,
            }]
        } else if self.random.chance(3) {
            let link = Piece::Link {
                to: other,
                text: "Read more".to_owned(),
            };
            vec![Piece::Text(text), link]
        } else {
            self.excerpt(&text, other)
        };
        self.pages.get_mut(page).unwrap().extend(pieces);
    }

    fn text(&mut self) -> String {
        self.texts += 1;
        let letters = |mut n: usize| {
            let mut word = String::new();
            while n > 0 {
                word.push(char::from(b'a' + u8::try_from(n % 26).unwrap()));
                n /= 26;
            }
            word
        };
        let word = letters(self.texts * 7919 + 26);
        let other = letters(self.random.below(4000) + 30);
        match self.random.below(6) {
            0 => format!("{word} costs {} euros", self.random.below(90)),
            1 => format!("The {word} is new"),
            2 => format!("{word} and {other}"),
            // Longer than the compared beginning. Some have the same one.
            3 => format!(
                "A {} shop of fine and useful things has {word} and {other}",
                self.random.below(3)
            ),
            _ => {
                format!("{word} and {other} are, by all that is known of them, the best {other} of the year")
            }
        }
    }

    /// Makes an excerpt of the text, and its link, in one of the forms that sites use.
    fn excerpt(&mut self, text: &str, to: String) -> Vec<Piece> {
        // Anywhere between characters.
        let end = text
            .char_indices()
            .nth(20 + self.random.below(60))
            .map_or(text.len(), |(end, _)| end);
        let text = text[..end].trim_end();
        let link = Piece::Link {
            to: to.clone(),
            text: "Read more".to_owned(),
        };
        match self.random.below(4) {
            0 => vec![link, Piece::Text(format!("{text}…"))],
            1 => vec![Piece::Text(text.to_owned()), link],
            2 => vec![
                Piece::Text(format!("{text} …")),
                Piece::Text("By us".to_owned()),
                link,
            ],
            _ => vec![Piece::More {
                text: text.to_owned(),
                to,
            }],
        }
    }

    /// Gives a text of a page another end, or beginning, and changes all excerpts of it, too.
    fn edit(&mut self, page: &str) {
        let pieces = &self.pages[page];
        let texts: Vec<String> = pieces
            .iter()
            .filter_map(|piece| piece.counted(page))
            .filter(|text| text.len() > 50 && !text.contains("Read more"))
            .collect();
        if texts.is_empty() {
            return;
        }
        let text = &texts[self.random.below(texts.len())];
        let common: String = text.chars().take(20).collect();
        let edit = if self.random.chance(2) { "At last: " } else { "" };
        let end = if self.random.chance(2) { " and more" } else { "" };
        let edited = format!("{edit}{text}{end}");
        for piece in self.pages.values_mut().flatten() {
            match piece {
                Piece::Text(found) | Piece::Post { text: found, .. } if found == text => {
                    found.clone_from(&edited);
                }
                Piece::Text(found) | Piece::More { text: found, .. } if found.starts_with(&common) => {
                    found.insert_str(0, edit);
                }
                _ => {}
            }
        }
    }

    fn add(&mut self) {
        let name = format!("p{}.html", self.texts);
        let mut pieces = vec![
            Piece::Frame("Home".to_owned()),
            Piece::Text("A site of lamps".to_owned()),
        ];
        for _ in 0..self.random.below(5) {
            let text = self.text();
            pieces.push(Piece::Text(text));
        }
        pieces.push(Piece::Text(format!("Seen {} times", self.random.below(50))));
        self.texts += 1;
        self.pages.insert(name, pieces);
    }

    fn any(&mut self) -> Option<String> {
        let names: Vec<&String> = self.pages.keys().collect();
        (!names.is_empty()).then(|| names[self.random.below(names.len())].clone())
    }

    /// Returns a random part of the pages, from one to all.
    fn some(&mut self) -> Vec<String> {
        let one_in = [1, 2, 4, 6, 20][self.random.below(5)];
        let names: Vec<String> = self.pages.keys().cloned().collect();
        names.into_iter().filter(|_| self.random.chance(one_in)).collect()
    }

    #[expect(clippy::too_many_lines, reason = "a list of kinds of changes")]
    fn change(&mut self) {
        let Some(page) = self.any() else { return self.add() };
        match self.random.below(22) {
            18 | 19 => {
                // A redesign: each page gets its own text at the same place, or loses it.
                let is_added = self.random.chance(2);
                let at = self.random.below(3);
                let names: Vec<String> = self.pages.keys().cloned().collect();
                for name in names {
                    let letters =
                        (0..5).map(|_| char::from(b'a' + u8::try_from(self.random.below(26)).unwrap()));
                    let text = format!("By {}", letters.collect::<String>());
                    let is_missing = self.random.chance(10);
                    let pieces = self.pages.get_mut(&name).unwrap();
                    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.starts_with("By ")));
                    if is_added && !is_missing {
                        pieces.insert(at.min(pieces.len()), Piece::Text(text));
                    }
                }
            }
            0 => {
                let pieces = self.pages.remove(&page).unwrap();
                self.gone.insert(page, pieces);
            }
            1 => {
                if let Some((name, pieces)) = self.gone.pop_first() {
                    self.pages.insert(name, pieces);
                }
            }
            2 => self.add(),
            3 => {
                // A new text of a template.
                let text = self.text();
                for name in self.some() {
                    let at = self.random.below(self.pages[&name].len() + 1);
                    self.pages
                        .get_mut(&name)
                        .unwrap()
                        .insert(at, Piece::Text(text.clone()));
                }
            }
            4 => {
                // Numbers that change by themselves.
                for name in self.some() {
                    let seen = format!("Seen {} times", self.random.below(50));
                    for piece in self.pages.get_mut(&name).unwrap() {
                        if matches!(piece, Piece::Text(text) if text.starts_with("Seen")) {
                            *piece = Piece::Text(seen.clone());
                        }
                    }
                }
            }
            20 => {
                // A relaunch, a translation, or the rewriting of a section.
                for name in self.some() {
                    let texts: Vec<String> = (0..6).map(|_| self.text()).collect();
                    let keeps = self.random.below(3);
                    let pieces = self.pages.get_mut(&name).unwrap().iter_mut();
                    let written = pieces.filter_map(|piece| match piece {
                        Piece::Text(text) => Some(text),
                        _ => None,
                    });
                    for (text, new) in written.skip(keeps).zip(texts) {
                        *text = new;
                    }
                }
            }
            21 => {
                // Prices change.
                for name in self.some() {
                    let price = self.random.below(90);
                    for piece in self.pages.get_mut(&name).unwrap() {
                        if let Piece::Text(text) = piece
                            && let Some((start, end)) = text.split_once(" costs ")
                        {
                            let end = end.trim_start_matches(|c: char| c.is_ascii_digit());
                            *text = format!("{start} costs {price}{end}");
                        }
                    }
                }
            }
            5 => self.add_excerpt(&page),
            15 | 16 => self.edit(&page),
            6 => {
                let other = self.any().unwrap();
                let at = self.random.below(self.pages[&page].len() + 1);
                let link = Piece::Link {
                    to: other,
                    text: "See there".to_owned(),
                };
                self.pages.get_mut(&page).unwrap().insert(at, link);
            }
            7 => {
                let text = self.text();
                let piece = if self.random.chance(2) {
                    Piece::Frame(text)
                } else {
                    Piece::Ignored(text)
                };
                for name in self.some() {
                    self.pages.get_mut(&name).unwrap().push(piece.clone());
                }
            }
            8 => {
                // A repeated text, or another order.
                let at = self.random.below(self.pages[&page].len().max(1));
                let pieces = self.pages.get_mut(&page).unwrap();
                if let Some(piece) = pieces.get(at).cloned() {
                    pieces.insert(0, piece);
                }
            }
            9 if self.random.chance(3) => {
                self.pages
                    .get_mut(&page)
                    .unwrap()
                    .retain(|piece| !matches!(piece, Piece::Text(_)));
            }
            11 | 12 => {
                // A text of some pages is added to others: it may now be shared.
                let text = self.pages[&page]
                    .iter()
                    .rfind(|piece| matches!(piece, Piece::Text(_)))
                    .cloned();
                for name in self.some() {
                    let pieces = self.pages.get_mut(&name).unwrap();
                    if text.as_ref().is_some_and(|text| !pieces.contains(text)) {
                        pieces.extend(text.clone());
                    }
                }
            }
            13 => {
                // Several pages disappear, and shared texts may no longer be shared.
                for name in self.some() {
                    if self.pages.len() > 2
                        && let Some(pieces) = self.pages.remove(&name)
                    {
                        self.gone.insert(name, pieces);
                    }
                }
            }
            10 => {
                // A text disappears from many pages.
                let text = self.pages[&page]
                    .iter()
                    .find(|piece| matches!(piece, Piece::Text(_)))
                    .cloned();
                for name in self.some() {
                    self.pages
                        .get_mut(&name)
                        .unwrap()
                        .retain(|piece| Some(piece) != text.as_ref());
                }
            }
            _ => {
                let text = Piece::Text(self.text());
                let at = self.random.below(self.pages[&page].len().max(1));
                if let Some(piece) = self.pages.get_mut(&page).unwrap().get_mut(at) {
                    *piece = text;
                }
            }
        }
    }

    /// Returns the site's files.
    fn files(&mut self, now: &str) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        for (name, pieces) in &self.pages {
            let stated = self.lies.stated(name, now, self.pages.len());
            files.insert(name.clone(), render(pieces, stated.as_deref(), &mut self.random));
        }
        files
    }
}

fn rounds() -> u64 {
    std::env::var("SITEMAP_ROUNDS")
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(1)
}

#[test]
fn the_dates_are_those_of_the_rule() {
    let mut outcomes: HashMap<&str, usize> = HashMap::new();
    let (mut cut, mut at_places, mut lists, mut rewritten, mut renumbered) = (0, 0, 0, 0, 0);
    let mut lies: HashMap<Lies, usize> = HashMap::new();
    for seed in 0..30 * rounds() {
        let mut changing = Changing::new(seed);
        *lies.entry(changing.lies).or_default() += 1;
        let mut oracle = Oracle::default();
        let mut ledger = Ledger::new();
        let (site, mut written) = (Site::new(&[]), BTreeMap::new());
        for run in 0..6 {
            let now = format!("2026-05-{:02}", run + 1);
            let files = changing.files(&now);
            site.replace(&written, &files);
            written = files;
            if changing.pages.is_empty() {
                break;
            }
            let expected = oracle.run(&changing.pages, changing.lies, &now);
            let mut builder: FolderBuilder = builder();
            builder.ignore(".views").now(now.parse().unwrap()).ledger(ledger);
            let folder = builder.read(site.path()).unwrap();
            let dates: BTreeMap<String, Option<String>> = folder
                .pages()
                .iter()
                .map(|page| {
                    (
                        page.file().to_owned(),
                        page.lastmod().map(|date| date.to_string()),
                    )
                })
                .collect();
            assert_eq!(dates, expected, "seed {seed}, run {run}, {:?}", changing.lies);
            for date in dates.values() {
                let outcome = match date {
                    None => "none",
                    Some(date) if *date == now => "this run",
                    Some(_) => "earlier",
                };
                *outcomes.entry(outcome).or_default() += 1;
            }
            // The written ledger has all that is known.
            ledger = Ledger::parse(&folder.ledger().to_string()).unwrap();
            assert_eq!(&ledger, folder.ledger(), "seed {seed}, run {run}");
            for _ in 0..changing.random.below(5) {
                changing.change();
            }
        }
        cut += oracle.cut;
        at_places += oracle.at_places;
        lists += oracle.lists;
        rewritten += oracle.rewritten;
        renumbered += oracle.renumbered;
    }
    assert!(
        cut > 30 && at_places > 20 && lists > 60 && rewritten > 5 && renumbered > 20,
        "{cut} {at_places} {lists} {rewritten} {renumbered}"
    );
    assert!(Lies::ALL.iter().all(|lie| lies[lie] > 1), "{lies:?}");
    // All kinds of dates have been compared.
    for outcome in ["none", "this run", "earlier"] {
        assert!(outcomes[outcome] > 100, "{outcomes:?}");
    }
}

/// Edits of templates on at least a fifth of the pages, and on five at least, move none. Distinct texts move exactly their pages.
#[test]
fn templates_move_none_and_contents_exactly_their_pages() {
    for seed in 0..8 * rounds() {
        let mut random = Random(seed);
        let count = 20 + random.below(60);
        let site = Site::new(&[]);
        let mut contents: Vec<Vec<String>> = (0..count)
            .map(|page| {
                (0..=random.below(6))
                    .map(|i| format!("Page {page}: text {i} of {}", page * 31 + i))
                    .collect()
            })
            .collect();
        let mut templates: Vec<(usize, String)> = Vec::new();
        for template in 0..4 {
            let least = count.div_ceil(5).max(5);
            templates.push((
                least + random.below(count - least + 1),
                format!("Template {}", "abcd".chars().nth(template).unwrap()),
            ));
        }
        let mut expected: BTreeSet<String> = BTreeSet::new();
        let mut ledger = Ledger::new();
        for run in 0..5 {
            for (page, texts) in contents.iter().enumerate() {
                let own = texts
                    .iter()
                    .map(|text| format!("<p>{text}</p>"))
                    .collect::<Vec<_>>()
                    .concat();
                let around = templates
                    .iter()
                    .filter(|(of, _)| page < *of)
                    .map(|(_, text)| format!("<p>{text}</p>"))
                    .collect::<Vec<_>>()
                    .concat();
                site.write(
                    &format!("p{page}.html"),
                    format!("<body><nav>{}</nav>{around}<main>{own}</main>", count + run),
                );
            }
            let now = format!("2026-05-{:02}", run + 1).parse().unwrap();
            let folder = builder().now(now).ledger(ledger).read(site.path()).unwrap();
            let moved = folder.pages().iter().filter(|page| page.lastmod() == Some(now));
            let moved: BTreeSet<String> = moved.map(|page| page.file().to_owned()).collect();
            ledger = folder.ledger().clone();
            assert_eq!(moved, expected, "seed {seed}, run {run}");
            expected.clear();
            for _ in 0..random.below(3) {
                let template = random.below(templates.len());
                templates[template].1 =
                    format!("Template of run {run}, {}", "xyz".repeat(1 + random.below(9)));
            }
            // Fewer than a fifth of the pages, so that no two changes are the same change.
            for _ in 0..random.below(4) {
                let page = random.below(count);
                let text = random.below(contents[page].len());
                let word: String = (0..8)
                    .map(|_| char::from(b'a' + u8::try_from(random.below(26)).unwrap()))
                    .collect();
                contents[page][text] = format!("Now about {word} of {word}");
                expected.insert(format!("p{page}.html"));
            }
        }
    }
}

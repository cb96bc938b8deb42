//! `sitemap diff` and `submit` of sides that cannot be read whole: no page is removed or announced by damage, and the status says so.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::folder::{CORE, Folder};

const SITE: &str = "https://example.com";

/// Numbers of pages, with what their entries say.
type Pages = BTreeMap<u64, u64>;

/// A sequence of numbers that is the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// What becomes of an entry or of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Damage {
    None,
    Entry,
    Document,
}

fn entry(page: u64, says: u64) -> String {
    format!(
        "<url><loc>{SITE}/{page}</loc><lastmod>2026-05-0{}</lastmod></url>\n",
        says + 1
    )
}

/// An entry of the page that cannot be read.
fn damaged(page: u64, random: &mut Random) -> String {
    let loc = format!("<loc>{SITE}/{page}</loc>");
    match random.below(5) {
        0 => format!("<url>{loc}{loc}</url>\n"),
        1 => format!("<url><lok>{SITE}/{page}</lok></url>\n"),
        2 => "<url><lastmod>2026-05-01</lastmod></url>\n".to_owned(),
        3 => format!("<url><loc>{SITE}/<b>{page}</b></loc></url>\n"),
        _ => "<url><loc/></url>\n".to_owned(),
    }
}

/// A side as a document: sorted or not, as XML or, if its entries need not say anything, as text.
fn side(pages: &Pages, damage: Damage, is_text: bool, random: &mut Random) -> (&'static str, String) {
    let mut numbers: Vec<u64> = pages.keys().copied().collect();
    if random.below(2) == 0 {
        numbers.reverse();
    }
    // The pages 8 and 9 are in every side.
    let broken = Some(random.below(10))
        .filter(|page| pages.contains_key(page))
        .unwrap_or(9);
    let broken = Some(broken).filter(|_| damage == Damage::Entry);
    if is_text {
        let line = |page: &u64| {
            let bad = broken == Some(*page);
            format!("{}/{page}\n", if bad { "https:/ /example.com" } else { SITE })
        };
        return ("txt", numbers.iter().map(line).collect());
    }
    let entries: Vec<String> = numbers
        .iter()
        .map(|page| match broken {
            Some(broken) if broken == *page => damaged(*page, random),
            _ => entry(*page, pages[page]),
        })
        .collect();
    let end = if damage == Damage::Document {
        "<url>"
    } else {
        "</urlset>\n"
    };
    (
        "xml",
        format!("<urlset xmlns=\"{CORE}\">\n{}{end}", entries.concat()),
    )
}

/// The pages of each mark in the text of `diff`.
fn marked(printed: &str, mark: char) -> BTreeSet<u64> {
    let lines = printed.lines().filter_map(|line| line.strip_prefix(mark));
    lines.map(page).collect()
}

fn page(text: &str) -> u64 {
    let path = text.trim().strip_prefix(SITE).unwrap().trim_start_matches('/');
    path.split(' ').next().unwrap().parse().unwrap()
}

fn announced(printed: &str) -> BTreeSet<u64> {
    let orders = printed
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    orders
        .flat_map(|order| order["urlList"].as_array().unwrap().clone())
        .map(|url| page(url.as_str().unwrap()))
        .collect()
}

/// A pair of sides that may be damaged, and what would be true of them if they were not.
struct Pair {
    old: Pages,
    new: Pages,
    damage: [Damage; 2],
    folder: Folder,
    names: [String; 2],
}

impl Pair {
    fn of(seed: u64) -> Self {
        let random = &mut Random(seed);
        let is_text = seed % 5 == 4;
        let mut pages = || -> Pages {
            let some = (0..8).filter_map(|page| {
                let says = if is_text { 0 } else { random.below(2) };
                (random.below(3) > 0).then_some((page, says))
            });
            some.chain([(8, 0), (9, 0)]).collect()
        };
        let (old, new) = (pages(), pages());
        let damage = [seed / 3 % 2, seed % 2].map(|kind| match kind {
            0 => Damage::None,
            _ if !is_text && seed.is_multiple_of(4) => Damage::Document,
            _ => Damage::Entry,
        });
        let folder = Folder::empty();
        let mut written = |name: &str, pages: &Pages, damage| {
            let (kind, text) = side(pages, damage, is_text, random);
            let name = format!("{name}.{kind}");
            folder.write(&name, text);
            name
        };
        let names = [written("old", &old, damage[0]), written("new", &new, damage[1])];
        Pair {
            old,
            new,
            damage,
            folder,
            names,
        }
    }

    fn is_whole(&self) -> bool {
        self.damage == [Damage::None; 2]
    }

    /// Runs a command, whose status says whether something could not be read.
    fn run(&self, command: &str, rest: &[&str]) -> (i32, String) {
        let [old, new] = &self.names;
        let (status, printed, said) = self.folder.run(&[&[command, old, new], rest].concat());
        let expected = match () {
            () if self.damage.contains(&Damage::Document) => 2,
            () if self.damage.contains(&Damage::Entry) => 1,
            // What changed counts.
            () => status.min(1),
        };
        assert_eq!(status, expected, "{command} {rest:?}: {said}");
        assert_eq!(
            said.contains("could not be read"),
            !self.is_whole() && status == 1
        );
        (status, printed)
    }

    /// The pages that were removed (-), added (+) or changed (~).
    fn changes(&self, mark: char) -> BTreeSet<u64> {
        let (of, other) = if mark == '-' {
            (&self.old, &self.new)
        } else {
            (&self.new, &self.old)
        };
        let is_changed = |page: &u64, says: &u64| match other.get(page) {
            Some(others) => mark == '~' && others != says,
            None => mark != '~',
        };
        let changed = of.iter().filter(|(page, says)| is_changed(page, says));
        changed.map(|(page, _)| *page).collect()
    }

    fn check_diff(&self) -> String {
        let (status, printed) = self.run("diff", &[]);
        let removed = marked(&printed, '-');
        if self.damage[1] == Damage::None {
            // What cannot be read of the old side may have been removed.
            assert!(removed.is_subset(&self.changes('-')), "{printed}");
        } else {
            assert_eq!(removed, BTreeSet::new());
        }
        if self.is_whole() {
            for mark in ['-', '+', '~'] {
                assert_eq!(marked(&printed, mark), self.changes(mark));
            }
            assert_eq!(status, i32::from(!printed.is_empty()));
        }
        for (kind, mark) in [("removed", '-'), ("changed", '~'), ("added", '+')] {
            let (status, of_gate) = self.run("diff", &["--fail-on", kind]);
            assert_eq!(of_gate, printed);
            assert!(!self.is_whole() || status == i32::from(!self.changes(mark).is_empty()));
        }
        printed
    }

    fn check_submit(&self) {
        let (status, printed) = self.run("submit", &["--key", "0123456789abcdef", "--dry-run"]);
        let announced = announced(&printed);
        let changes: BTreeSet<u64> = ['-', '+', '~']
            .iter()
            .flat_map(|mark| self.changes(*mark))
            .collect();
        if self.is_whole() {
            assert_eq!((status, announced), (0, changes));
        } else if self.damage == [Damage::Entry, Damage::None] {
            // A page that cannot be read in the old side is announced if it is listed.
            assert!(announced.is_superset(&self.changes('+')) && announced.is_superset(&self.changes('~')));
            assert!(
                announced
                    .iter()
                    .all(|page| self.new.contains_key(page) || changes.contains(page))
            );
        } else {
            assert_eq!(announced, BTreeSet::new());
        }
    }
}

#[test]
fn damage_removes_and_announces_nothing() {
    let (mut missing, mut removed) = (0, 0);
    for seed in 0..60 {
        let pair = Pair::of(seed);
        let [old, new] = pair.names.each_ref().map(|name| pair.folder.read(name));
        println!("seed {seed}\n{old}\n{new}");
        let printed = pair.check_diff();
        pair.check_submit();
        missing += marked(&printed, '?').len();
        removed += marked(&printed, '-').len();
    }
    assert!(missing > 20 && removed > 20, "{missing} {removed}");
}

//! `sitemap diff` and `submit` of damaged sides: damage never removes or announces a page, and the exit status reports it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sitemap_tests::rounds;

use crate::folder::{CORE, Folder, gzipped};

const SITE: &str = "https://example.com";

/// Page numbers, with the content of their entries.
type Pages = BTreeMap<u64, u64>;

/// A deterministic random number generator.
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

/// The damage to an entry or a document.
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

/// An unreadable entry for the page.
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

/// The format of a side. Text has no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Xml,
    Compressed,
    /// An index and two parts, one of them compressed.
    Folder,
}

/// Writes a side, sorted or shuffled. Returns its name.
fn write_side(
    folder: &Folder,
    name: &str,
    pages: &Pages,
    damage: Damage,
    form: Form,
    random: &mut Random,
) -> String {
    // Pages 8 and 9 are in every side.
    let broken = Some(random.below(10)).filter(|page| pages.contains_key(page));
    let broken = Some(broken.unwrap_or(9)).filter(|_| damage == Damage::Entry);
    let mut entries: Vec<String> = pages
        .iter()
        .map(|(page, says)| match (form, broken == Some(*page)) {
            (Form::Text, false) => format!("{SITE}/{page}\n"),
            (Form::Text, true) => format!("https:/ /example.com/{page}\n"),
            (_, false) => entry(*page, *says),
            (_, true) => damaged(*page, random),
        })
        .collect();
    if random.below(2) == 0 {
        entries.reverse();
    }
    let is_cut = damage == Damage::Document;
    let document = |entries: &[String], is_cut: bool| {
        let end = if is_cut { "<url>" } else { "</urlset>\n" };
        format!("<urlset xmlns=\"{CORE}\">\n{}{end}", entries.concat())
    };
    let compressed = |entries: &[String]| {
        let mut bytes = gzipped(&document(entries, false));
        bytes.truncate(bytes.len() - if is_cut { 9 } else { 0 });
        bytes
    };
    match form {
        Form::Text => {
            folder.write(&format!("{name}.txt"), entries.concat());
            format!("{name}.txt")
        }
        Form::Xml => {
            folder.write(&format!("{name}.xml"), document(&entries, is_cut));
            format!("{name}.xml")
        }
        Form::Compressed => {
            folder.write(&format!("{name}.xml.gz"), compressed(&entries));
            format!("{name}.xml.gz")
        }
        Form::Folder => {
            let (first, second) = entries.split_at(entries.len() / 2);
            folder.write(&format!("{name}/1.xml"), document(first, false));
            folder.write(&format!("{name}/2.xml.gz"), compressed(second));
            let listed =
                ["1.xml", "2.xml.gz"].map(|part| format!("<sitemap><loc>{SITE}/{part}</loc></sitemap>"));
            let index = format!(
                "<sitemapindex xmlns=\"{CORE}\">{}</sitemapindex>",
                listed.concat()
            );
            folder.write(&format!("{name}/index.xml"), index);
            name.to_owned()
        }
    }
}

/// The pages with each mark in the text output of `diff`.
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

/// Two sides that may be damaged, with the pages that they would have undamaged.
struct Pair {
    old: Pages,
    new: Pages,
    damage: [Damage; 2],
    form: Form,
    folder: Folder,
    names: [String; 2],
}

impl Pair {
    fn of(seed: u64) -> Self {
        let random = &mut Random(seed);
        let form = match random.below(4) {
            0 => Form::Text,
            1 => Form::Xml,
            2 => Form::Compressed,
            _ => Form::Folder,
        };
        let is_text = form == Form::Text;
        let mut pages = || -> Pages {
            let some = (0..8).filter_map(|page| {
                let says = if is_text { 0 } else { random.below(2) };
                (random.below(3) > 0).then_some((page, says))
            });
            some.chain([(8, 0), (9, 0)]).collect()
        };
        let (old, new) = (pages(), pages());
        let mut damage = || match random.below(5) {
            0 | 1 => Damage::None,
            2 if !is_text => Damage::Document,
            _ => Damage::Entry,
        };
        let damage = [damage(), damage()];
        let folder = Folder::empty();
        let mut written = |name, pages, damage| write_side(&folder, name, pages, damage, form, random);
        let names = [written("old", &old, damage[0]), written("new", &new, damage[1])];
        Pair {
            old,
            new,
            damage,
            form,
            folder,
            names,
        }
    }

    fn is_whole(&self) -> bool {
        self.damage == [Damage::None; 2]
    }

    /// Runs a command. Asserts that its status reports unreadable input.
    fn run(&self, command: &str, rest: &[&str]) -> (i32, String) {
        let [old, new] = &self.names;
        let (status, printed, said) = self.folder.run(&[&[command, old, new], rest].concat());
        let expected = match () {
            () if self.damage.contains(&Damage::Document) => 2,
            () if self.damage.contains(&Damage::Entry) => 1,
            // 0, or 1 if pages changed.
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
            // An unreadable entry in the old side may hide a removed page.
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
            // A page that is unreadable in the old side is announced if the new side lists it.
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
    let pairs = rounds(80);
    for seed in 0..pairs as u64 {
        let pair = Pair::of(seed);
        // Printed if a check fails.
        println!(
            "{seed}: {:?} {:?}\n{:?}\n{:?}",
            pair.form, pair.damage, pair.old, pair.new
        );
        let printed = pair.check_diff();
        pair.check_submit();
        missing += marked(&printed, '?').len();
        removed += marked(&printed, '-').len();
    }
    assert!(missing > pairs / 4 && removed > pairs / 8, "{missing} {removed}");
}

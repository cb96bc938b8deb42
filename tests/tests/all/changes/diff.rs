//! Differences between two sitemaps, compared with whole sets in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::slice;

use sitemap_serde::ErrorKind;
use sitemap_serde::diff::{Change, Diff, Input, Summary};
use sitemap_tests::{Random, urlset};

type Pages = Vec<(usize, usize)>;

fn entry((page, says): (usize, usize)) -> String {
    let says = match says {
        0 => String::new(),
        1 => "<priority>0.5</priority>".to_owned(),
        says => format!("<priority>0.5</priority><lastmod>2026-05-{says:02}</lastmod>"),
    };
    format!("<url>{says}<loc>https://example.com/{page:03}</loc></url>")
}

fn document(pages: &[(usize, usize)]) -> String {
    let entries: Vec<_> = pages.iter().map(|page| entry(*page)).collect();
    urlset(&entries.concat())
}

fn run(diff: &Diff, old: &[String], new: &[String]) -> (Summary, BTreeSet<String>) {
    let documents = |texts: &'_ [String]| {
        let document = |text: &String| {
            let bytes = text.clone().into_bytes();
            Input::new("a document", move || Ok(std::io::Cursor::new(bytes.clone())))
        };
        texts.iter().map(document).collect::<Vec<_>>()
    };
    let mut changes = BTreeSet::new();
    let summary = diff
        .run(&mut documents(old), &mut documents(new), |change: Change| {
            assert!(changes.insert(change.to_string()), "{change} is told twice");
            Ok(())
        })
        .unwrap();
    (summary, changes)
}

fn says(says: usize) -> [(&'static str, Option<String>); 2] {
    [
        ("lastmod", (says > 1).then(|| format!("2026-05-{says:02}"))),
        ("priority", (says > 0).then(|| "0.5".to_owned())),
    ]
}

/// The expected changes, by the first entry of each page, if the new side is read completely.
fn expected(old: &Pages, new: &Pages) -> BTreeSet<String> {
    let first = |pages: &Pages| {
        let mut map = BTreeMap::new();
        for (page, says) in pages {
            map.entry(*page).or_insert(*says);
        }
        map
    };
    let (old, new) = (first(old), first(new));
    let mut told = BTreeSet::new();
    for page in old.keys().chain(new.keys()) {
        let loc = format!("https://example.com/{page:03}");
        told.insert(match (old.get(page), new.get(page)) {
            (Some(_), None) => format!("- {loc}"),
            (None, _) => format!("+ {loc}"),
            (Some(before), Some(after)) if before == after => continue,
            (Some(before), Some(after)) => {
                let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "(none)".to_owned());
                let fields: Vec<_> = says(*before)
                    .iter()
                    .zip(says(*after))
                    .filter(|((_, before), (_, after))| before != after)
                    .map(|((name, before), (_, after))| {
                        format!(" {name}: {} -> {}", text(before), text(&after))
                    })
                    .collect();
                format!("~ {loc}{}", fields.join(","))
            }
        });
    }
    told
}

#[test]
fn pages_in_any_order_and_in_any_number_of_documents() {
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let is_sorted = seed % 2 == 0;
        let side = |random: &mut Random| -> Pages {
            let mut pages: Pages = (0..random.below(30))
                .map(|_| (random.below(40), random.below(4)))
                .collect();
            if is_sorted {
                pages.sort_unstable();
                pages.dedup_by_key(|(page, _)| *page);
            }
            pages
        };
        let (old, new) = (side(random), side(random));
        let parts = |pages: &Pages, random: &mut Random| -> Vec<String> {
            pages.chunks(1 + random.below(20)).map(document).collect()
        };
        let (old_parts, new_parts) = (parts(&old, random), parts(&new, random));
        let (summary, told) = run(&Diff::new(), &old_parts, &new_parts);
        assert_eq!(told, expected(&old, &new), "{old:?} {new:?}");
        let count = |mark: &str| told.iter().filter(|line| line.starts_with(mark)).count() as u64;
        assert_eq!(
            (summary.added, summary.removed, summary.changed),
            (count("+"), count("-"), count("~"))
        );
        let entries = (old.len() + new.len()) as u64;
        assert_eq!(
            summary.added + summary.removed + 2 * (summary.changed + summary.same) + summary.repeated,
            entries
        );
        assert!(summary.is_whole());
    }
}

/// Unreadable entries on both sides or on one: a page only counts as removed if all of the new side is read.
#[test]
fn nothing_is_removed_by_damage() {
    let damage = [
        "<url/>",
        "<url><loc/></url>",
        "<url><loc>https://example.com/000</loc><loc>https://example.com/001</loc></url>",
        "<url><lastmod>2026-05-01</lastmod></url>",
    ];
    let (mut removed, mut missing) = (0, 0);
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let mut side = |damaged: bool| {
            let mut pages: Pages = (0..random.below(12))
                .map(|_| (random.below(15), random.below(4)))
                .collect();
            if seed % 3 == 0 {
                pages.sort_unstable();
                pages.dedup_by_key(|(page, _)| *page);
            }
            let mut entries: Vec<String> = pages.iter().map(|page| entry(*page)).collect();
            let unread = if damaged { random.below(3) } else { 0 };
            for _ in 0..unread {
                let at = random.below(entries.len() + 1);
                entries.insert(at, damage[random.below(damage.len())].to_owned());
            }
            (pages, urlset(&entries.concat()), unread as u64)
        };
        let (old, old_text, unread_old) = side(seed % 2 == 0);
        let (new, new_text, unread_new) = side(seed % 4 < 2);
        let (summary, told) = run(
            &Diff::new(),
            slice::from_ref(&old_text),
            slice::from_ref(&new_text),
        );
        let unsure = |line: String| {
            if unread_new > 0 {
                line.replacen("- ", "? ", usize::from(line.starts_with('-')))
            } else {
                line
            }
        };
        let expected: BTreeSet<String> = expected(&old, &new).into_iter().map(unsure).collect();
        assert_eq!(told, expected, "{old_text} {new_text}");
        let count = |mark: char| told.iter().filter(|line| line.starts_with(mark)).count() as u64;
        assert_eq!((summary.removed, summary.missing), (count('-'), count('?')));
        assert_eq!((summary.unread_old, summary.unread_new), (unread_old, unread_new));
        assert_eq!(summary.is_whole(), unread_old + unread_new == 0);
        assert_eq!(summary.is_empty(), told.is_empty());
        removed += summary.removed;
        missing += summary.missing;
    }
    assert!(removed > 100 && missing > 100, "{removed} {missing}");
}

#[test]
fn invalid_entries_are_counted_and_malformed_documents_are_errors() {
    let broken = urlset("<url/><url><loc>https://example.com/</loc></url><url><loc/></url>");
    let good = urlset("<url><loc>https://example.com/</loc></url>");
    let (summary, told) = run(&Diff::new(), slice::from_ref(&broken), &[good]);
    assert_eq!((summary.same, summary.unread_old, told.len()), (1, 2, 0));
    let cut = broken.replace("</urlset>", "");
    let error = Diff::new()
        .run(
            &mut [Input::from_slice("old.xml", cut.as_bytes())],
            &mut [],
            |_| Ok(()),
        )
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Eof);
    assert_eq!(error.document(), Some("old.xml"));
    // The error has the name of the unreadable document.
    let good = urlset("<url><loc>https://example.com/</loc></url>");
    for (old, new, document) in [(&cut, &good, "old.xml"), (&good, &cut, "new.xml")] {
        let mut sides = [("old.xml", old), ("new.xml", new)]
            .map(|(name, text)| [Input::from_slice(name, text.as_bytes())]);
        let [old, new] = &mut sides;
        let error = Diff::new().run(old, new, |_| Ok(())).unwrap_err();
        assert_eq!(error.document(), Some(document));
        assert!(
            error
                .to_string()
                .starts_with(&format!("{document}: the document ends inside `urlset`")),
            "{error}"
        );
    }
    let error = Diff::new()
        .run(
            &mut [],
            &mut [Input::new("gone.xml", || {
                Err::<&[u8], _>(std::io::ErrorKind::NotFound.into())
            })],
            |_| Ok(()),
        )
        .unwrap_err();
    assert_eq!(error.to_string(), "cannot open gone.xml: entity not found");
}

//! Changes are announced exactly once, even if programs are killed between the commit and the announcement.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;

use sitemap_serde::diff::Change;
use sitemap_site::storage::Storage;
use sitemap_site::{ErrorKind, SitemapSet, Unannounced};

use crate::sets::pages::{BASE, Page, folder, small, small_set, tree};
use crate::sets::storage::Store;

/// The pages of a set, each with its day.
type Pages = BTreeMap<i64, Option<u8>>;

fn publish(set: &SitemapSet, pages: &Pages) {
    let mut writer = set.task_writer("p", "all").unwrap();
    for (&id, &day) in pages {
        writer.write(id, &Page { id, day }).unwrap();
    }
    set.commit(writer.finish().unwrap()).unwrap();
}

fn compared(set: &SitemapSet) -> (BTreeSet<String>, Unannounced) {
    let mut changes = BTreeSet::new();
    let unannounced = set.unannounced(|change| {
        let (sign, loc) = match &change {
            Change::Added { loc, .. } => ('+', loc),
            Change::Removed { loc } => ('-', loc),
            Change::Changed { loc, .. } => ('~', loc),
            Change::Missing { loc } => ('?', loc),
            _ => unreachable!("{change:?}"),
        };
        assert!(changes.insert(format!("{sign}{}", loc.strip_prefix(BASE).unwrap())));
        Ok(())
    });
    (changes, unannounced.unwrap())
}

fn expected(old: &Pages, new: &Pages) -> BTreeSet<String> {
    let ids: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    let change = |id| match (old.get(id), new.get(id)) {
        (None, Some(_)) => Some(format!("+/p/{id}")),
        (Some(_), None) => Some(format!("-/p/{id}")),
        (old, new) if old != new => Some(format!("~/p/{id}")),
        _ => None,
    };
    ids.into_iter().filter_map(change).collect()
}

/// Random runs: each may commit, may compare, and is killed before or after it announced.
#[test]
fn no_change_is_lost_and_none_is_announced_twice() {
    for seed in 0..24_u64 {
        let mut state = seed + 1;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let folder = folder();
        let root = folder.path().join("set");
        let store = Store::default();
        let open = || match seed % 3 {
            0 => small(&root).grace(Duration::ZERO).open(),
            1 => small_set(&root, true).grace(Duration::ZERO).gzip(6).open(),
            _ => SitemapSet::storage(store.clone(), BASE)
                .max_entries(10)
                .allow_shrinking(true)
                .grace(Duration::ZERO)
                .open(),
        };
        let (mut published, mut announced) = (Pages::new(), Pages::new());
        let mut has_announced = false;
        for run in 0..12 {
            // Each run is another process.
            let set = open().unwrap();
            if run == 0 || random(3) > 0 {
                for _ in 0..=random(8) {
                    let id = i64::try_from(random(40)).unwrap();
                    match random(3) {
                        0 => drop(published.remove(&id)),
                        _ => drop(published.insert(id, Some(u8::try_from(random(28) + 1).unwrap()))),
                    }
                }
                published.entry(99).or_default();
                publish(&set, &published);
            }
            let (changes, unannounced) = compared(&set);
            assert_eq!(
                changes,
                expected(&announced, &published),
                "seed {seed}, run {run}"
            );
            let compared_with = published.clone();
            if random(3) == 0 {
                published.insert(100 + run, None);
                publish(&set, &published);
            }
            if random(2) == 0 {
                unannounced.mark_announced().unwrap();
                announced = compared_with;
                has_announced = true;
            }
        }
        assert!(has_announced, "{seed}");
    }
}

/// After any number of comparisons and commits, the disk has only one more set, and none of it is public.
#[test]
fn one_set_is_kept() {
    for in_place in [false, true] {
        let folder = folder();
        let root = folder.path().join("set");
        let set = small_set(&root, in_place).open().unwrap();
        let state = if in_place { ".sitemap" } else { "state" };
        for day in 1..6 {
            publish(&set, &(1..=25).map(|id| (id, Some(day))).collect());
            let (changes, unannounced) = compared(&set);
            assert_eq!(changes.len(), 25);
            unannounced.mark_announced().unwrap();
        }
        let kept = tree(&root.join(state));
        let kept: Vec<_> = kept.iter().filter(|name| name.starts_with("announced")).collect();
        assert_eq!(kept.len(), 4, "{kept:?}");
        assert_eq!(kept[0], "announced");
        assert!(
            kept[1].starts_with("announced-5-") && kept[1].ends_with("/sitemap-p-1.xml"),
            "{kept:?}"
        );
    }
}

/// If nothing is ever marked, only the last compared set and the announced one stay.
#[test]
fn what_is_never_announced_is_not_kept() {
    for pages in [25, 1] {
        let folder = folder();
        let root = folder.path().join("set");
        let store = Store::default();
        let sets = [
            small(&root).open().unwrap(),
            SitemapSet::storage(store.clone(), BASE).open().unwrap(),
        ];
        for set in &sets {
            let publish_day = |day| publish(set, &(1..=pages).map(|id| (id, Some(day))).collect());
            publish_day(1);
            compared(set).1.mark_announced().unwrap();
            let mut first = None;
            for day in 2..=10 {
                publish_day(day);
                let (changes, unannounced) = compared(set);
                assert_eq!(i64::try_from(changes.len()), Ok(pages));
                first.get_or_insert(unannounced);
            }
            let error = first.unwrap().mark_announced().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Conflict);
            // The last compared set still exists.
            publish_day(11);
            compared(set).1.mark_announced().unwrap();
        }
        let kept = tree(&root.join("state"));
        let kept = kept.iter().filter_map(|name| name.split_once('/'));
        let kept: BTreeSet<_> = kept
            .map(|(folder, _)| folder)
            .filter(|name| name.starts_with("announced"))
            .collect();
        assert_eq!(kept.len(), 1, "{kept:?}");
        let kept = store.list(".sitemap/announced-").unwrap();
        assert_eq!(kept.len(), 1, "{kept:?}");
    }
}

#[test]
fn what_was_kept_and_is_gone() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = small(&root).open().unwrap();
    let error = set.unannounced(|_| Ok(())).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (
            ErrorKind::Io,
            "nothing is published: there is no sitemap.xml with a manifest"
        )
    );
    publish(&set, &[(1, None)].into());
    let (_, other) = compared(&set);
    compared(&set).1.mark_announced().unwrap();
    // It is the same set.
    other.mark_announced().unwrap();

    publish(&set, &[(2, None)].into());
    let (_, old) = compared(&set);
    publish(&set, &[(3, None)].into());
    compared(&set).1.mark_announced().unwrap();
    let error = old.mark_announced().unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (
            ErrorKind::Conflict,
            "another program has compared or announced another set in the meantime: compare and announce again"
        )
    );

    let record = root.join("state/announced");
    let name = fs::read_to_string(&record).unwrap();
    let kept = root.join("state").join(name.trim());
    fs::remove_dir_all(&kept).unwrap();
    publish(&set, &[(4, None)].into());
    let refused = |why: &str| {
        let error = set.unannounced(|_| Ok(())).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (
                ErrorKind::Damaged,
                format!(
                    "the files of the set that was announced last are gone ({why}): remove {}, and all pages count as new",
                    record.display()
                )
            )
        );
    };
    refused(&format!("there is no {}", kept.display()));
    for damaged in ["", "../../etc\n", "announced-/x"] {
        fs::write(&record, damaged).unwrap();
        refused("the record is damaged");
    }
    fs::remove_file(&record).unwrap();
    assert_eq!(compared(&set).0, ["+/p/4".to_owned()].into());
}

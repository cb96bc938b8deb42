//! Parts keep their shape while rows are added and removed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proptest::prelude::*;
use sitemap_site::{PartList, SitemapSet};
use sitemap_tests::Random;

use crate::sets::pages::{folder, page, parts, small, state, write};

/// The names of the files that differ in content, time or inode.
fn changed(
    before: &BTreeMap<String, (Vec<i64>, (std::time::SystemTime, u64))>,
    folder: &Path,
) -> BTreeSet<String> {
    let after = states(folder);
    let names: BTreeSet<_> = before.keys().chain(after.keys()).cloned().collect();
    names
        .into_iter()
        .filter(|name| before.get(name) != after.get(name))
        .collect()
}

fn states(folder: &Path) -> BTreeMap<String, (Vec<i64>, (std::time::SystemTime, u64))> {
    parts(folder)
        .into_iter()
        .map(|(name, ids)| {
            let state = state(&folder.join(&name));
            (name, (ids, state))
        })
        .collect()
}

/// Rows without keys.
fn write_by_loc(set: &SitemapSet, ids: impl IntoIterator<Item = i64>) -> PartList {
    let mut writer = set.task_writer("p", "all").unwrap();
    for id in ids {
        writer.write(None, &page(id)).unwrap();
    }
    writer.finish().unwrap()
}

/// Rows with keys whose order only the database knows.
fn write_by_text(set: &SitemapSet, ids: impl IntoIterator<Item = i64>) -> PartList {
    let mut writer = set.task_writer("p", "all").unwrap();
    for id in ids {
        writer
            .write(format!("{:x}", id * 7919 % 10_007), &page(id))
            .unwrap();
    }
    writer.finish().unwrap()
}

type Write = fn(&SitemapSet, Vec<i64>) -> PartList;

const WAYS: [Write; 3] = [
    |set, ids| write(set, "p", "all", ids),
    |set, ids| write_by_loc(set, ids),
    |set, ids| write_by_text(set, ids),
];

#[test]
fn row_17_comes_and_goes() {
    for write in WAYS {
        let folder = folder();
        let root = folder.path().join("set");
        let current = root.join("current");
        let even: Vec<i64> = (1..=300).map(|id| id * 2).collect();
        let with = |extra: &[i64]| {
            let mut ids = [&even, extra].concat();
            ids.sort_unstable();
            ids
        };
        let set = small(&root).open().unwrap();
        set.commit(&[write(&set, even.clone())]).unwrap();
        let before = states(&current);
        assert_eq!(before.len(), 30);

        set.commit(&[write(&set, with(&[33]))]).unwrap();
        let insert = changed(&before, &current);
        assert_eq!(
            insert,
            ["sitemap-p-31.xml", "sitemap-p-2.xml"].map(str::to_owned).into()
        );
        assert_eq!(parts(&current)["sitemap-p-31.xml"], [40]);

        // The next displaced row goes to the new part.
        let before = states(&current);
        set.commit(&[write(&set, with(&[33, 35]))]).unwrap();
        let again = changed(&before, &current);
        assert_eq!(
            again,
            ["sitemap-p-31.xml", "sitemap-p-2.xml"].map(str::to_owned).into()
        );
        assert_eq!(parts(&current)["sitemap-p-31.xml"], [38, 40]);

        let before = states(&current);
        set.commit(&[write(&set, with(&[35]))]).unwrap();
        assert!(changed(&before, &current).len() <= 2);
    }
}

#[test]
fn a_row_that_ends_a_part_goes() {
    for write in WAYS {
        for end in [10, 20, 30, 40] {
            let folder = folder();
            let root = folder.path().join("set");
            let set = small(&root).open().unwrap();
            set.commit(&[write(&set, (1..=45).collect())]).unwrap();
            let before = states(&root.join("current"));
            set.commit(&[write(&set, (1..=45).filter(|id| *id != end).collect())])
                .unwrap();
            let changed = changed(&before, &root.join("current"));
            // The rest of the next part may move to its place.
            let (own, next) = (end / 10, end / 10 + 1);
            let expected = [own, next].map(|part| format!("sitemap-p-{part}.xml"));
            assert!(
                changed.iter().all(|name| expected.contains(name)),
                "{end}: {changed:?}"
            );
        }
    }
}

#[test]
fn what_is_appended_goes_to_the_last_part() {
    for write in WAYS {
        let folder = folder();
        let root = folder.path().join("set");
        let set = small(&root).open().unwrap();
        for last in 1..=45 {
            set.commit(&[write(&set, (1..=last).collect())]).unwrap();
        }
        let found = parts(&root.join("current"));
        let lengths: Vec<_> = found.values().map(Vec::len).collect();
        assert_eq!(lengths, [10, 10, 10, 10, 5]);
    }
}

#[test]
fn other_tasks_keep_the_shape_of_the_section() {
    let folder = folder();
    let root = folder.path().join("set");
    let set = small(&root).open().unwrap();
    set.commit(&[write(&set, "p", "all", 1..=100)]).unwrap();
    let before = states(&root.join("current"));
    let lists = [
        write(&set, "p", "a", 1..=40),
        write(&set, "p", "b", 41..=75),
        write(&set, "p", "c", 76..=100),
    ];
    set.commit(&lists).unwrap();
    let changed = changed(&before, &root.join("current"));
    // 71 to 80 now belongs to two tasks.
    assert_eq!(changed.len(), 2, "{changed:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// After any changes of rows: the set lists every row once, in order, within the limits, and names stay with their rows.
    #[test]
    fn nothing_is_lost(
        steps in prop::collection::vec(prop::collection::btree_set(1_i64..120, 1..110), 2..6),
        way in 0_usize..3,
        descending in any::<bool>(),
    ) {
        let folder = folder();
        let root = folder.path().join("set");
        for ids in steps {
            let mut ids: Vec<i64> = ids.into_iter().collect();
            if descending {
                ids.reverse();
            }
            let set = small(&root).grace(std::time::Duration::ZERO).open().unwrap();
            let list = WAYS[way](&set, ids.clone());
            prop_assert!(list.parts().all(|part| part.entries <= 10));
            set.commit(&[list]).unwrap();
            let current = root.join("current");
            let files = crate::sets::pages::public(&current);
            let index = &files["sitemap.xml"];
            let mut listed = Vec::new();
            for loc in index.split("<loc>https://example.com/sitemap-").skip(1) {
                let name = format!("sitemap-{}", loc.split('<').next().unwrap());
                listed.extend(crate::sets::pages::ids(&files[&name]));
            }
            if files.len() == 1 {
                listed = crate::sets::pages::ids(index);
            }
            prop_assert_eq!(listed, ids);
        }
    }
}

/// The conditions on the ends of parts, which a rule without memory does not meet (see `sets/set/shape.rs` of the crate).
mod one_row {
    use sitemap_site::FileAction;

    use super::*;
    use crate::sets::pages::Page;

    #[derive(Clone, Copy, Debug)]
    enum Change {
        /// Inserts the row with this id, or removes it.
        Toggle(i64),
        /// Changes the row that comes next after this id.
        Touch(i64),
    }

    fn change() -> impl Strategy<Value = Change> {
        prop_oneof![
            3 => (1_i64..200).prop_map(Change::Toggle),
            1 => (1_i64..200).prop_map(Change::Touch),
        ]
    }

    #[derive(Clone, Copy, Debug)]
    enum Keys {
        Ascending,
        Descending,
        Texts,
        Locs,
    }

    fn write(set: &SitemapSet, rows: &BTreeMap<i64, Option<u8>>, keys: Keys) -> PartList {
        let mut rows: Vec<Page> = rows.iter().map(|(&id, &day)| Page { id, day }).collect();
        if matches!(keys, Keys::Descending) {
            rows.reverse();
        }
        let mut writer = set.task_writer("p", "all").unwrap();
        for row in rows {
            let written = match keys {
                Keys::Ascending | Keys::Descending => writer.write(row.id, &row),
                Keys::Texts => writer.write(format!("{:x}", row.id * 7919 % 10_007), &row),
                Keys::Locs => writer.write(None, &row),
            };
            written.unwrap();
        }
        writer.finish().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        /// At most two files and the index change. Parts are within the limit, and a set that was always within it is one file.
        #[test]
        fn it_changes_two_files(
            ids in prop::collection::btree_set(1_i64..200, 1..60),
            changes in prop::collection::vec(change(), 1..16),
            most in prop_oneof![Just(1_u64), Just(3), Just(10)],
            keys in prop_oneof![Just(Keys::Ascending), Just(Keys::Descending), Just(Keys::Texts), Just(Keys::Locs)],
        ) {
            let folder = folder();
            let set = small(&folder.path().join("set")).max_entries(most).open().unwrap();
            let mut rows: BTreeMap<i64, Option<u8>> = ids.into_iter().map(|id| (id, None)).collect();
            set.commit(&[write(&set, &rows, keys)]).unwrap();
            let mut was_within = rows.len() as u64 <= most;
            for change in changes {
                let before = rows.clone();
                match change {
                    Change::Toggle(id) if rows.remove(&id).is_none() => drop(rows.insert(id, None)),
                    Change::Toggle(_) => {}
                    Change::Touch(id) => {
                        if let Some((_, day)) = rows.range_mut(id..).next() {
                            *day = Some(day.unwrap_or(0) % 28 + 1);
                        }
                    }
                }
                if rows.is_empty() {
                    rows = before;
                    continue;
                }
                let list = write(&set, &rows, keys);
                let plan = set.plan(&list).unwrap();
                let files = plan.files.iter().filter(|file| file.name != "sitemap.xml");
                let mut changed: BTreeSet<&str> = files
                    .filter(|file| file.action != FileAction::Keep)
                    .map(|file| file.name.as_str())
                    .collect();
                changed.extend(plan.removed_files.iter().map(String::as_str));
                prop_assert!(changed.len() <= 2, "{change:?} of {before:?}: {changed:?}");
                prop_assert!(list.parts().all(|part| part.entries <= most));
                was_within &= rows.len() as u64 <= most;
                prop_assert!(!was_within || list.parts().len() == 1);
                set.commit(list).unwrap();
            }
        }
    }
}

/// A crawler that reads the index before a commit, and parts before and after it, misses only pages that moved to a new file.
#[test]
fn pages_move_forward() {
    let folder = folder();
    let root = folder.path().join("set");
    let current = root.join("current");
    let mut random = Random::new(28);
    let mut kept: BTreeSet<i64> = (1..=200).map(|id| id * 50).collect();
    let set = small(&root).open().unwrap();
    set.commit(&[write(&set, "p", "all", kept.iter().copied())])
        .unwrap();
    let (mut missed, mut twice) = (0, 0);
    for _ in 0..60 {
        let index = indexed(&current);
        let before = parts(&current);
        for _ in 0..random.below(20) {
            let id = i64::try_from(random.below(12_000)).unwrap();
            if !kept.remove(&id) {
                kept.insert(id);
            }
        }
        set.commit(&[write(&set, "p", "all", kept.iter().copied())])
            .unwrap();
        let after = parts(&current);
        let new: BTreeSet<i64> = indexed(&current)
            .iter()
            .filter(|name| !before.contains_key(*name))
            .flat_map(|name| after[name].clone())
            .collect();
        let stable = index
            .iter()
            .flat_map(|name| &before[name])
            .filter(|id| kept.contains(id));
        let stable: Vec<i64> = stable.copied().collect();
        for read_before in 0..=index.len() {
            let (first, rest) = index.split_at(read_before);
            let first = first.iter().flat_map(|name| &before[name]);
            let seen: Vec<i64> = first
                .chain(rest.iter().flat_map(|name| &after[name]))
                .copied()
                .collect();
            let distinct: BTreeSet<i64> = seen.iter().copied().collect();
            let unseen: Vec<i64> = stable
                .iter()
                .copied()
                .filter(|id| !distinct.contains(id))
                .collect();
            assert!(unseen.iter().all(|id| new.contains(id)), "{unseen:?} {new:?}");
            missed += unseen.len();
            twice += seen.len() - distinct.len();
        }
    }
    assert!(missed > 0 && twice > 0, "{missed} {twice}");
}

/// The names of the parts in the index.
fn indexed(folder: &Path) -> Vec<String> {
    let index = std::fs::read_to_string(folder.join("sitemap.xml")).unwrap();
    let locs = index.split("<loc>https://example.com/").skip(1);
    locs.map(|rest| rest.split('<').next().unwrap().to_owned())
        .collect()
}

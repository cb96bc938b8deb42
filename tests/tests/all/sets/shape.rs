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
        let folder = folder();
        let root = folder.path().join("set");
        let set = small(&root).open().unwrap();
        set.commit(&[write(&set, (1..=100).collect())]).unwrap();
        let before = states(&root.join("current"));
        set.commit(&[write(&set, (1..=100).filter(|id| *id != 30).collect())])
            .unwrap();
        let changed = changed(&before, &root.join("current"));
        assert!(changed.len() <= 2, "{changed:?}");
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
            let unseen: Vec<i64> = stable.iter().copied().filter(|id| !seen.contains(id)).collect();
            assert!(unseen.iter().all(|id| new.contains(id)), "{unseen:?} {new:?}");
            missed += unseen.len();
            twice += seen.len() - seen.iter().collect::<BTreeSet<_>>().len();
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

//! Parts keep their shape while rows come and go.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proptest::prelude::*;
use sitemap_site::{Key, PartList, SitemapSet};

use crate::pages::{folder, page, parts, small, state, write};

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
            .write(Some(&Key::from(format!("{:x}", id * 7919 % 10_007))), &page(id))
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

        // The next one that is pushed out goes to the new part.
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
    // 71 to 80 is two tasks' now.
    assert_eq!(changed.len(), 2, "{changed:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// Whatever comes and goes: the set lists every row once, in order, within the limits, and names stay with their rows.
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
            let files = crate::pages::public(&current);
            let index = &files["sitemap.xml"];
            let mut listed = Vec::new();
            for loc in index.split("<loc>https://example.com/sitemap-").skip(1) {
                let name = format!("sitemap-{}", loc.split('<').next().unwrap());
                listed.extend(crate::pages::ids(&files[&name]));
            }
            if files.len() == 1 {
                listed = crate::pages::ids(index);
            }
            prop_assert_eq!(listed, ids);
        }
    }
}

//! Announcing a set on a disk that stops at any moment.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use sitemap_serde::UrlEntry;

use super::super::Directory;
use super::memory::{Crash, Memory};
use crate::Result;
use crate::sets::{SetBuilder, SitemapSet};

fn open(disk: &Memory, in_place: bool) -> Result<SitemapSet> {
    let directory = Directory::new(Arc::new(disk.clone()), PathBuf::from("/set"), in_place);
    SetBuilder::over(directory, "https://example.com")
        .max_entries(2)
        .open()
}

fn publish(disk: &Memory, in_place: bool, ids: std::ops::Range<i64>) {
    let set = open(disk, in_place).unwrap();
    let mut writer = set.task_writer("a", "all").unwrap();
    for id in ids {
        writer.write(id, &UrlEntry::new(format!("/{id}"))).unwrap();
    }
    set.commit(writer.finish().unwrap()).unwrap();
}

fn changes(disk: &Memory, in_place: bool) -> Result<Vec<String>> {
    let mut changes = Vec::new();
    let unannounced = open(disk, in_place)?.unannounced(|change| {
        changes.push(change.to_string());
        Ok(())
    })?;
    drop(unannounced);
    Ok(changes)
}

fn announce(disk: &Memory, in_place: bool) -> Result<()> {
    open(disk, in_place)?.unannounced(|_| Ok(()))?.mark_announced()
}

/// A program or machine that stops at any moment has announced the new set or has not. The changes are known in either case.
#[test]
fn a_crash_loses_no_change() {
    let expected = [
        "- https://example.com/1",
        "+ https://example.com/6",
        "+ https://example.com/7",
    ];
    for (in_place, without_links) in [(false, false), (true, true)] {
        let disk = Memory::new();
        if without_links {
            disk.without_links();
        }
        publish(&disk, in_place, 1..6);
        announce(&disk, in_place).unwrap();
        publish(&disk, in_place, 2..8);
        let mut outcomes = [0, 0];
        for operations in 0.. {
            let dying = disk.dying_after(operations);
            let announced = announce(&dying, in_place);
            for crash in [Crash::Killed, Crash::Strict, Crash::Torn, Crash::Mixed(5)] {
                let after = dying.after(crash);
                let shown = format!("in place: {in_place}, {operations} operations, {crash:?}");
                let found = changes(&after, in_place).unwrap_or_else(|error| panic!("{shown}: {error}"));
                let is_announced = found.is_empty();
                assert!(is_announced || found == expected, "{shown}: {found:?}");
                assert!(
                    is_announced || announced.is_err(),
                    "{shown}: it is announced again"
                );
                outcomes[usize::from(is_announced)] += 1;
                // The next run ends as if nothing had happened.
                announce(&after, in_place).unwrap();
                assert_eq!(changes(&after, in_place).unwrap(), [""; 0], "{shown}");
                let tree = after.tree();
                let kept = tree.keys().filter_map(|path| path.split_once("/announced-"));
                let kept: BTreeSet<_> = kept.filter_map(|(_, name)| name.split('/').next()).collect();
                assert_eq!(kept.len(), 1, "{shown}: {kept:?}");
            }
            if announced.is_ok() {
                break;
            }
        }
        assert!(outcomes.iter().all(|count| *count > 5), "{outcomes:?}");
    }
}

//! Tests of programs that read a set while another commits, on a simulated disk.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use sitemap_serde::UrlEntry;

use super::super::Directory;
use super::memory::Memory;
use crate::ErrorKind;
use crate::sets::SetBuilder;

fn directory(disk: &Memory, in_place: bool) -> Directory {
    Directory::new(Arc::new(disk.clone()), PathBuf::from("/set"), in_place)
}

fn builder(disk: &Memory, in_place: bool) -> SetBuilder {
    SetBuilder::over(directory(disk, in_place), "https://example.com")
}

/// A program that commits a new set each time, without pauses.
fn committer(disk: &Memory, in_place: bool) -> impl Fn() + Send + Sync + 'static {
    let set = builder(disk, in_place)
        .allow_shrinking(true)
        .grace(Duration::ZERO)
        .open()
        .unwrap();
    let next = AtomicI64::new(1);
    move || {
        let id = next.fetch_add(1, Ordering::Relaxed);
        let mut writer = set.task_writer("a", "all").unwrap();
        writer.write(id, &UrlEntry::new(format!("/{id}"))).unwrap();
        set.commit(&[writer.finish().unwrap()]).unwrap();
    }
}

/// Another program may commit between any two reads. A reader still finds the previous set or the new one, never a damaged or
/// missing set.
#[test]
fn a_set_is_found_while_another_program_commits() {
    for in_place in [false, true] {
        let mut reads = 0;
        loop {
            let disk = Memory::new();
            let commit = committer(&disk, in_place);
            commit();
            disk.interrupt(reads, false, commit);
            let found = directory(&disk, in_place).load();
            let is_over = disk.end_interruption();
            let published = found.unwrap_or_else(|error| panic!("{in_place}, {reads}: {error}"));
            let published = published.unwrap_or_else(|| panic!("{in_place}, {reads}: no set"));
            assert!(
                [1, 2].contains(&published.manifest.generation),
                "{in_place}, {reads}"
            );
            builder(&disk, in_place).open().unwrap();
            if is_over {
                break;
            }
            reads += 1;
        }
        assert!(reads >= 3, "{in_place}: only {reads} reads were interrupted");
    }
}

/// The same for a server, which must not take the set for another program's file.
#[test]
#[cfg(feature = "serve")]
fn a_look_finds_a_set_while_another_program_commits() {
    use crate::sets::backend::Looked;

    for in_place in [false, true] {
        for reads in 0..8 {
            let disk = Memory::new();
            let commit = committer(&disk, in_place);
            commit();
            let set = builder(&disk, in_place).open().unwrap();
            disk.interrupt(reads, false, commit);
            let looked = set.look(None);
            disk.end_interruption();
            let Looked::Published(first) = looked.unwrap() else {
                panic!("{in_place}, {reads}: nothing is published");
            };
            // If the mark is older than the set, the next look finds the set once more.
            if let Looked::Published(second) = set.look(Some(&first.mark)).unwrap() {
                assert_eq!(second.manifest.generation, 2, "{in_place}, {reads}");
            }
        }
    }
}

#[test]
fn a_set_that_is_replaced_at_every_read_is_given_up() {
    let disk = Memory::new();
    let commit = committer(&disk, false);
    commit();
    disk.interrupt(0, true, commit);
    let error = directory(&disk, false).load().unwrap_err();
    disk.end_interruption();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
}

#[test]
fn a_manifest_that_is_gone_is_damage() {
    let disk = Memory::new();
    committer(&disk, false)();
    super::super::Disk::remove_file(&disk, "/set/state/manifest-1.json".as_ref()).unwrap();
    let error = directory(&disk, false).load().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the manifest /set/state/manifest-1.json is gone: publish the whole set with `SetBuilder::replace_damaged(true)`, which goes on without it"
    );
}

/// Another program removes a part after it was linked, and before the set is published.
#[test]
fn a_part_that_is_gone_during_the_commit_is_not_published() {
    for in_place in [false, true] {
        let mut refused = 0;
        for reads in 0..40 {
            let disk = Memory::new();
            let commit = committer(&disk, in_place);
            let set = builder(&disk, in_place).max_entries(1).open().unwrap();
            commit();
            let mut writer = set.task_writer("a", "other").unwrap();
            for id in [1, 2] {
                writer.write(id, &UrlEntry::new(format!("/{id}"))).unwrap();
            }
            let list = writer.finish().unwrap();
            let other = disk.clone();
            disk.interrupt(reads, false, move || {
                let parts = other
                    .tree()
                    .into_keys()
                    .filter(|path| path.contains("/sitemap-a-"));
                for path in parts {
                    super::super::Disk::remove_file(&other, path.as_ref()).unwrap();
                }
            });
            let committed = set.commit(&[list]);
            disk.end_interruption();
            let says = " was changed or removed by another program while it was committed";
            let is_refused =
                |error: crate::Error| error.kind() == ErrorKind::Damaged && error.to_string().ends_with(says);
            refused += usize::from(committed.is_err_and(is_refused));
        }
        assert!(refused > 0, "{in_place}");
    }
}

#[test]
fn a_session_whose_folder_is_always_removed_is_given_up() {
    let disk = Memory::new();
    let set = builder(&disk, false).open().unwrap();
    let other = disk.clone();
    disk.interrupt(0, true, move || {
        let locks = other.tree().into_keys().filter(|path| path.contains("/staging/"));
        for path in locks {
            super::super::Disk::remove_file(&other, path.as_ref()).unwrap();
        }
    });
    let error = set.task_writer("a", "all").map(drop).unwrap_err();
    disk.end_interruption();
    assert_eq!(
        error.to_string(),
        "cannot begin to write in /set/state/staging: other programs keep removing the new folders"
    );
}

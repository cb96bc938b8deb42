//! Crash tests: after every prefix of a commit's operations, the files that the index lists are complete and of one generation,
//! and the next commit removes stray files.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sitemap_serde::{EntryWriter, Reader, SitemapEntry};

use super::super::Directory;
use super::super::disk::Disk;
use super::memory::{Crash, Memory, Operation};
use crate::sets::{SetBuilder, SitemapSet};
use crate::{ErrorKind, Result};

struct Page(i64, u64);

impl SitemapEntry for Page {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
        entry.loc(format!("/{}?v={}", self.0, self.1))
    }
}

#[derive(Clone, Copy, Debug)]
struct Way {
    in_place: bool,
    gzip: bool,
    without_links: bool,
}

const WAYS: [Way; 4] = [
    Way {
        in_place: false,
        gzip: false,
        without_links: false,
    },
    Way {
        in_place: false,
        gzip: true,
        without_links: true,
    },
    Way {
        in_place: true,
        gzip: false,
        without_links: false,
    },
    Way {
        in_place: true,
        gzip: true,
        without_links: true,
    },
];

fn open(disk: &Memory, way: Way) -> Result<SitemapSet> {
    let directory = Directory::new(Arc::new(disk.clone()), PathBuf::from("/set"), way.in_place);
    SetBuilder::over(directory, "https://example.com")
        .max_entries(2)
        .gzip(way.gzip.then_some(6))
        .default_stylesheet(true)
        .allow_shrinking(true)
        .grace(Duration::ZERO)
        .open()
}

/// The version that is published after a crash. It has so few pages that files of other versions become unlisted.
const SMALL: u64 = 9;
/// A version of fifty parts.
const LARGE: u64 = 10;

/// The pages of a version: compared with the previous version, one is added, one removed and one changed.
fn pages(version: u64) -> Vec<Page> {
    let more = match version {
        SMALL => 2,
        LARGE => 99,
        _ => 5,
    };
    let last = version.cast_signed() + more;
    (version.cast_signed()..=last)
        .map(|id| Page(id, u64::from(id == 4) * version))
        .collect()
}

fn publish(disk: &Memory, way: Way, version: u64) -> Result<()> {
    let set = open(disk, way)?;
    let mut writer = set.task_writer("a", "all")?;
    for page in pages(version) {
        writer.write(page.0, &page)?;
    }
    set.commit(&[writer.finish()?]).map(drop)
}

/// The content of all files that the index lists; empty if nothing is published.
fn published(disk: &Memory, way: Way) -> BTreeMap<String, Vec<String>> {
    let tree = disk.tree();
    let folder = if way.in_place {
        "/set".to_owned()
    } else {
        match tree.get("/set/current") {
            Some(target) => format!("/set/{}", std::str::from_utf8(target).unwrap()),
            None => return BTreeMap::new(),
        }
    };
    let Some(index) = tree.get(&format!("{folder}/sitemap.xml")) else {
        assert!(
            way.in_place,
            "a link to a generation without index: {:?}",
            tree.keys()
        );
        return BTreeMap::new();
    };
    let listed = sitemap_serde::from_slice::<sitemap_serde::SitemapIndex>(index).unwrap();
    let mut found = BTreeMap::new();
    for entry in listed {
        let name = entry.loc.strip_prefix("https://example.com/").unwrap().to_owned();
        let content = tree
            .get(&format!("{folder}/{name}"))
            .unwrap_or_else(|| panic!("{name} is listed and not there"));
        let mut xml = Vec::new();
        if way.gzip {
            flate2::read::GzDecoder::new(content.as_slice())
                .read_to_end(&mut xml)
                .unwrap();
        } else {
            xml.clone_from(content);
        }
        let locs: Vec<_> = Reader::from_slice(&xml)
            .entries()
            .map(|entry| entry.map(|entry| entry.loc))
            .collect::<std::result::Result<_, _>>()
            .unwrap_or_else(|error| panic!("{name} is not whole: {error}"));
        found.insert(name, locs);
    }
    found
}

/// All pages, of all files.
fn all(set: &BTreeMap<String, Vec<String>>) -> BTreeSet<&str> {
    set.values().flatten().map(String::as_str).collect()
}

fn crashes(operation: u64) -> Vec<Crash> {
    let mut crashes = vec![Crash::Killed, Crash::Strict, Crash::NamesFirst, Crash::Torn];
    crashes.extend((1..=1).map(|bits| Crash::Mixed((operation * 31 + bits) * 0x9e37_79b9)));
    crashes
}

#[test]
fn every_prefix_leaves_a_whole_set() {
    for way in WAYS {
        let start = Memory::new();
        if way.without_links {
            start.without_links();
        }
        for (version, has_before) in [(1, false), (2, true)] {
            let done = start.dying_after(u64::MAX / 2);
            let first = done.operations();
            publish(&done, way, version).unwrap();
            let operations = done.operations() - first;
            let (old, new) = (published(&start, way), published(&done, way));
            assert!(operations > 30 && new.len() >= 3, "{operations} {new:?}");
            // The disk after a commit without a crash.
            let last = start.dying_after(u64::MAX / 2);
            last.wait(Duration::from_secs(100));
            publish(&last, way, SMALL).unwrap();
            for operation in 0..=operations {
                let broken = start.dying_after(operation);
                let result = publish(&broken, way, version);
                for crash in crashes(operation) {
                    let disk = broken.after(crash);
                    let found = published(&disk, way);
                    if way.in_place {
                        // Each file is complete; during the commit in place, some files are old and some new.
                        let pages: BTreeSet<&str> = all(&old).union(&all(&new)).copied().collect();
                        assert!(all(&found).is_subset(&pages), "{way:?} {operation} {crash:?}");
                        assert!(!has_before || !found.is_empty(), "{way:?} {operation} {crash:?}");
                    } else {
                        assert!(
                            found == old || found == new,
                            "{way:?} {operation} {crash:?}: {found:?}"
                        );
                    }
                    if result.is_ok() {
                        assert_eq!(found, new, "{way:?} {operation} {crash:?}: it was committed");
                    }
                    if !matches!(crash, Crash::Killed | Crash::Strict | Crash::Mixed(_)) {
                        continue;
                    }
                    disk.wait(Duration::from_secs(100));
                    publish(&disk, way, SMALL)
                        .unwrap_or_else(|error| panic!("{way:?} {operation} {crash:?}: {error}"));
                    let pages_then = published(&disk, way);
                    assert_eq!(
                        all(&pages_then),
                        all(&published(&last, way)),
                        "{way:?} {operation} {crash:?}"
                    );
                    assert_eq!(
                        left(&disk, way),
                        Vec::<String>::new(),
                        "{way:?} {operation} {crash:?}"
                    );
                }
            }
            publish(&start, way, version).unwrap();
            start.wait(Duration::from_secs(10));
        }
    }
}

/// Stray files: neither published, nor the set's private files.
fn left(disk: &Memory, way: Way) -> Vec<String> {
    let tree = disk.tree();
    let listed = published(disk, way);
    let current = tree
        .get("/set/current")
        .map_or_else(String::new, |target| String::from_utf8_lossy(target).into_owned());
    let manifests = tree.keys().filter(|name| name.contains("/manifest-")).count();
    let is_needed = |name: &str| {
        let name = name.strip_prefix("/set/").unwrap();
        if let Some(private) = name.strip_prefix(if way.in_place { ".sitemap/" } else { "state/" }) {
            return matches!(private, "lock" | "holder")
                || private.starts_with("manifest-") && manifests == 1;
        }
        let public = match name
            .strip_prefix("generations/")
            .and_then(|name| name.split_once('/'))
        {
            // The previous generation stays until the next commit.
            Some((number, _)) if format!("generations/{number}") != current => {
                return current[12..].parse::<u64>().unwrap() > number.parse::<u64>().unwrap();
            }
            Some((_, name)) => name,
            None => name,
        };
        matches!(public, "current" | "sitemap.xml" | "sitemap.css") || listed.contains_key(public)
    };
    tree.keys().filter(|name| !is_needed(name)).cloned().collect()
}

#[test]
fn every_failure_leaves_the_set_and_is_told() {
    for way in WAYS {
        let start = Memory::new();
        if way.without_links {
            start.without_links();
        }
        publish(&start, way, 1).unwrap();
        start.wait(Duration::from_secs(10));
        let done = start.dying_after(u64::MAX / 2);
        let first = done.operations();
        publish(&done, way, 2).unwrap();
        let (old, new) = (published(&start, way), published(&done, way));
        let mut failures = 0;
        for operation in 1..=done.operations() - first {
            let disk = start.failing_at(operation);
            let result = publish(&disk, way, 2);
            let found = published(&disk, way);
            match result {
                Ok(()) => {
                    assert_eq!(all(&found), all(&new), "{way:?} {operation}");
                    let after = published(&disk.after(Crash::Strict), way);
                    assert_eq!(
                        all(&after),
                        all(&new),
                        "{way:?} {operation}: what is lost was told"
                    );
                }
                Err(error) => {
                    failures += 1;
                    assert!(
                        matches!(error.kind(), ErrorKind::Io | ErrorKind::Entry),
                        "{way:?} {operation}: {error:?}"
                    );
                    if !way.in_place {
                        assert!(
                            found == old || error.to_string().contains("the set is published"),
                            "{way:?} {operation}: {error}"
                        );
                        let is_begun = |path: &String| path.starts_with("/set/generations/2/");
                        assert!(
                            found != old || !disk.tree().keys().any(is_begun),
                            "{way:?} {operation}"
                        );
                    }
                    publish(&disk, way, 2).unwrap();
                    assert_eq!(all(&published(&disk, way)), all(&new), "{way:?} {operation}");
                }
            }
        }
        assert!(failures > 20, "{failures}");
    }
}

/// Every listed file is synced after its last change, time included, and only then published: in place by its own rename,
/// otherwise by the rename of `current`. Parts are synced while later parts are written.
#[test]
fn files_are_changed_then_synced_then_renamed() {
    let with_threads = WAYS.map(|way| (way, Memory::with_threads(8, Duration::ZERO)));
    for (way, disk) in WAYS
        .map(|way| (way, Memory::new()))
        .into_iter()
        .chain(with_threads)
    {
        if way.without_links {
            disk.without_links();
        }
        for version in [1, 2, LARGE] {
            let begin = disk.log().len();
            publish(&disk, way, version).unwrap();
            let log = &disk.log()[begin..];
            let current = disk.file_at("/set/current");
            let publishes = |operation: &Operation, file| match operation {
                Operation::Rename(renamed, to) if way.in_place => {
                    *renamed == file && to.starts_with("/set") && !to.starts_with("/set/.sitemap")
                }
                Operation::Rename(renamed, _) => Some(*renamed) == current,
                _ => false,
            };
            let folder = if way.in_place { "/set" } else { "/set/current" };
            let tree = disk.tree();
            let folder = match tree.get(folder) {
                Some(target) => format!("/set/{}", std::str::from_utf8(target).unwrap()),
                None => folder.to_owned(),
            };
            let mut checked = 0;
            let mut synced_early = 0;
            let names = published(&disk, way).into_keys();
            for name in names.chain(["sitemap.xml".to_owned(), "sitemap.css".to_owned()]) {
                let file = disk.file_at(&format!("{folder}/{name}")).unwrap();
                let last = |wanted: &Operation| log.iter().rposition(|operation| operation == wanted);
                let Some(changed) = last(&Operation::Change(file)) else {
                    continue;
                };
                let synced = last(&Operation::Sync(file));
                let renamed = log.iter().position(|operation| publishes(operation, file));
                assert!(
                    Some(changed) < synced && synced < renamed,
                    "{way:?} {name}: changed {changed}, synced {synced:?}, renamed {renamed:?}"
                );
                checked += 1;
                let syncs = log
                    .iter()
                    .filter(|operation| **operation == Operation::Sync(file));
                synced_early += usize::from(syncs.count() > 1);
            }
            assert!(
                checked >= if version == LARGE { 50 } else { 2 },
                "{way:?} {checked}"
            );
            // Threads sync files until the commit begins.
            assert!(
                way.without_links || disk.syncs_at_once() > 1 || synced_early > 0,
                "{way:?}"
            );
            if !way.in_place {
                let position = |wanted: &Operation| log.iter().rposition(|operation| operation == wanted);
                let renamed = log.iter().position(|operation| publishes(operation, 0));
                let of_names = position(&Operation::SyncFolder(PathBuf::from(folder)));
                assert!(of_names.is_some() && of_names < renamed, "{way:?}");
            }
        }
    }
}

/// If the sync of a part fails while the next part is written, the part is lost, and no later sync reports it.
#[test]
fn a_failed_sync_in_the_background_fails_the_task_with_the_path() {
    let way = WAYS[0];
    let start = Memory::new();
    publish(&start, way, 1).unwrap();
    let mut told = 0;
    for operation in 1..60 {
        let disk = start.failing_at(operation);
        let set = open(&disk, way).unwrap();
        let Ok(mut writer) = set.task_writer("a", "all") else {
            continue;
        };
        let mut write = || -> Result<()> {
            for page in pages(2) {
                writer.write(page.0, &page)?;
            }
            Ok(())
        };
        let Err(error) = write() else { continue };
        let error = error.to_string();
        if error.contains("cannot sync /set/state/staging/") && error.contains(".xml: ") {
            told += 1;
            let error = writer.finish().unwrap_err().to_string();
            assert!(error.contains("run the task again"), "{error}");
        }
    }
    assert!(told > 0);
}

//! Tests of commits on a simulated disk: times of files, copies, and files that are kept or removed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sitemap_serde::{SitemapIndex, UrlEntry, W3cDateTime};

use super::super::Directory;
use super::super::disk::Disk;
use super::memory::{Crash, Memory};
use crate::sets::manifest::Manifest;
use crate::sets::{PartList, SetBuilder, SitemapSet};
use crate::{ContentHash, ErrorKind, STYLESHEET};

const HOUR: Duration = Duration::from_secs(3600);
const ALMOST_A_DAY: Duration = Duration::from_secs(24 * 3600 - 1);

fn builder(disk: &Memory, in_place: bool) -> SetBuilder {
    let directory = Directory::new(Arc::new(disk.clone()), PathBuf::from("/set"), in_place);
    SetBuilder::over(directory, "https://example.com")
        .max_entries(2)
        .allow_shrinking(true)
        .default_stylesheet(true)
        .clone()
}

fn open(disk: &Memory) -> SitemapSet {
    builder(disk, false).open().unwrap()
}

fn write(set: &SitemapSet, task: &str, ids: impl IntoIterator<Item = i64>) -> PartList {
    let mut writer = set.task_writer("a", task).unwrap();
    for id in ids {
        writer.write(id, &UrlEntry::new(format!("/{id}"))).unwrap();
    }
    writer.finish().unwrap()
}

fn modified(disk: &Memory, path: &str) -> SystemTime {
    let found = disk.metadata(Path::new(path)).unwrap();
    found.unwrap_or_else(|| panic!("{path} is missing")).modified
}

/// The names and contents of the public files.
fn public(disk: &Memory, in_place: bool) -> BTreeMap<String, Vec<u8>> {
    let tree = disk.tree();
    let folder = match tree.get("/set/current") {
        Some(target) if !in_place => format!("/set/{}/", std::str::from_utf8(target).unwrap()),
        _ => "/set/".to_owned(),
    };
    tree.into_iter()
        .filter_map(|(path, content)| {
            let name = path.strip_prefix(&folder)?;
            (!name.contains('/')).then(|| (name.to_owned(), content))
        })
        .collect()
}

fn overwrite(disk: &Memory, path: &str, content: &[u8]) {
    let time = modified(disk, path);
    disk.create(Path::new(path)).unwrap().write_all(content).unwrap();
    disk.set_modified(Path::new(path), time).unwrap();
}

/// A list as another process gets it.
fn sent(list: PartList) -> PartList {
    let json = serde_json::to_vec(&list).unwrap();
    drop(list);
    serde_json::from_slice(&json).unwrap()
}

/// The list of a worker that took two days, and ended.
fn left(disk: &Memory) -> PartList {
    let set = open(disk);
    sent(write(&set, "left", (1..=5).inspect(|_| disk.wait(10 * HOUR))))
}

fn staged(disk: &Memory) -> Vec<String> {
    let paths = disk.tree().into_keys();
    paths
        .filter(|path| path.contains("/staging/") && path.contains(".xml"))
        .collect()
}

/// Programs that fail after any number of sections, with or without a commit, leave only their sent lists.
#[test]
fn lists_that_are_dropped_remove_their_parts() {
    let disk = Memory::new();
    for finished in 0..4 {
        for (is_cloned, commits) in [(false, false), (true, false), (false, true), (true, true)] {
            let set = open(&disk);
            let lists: Vec<_> = (0..finished)
                .map(|task| write(&set, &format!("t{task}"), 1..=5))
                .collect();
            let copies = is_cloned.then(|| lists.clone());
            let mut unfinished = set.task_writer("a", "unfinished").unwrap();
            for id in 1..=5 {
                unfinished.write(id, &UrlEntry::new("/x")).unwrap();
            }
            if commits && finished > 0 {
                // Two lists of one task that differ.
                let other = write(&set, "t0", 1..=4);
                let both = [lists.clone(), vec![other]].concat();
                assert_eq!(set.commit(&both).unwrap_err().kind(), ErrorKind::Conflict);
            }
            drop((lists, unfinished));
            assert_eq!(staged(&disk).is_empty(), copies.is_none() || finished == 0);
            drop(copies);
            assert_eq!(staged(&disk), [""; 0]);
        }
    }
    // Retries of a program that has sent one list out of two.
    let set = open(&disk);
    let kept = sent(write(&set, "sent", 1..=5));
    drop(write(&set, "dropped", 1..=5));
    drop(set);
    assert_eq!(staged(&disk).len(), 3);
    let set = open(&disk);
    assert_eq!(set.commit(&[write(&set, "t0", 1..=5), kept]).unwrap().entries, 10);
    assert_eq!(staged(&disk), [""; 0]);
}

#[test]
fn finished_parts_wait_for_a_day_after_the_last_row() {
    let disk = Memory::new();
    let list = left(&disk);
    let set = open(&disk);
    disk.wait(ALMOST_A_DAY);
    set.commit(&[write(&set, "all", 1..=5)]).unwrap();
    assert_eq!(set.update(&[list]).unwrap().entries, 10);

    let disk = Memory::new();
    let list = left(&disk);
    let set = open(&disk);
    disk.wait(24 * HOUR);
    set.commit(&[write(&set, "all", 1..=5)]).unwrap();
    let error = set.update(&[list]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
}

/// A running program keeps its files, even after a long silence.
#[test]
fn the_parts_of_a_running_program_stay() {
    let disk = Memory::new();
    let running = open(&disk);
    let list = write(&running, "slow", 1..=5);
    disk.wait(100 * HOUR);
    let set = open(&disk);
    set.commit(&[write(&set, "all", 1..=5)]).unwrap();
    assert_eq!(running.update(&[list]).unwrap().entries, 10);
}

/// All commits are at the same moment of the simulated clock.
#[test]
fn a_changed_file_is_a_second_newer() {
    for in_place in [false, true] {
        let disk = Memory::new();
        let set = builder(&disk, in_place).open().unwrap();
        let folder = |generation: u32| {
            if in_place {
                "/set".to_owned()
            } else {
                format!("/set/generations/{generation}")
            }
        };
        let time = |generation, name: &str| modified(&disk, &format!("{}/{name}", folder(generation)));
        let second = Duration::from_secs(1);
        set.commit(&[write(&set, "t0", 1..=4)]).unwrap();
        let (part, kept) = (time(1, "sitemap-a-2.xml"), time(1, "sitemap-a-1.xml"));
        set.commit(&[write(&set, "t0", 1..=3)]).unwrap();
        assert!(time(2, "sitemap-a-2.xml") >= part + second, "{in_place}");
        assert_eq!(time(2, "sitemap-a-1.xml"), kept, "{in_place}");
        // The part becomes the top file. Its own file stays for the grace period, with its content, and is then replaced.
        set.commit(&[write(&set, "t0", [1])]).unwrap();
        assert_eq!(time(3, "sitemap-a-1.xml"), kept, "{in_place}");
        set.update(&[write(&set, "t1", [9])]).unwrap();
        assert!(time(4, "sitemap-a-1.xml") >= kept + second, "{in_place}");
    }
}

#[test]
fn copies_keep_their_time_and_are_synced() {
    let disk = Memory::new();
    disk.without_links();
    let set = open(&disk);
    set.commit(&[write(&set, "t0", 1..=6)]).unwrap();
    let first = public(&disk, false);
    let time = modified(&disk, "/set/generations/1/sitemap-a-1.xml");
    disk.wait(Duration::from_secs(10));
    set.commit(&[write(&set, "t0", 1..=3)]).unwrap();
    assert_eq!(modified(&disk, "/set/generations/2/sitemap-a-1.xml"), time);
    let after = public(&disk.after(Crash::Strict), false);
    for name in ["sitemap-a-1.xml", "sitemap-a-3.xml", "sitemap.css"] {
        assert!(after.get(name) == first.get(name), "{name}");
    }
    // A file in its grace period that somebody has removed does not matter.
    disk.remove_file(Path::new("/set/generations/2/sitemap-a-3.xml"))
        .unwrap();
    set.commit(&[write(&set, "t0", 1..=2)]).unwrap();
}

#[test]
fn two_generations_are_kept_whole() {
    let disk = Memory::new();
    let set = open(&disk);
    for ids in [1..=4, 1..=5, 1..=6] {
        set.commit(&[write(&set, "t0", ids)]).unwrap();
    }
    let tree = disk.tree();
    for (generation, files) in [(1, 0), (2, 5), (3, 5)] {
        let folder = format!("/set/generations/{generation}/");
        let found = tree.keys().filter(|path| path.starts_with(&folder)).count();
        assert_eq!(found, files, "{generation}: {:?}", tree.keys());
    }
}

#[test]
fn a_truncated_part_is_not_published() {
    let disk = Memory::new();
    let set = open(&disk);
    let list = write(&set, "t0", 1..=5);
    let tree = disk.tree();
    let part = tree.keys().find(|path| path.ends_with("/1.xml")).unwrap();
    overwrite(&disk, part, b"<urlset");
    let error = set.commit(&[list]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged);
    assert!(error.to_string().contains("is 7 bytes long and had "), "{error}");
    assert!(public(&disk, false).is_empty() || !disk.tree().contains_key("/set/current"));
}

/// A stylesheet is replaced if another version of the crate wrote it, or another program changed it.
#[test]
fn the_stylesheet_is_that_of_the_crate() {
    let disk = Memory::new();
    let set = open(&disk);
    set.commit(&[write(&set, "t0", 1..=4)]).unwrap();
    let old = STYLESHEET.replacen('a', "b", 1);
    overwrite(&disk, "/set/generations/1/sitemap.css", old.as_bytes());
    let path = "/set/state/manifest-1.json";
    let mut manifest = Manifest::from_json(&disk.tree()[path], path).unwrap();
    manifest.others[0].hash = ContentHash::of(old.as_bytes());
    overwrite(&disk, path, &manifest.to_json());
    set.commit(&[write(&set, "t0", 1..=4)]).unwrap();
    assert_eq!(public(&disk, false)["sitemap.css"], STYLESHEET.as_bytes());

    overwrite(&disk, "/set/generations/2/sitemap.css", b"cut");
    set.commit(&[write(&set, "t0", 1..=4)]).unwrap();
    assert_eq!(public(&disk, false)["sitemap.css"], STYLESHEET.as_bytes());
}

#[test]
fn in_place_files_stay_for_the_grace_period() {
    let disk = Memory::new();
    let set = builder(&disk, true).open().unwrap();
    let names = || public(&disk, true).into_keys().collect::<Vec<_>>();
    set.commit(&[write(&set, "t0", 1..=6)]).unwrap();
    set.commit(&[write(&set, "t0", 1..=3)]).unwrap();
    let all = [
        "sitemap-a-1.xml",
        "sitemap-a-2.xml",
        "sitemap-a-3.xml",
        "sitemap.css",
        "sitemap.xml",
    ];
    assert_eq!(names(), all);
    disk.wait(ALMOST_A_DAY);
    set.commit(&[write(&set, "t0", 1..=3)]).unwrap();
    assert_eq!(names(), all);
    disk.wait(Duration::from_secs(1));
    set.commit(&[write(&set, "t0", 1..=3)]).unwrap();
    assert_eq!(
        names(),
        ["sitemap-a-1.xml", "sitemap-a-2.xml", "sitemap.css", "sitemap.xml"]
    );
    // The only part is the top file, and has no file of its own.
    let set = builder(&disk, true).grace(Duration::ZERO).open().unwrap();
    set.commit(&[write(&set, "t0", [1])]).unwrap();
    assert_eq!(names(), ["sitemap.css", "sitemap.xml"]);
}

/// Files that are cached by browsers may still name it.
#[test]
fn a_stylesheet_that_is_switched_off_stays_for_the_grace_period() {
    for in_place in [false, true] {
        let disk = Memory::new();
        let commit_with = |stylesheet: bool, grace: Duration| {
            let set = builder(&disk, in_place)
                .default_stylesheet(stylesheet)
                .grace(grace)
                .open()
                .unwrap();
            set.commit(&[write(&set, "t0", 1..=4)]).unwrap();
            let files = public(&disk, in_place);
            let index = String::from_utf8(files["sitemap.xml"].clone()).unwrap();
            assert_eq!(index.contains("sitemap.css"), stylesheet, "{index}");
            files.get("sitemap.css").cloned()
        };
        let commit = |stylesheet| commit_with(stylesheet, 24 * HOUR);
        let is_there = Some(STYLESHEET.as_bytes().to_vec());
        assert_eq!(commit(true), is_there);
        assert_eq!(commit(false), is_there, "{in_place}");
        disk.wait(ALMOST_A_DAY);
        assert_eq!(commit(false), is_there, "{in_place}");
        disk.wait(Duration::from_secs(1));
        assert_eq!(commit(false), None, "{in_place}");

        // Switched on again in time, it stays.
        assert_eq!(commit(true), is_there);
        assert_eq!(commit(false), is_there);
        assert_eq!(commit(true), is_there);
        disk.wait(100 * HOUR);
        assert_eq!(commit(true), is_there, "{in_place}");
        assert_eq!(commit(true), is_there, "{in_place}");
        assert_eq!(commit_with(false, Duration::ZERO), None, "{in_place}");
    }
}

/// The lastmods of the index.
fn lastmods(disk: &Memory, in_place: bool) -> Vec<String> {
    let index: SitemapIndex = sitemap_serde::from_slice(&public(disk, in_place)["sitemap.xml"]).unwrap();
    index
        .iter()
        .map(|entry| entry.lastmod.unwrap().to_string())
        .collect()
}

/// A commit under a clock that is seventy years ahead: the next commit is still later, but dates nothing in the future, and
/// warns.
#[test]
fn a_clock_that_was_ahead() {
    const YEARS: Duration = Duration::from_secs(70 * 365 * 24 * 3600);
    for in_place in [false, true] {
        let disk = Memory::new();
        let set = builder(&disk, in_place).open().unwrap();
        set.commit(&[write(&set, "t0", 1..=4)]).unwrap();
        disk.wait(YEARS);
        let ahead = set.commit(&[write(&set, "t0", 1..=5)]).unwrap();
        assert_eq!(ahead.warnings, [""; 0]);
        assert_eq!(lastmods(&disk, in_place)[2], "2096-12-28T08:00:00Z");
        disk.turn_back(YEARS);
        disk.wait(HOUR);
        let warning = "the commit before is dated 2096-12-28T08:00:00Z, and it is 2027-01-15T09:00:00Z now: a clock was wrong, then or now; \
                       the parts are dated by the present one";
        let summary = set.commit(&[write(&set, "t0", [1, 3, 4, 5])]).unwrap();
        assert_eq!(summary.warnings, [warning], "{in_place}");
        assert_eq!(
            summary.to_string(),
            format!("4 files with 4 URLs, 658 bytes: 2 written, 2 kept, 0 removed; warning: {warning}")
        );
        // The first part has changed, the second is as in the first commit, and the third as in the one under the wrong clock.
        assert_eq!(
            lastmods(&disk, in_place),
            [
                "2027-01-15T09:00:00Z",
                "2027-01-15T08:00:00Z",
                "2027-01-15T09:00:00Z"
            ]
        );
        let folder = if in_place { "/set" } else { "/set/generations/3" };
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_003_600);
        for name in ["sitemap.xml", "sitemap-a-1.xml"] {
            let time = modified(&disk, &format!("{folder}/{name}"));
            assert!(time <= now + Duration::from_secs(1), "{in_place} {name} {time:?}");
        }
    }
}

/// With any clocks, commits follow each other, no part is dated later than its commit, and no file more than an hour after it.
#[test]
fn no_sequence_of_clocks_leaves_a_date_in_the_future() {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for in_place in [false, true] {
        let disk = Memory::new();
        let set = builder(&disk, in_place).open().unwrap();
        let mut clock = 0_u64;
        for i in 0..60 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            // Years, hours and seconds, forwards and backwards.
            let next = (random >> 20) % [4_000_000_000, 80_000, 3, 1][usize::try_from(random % 4).unwrap()];
            match next.checked_sub(clock) {
                Some(forth) => disk.wait(Duration::from_secs(forth)),
                None => disk.turn_back(Duration::from_secs(clock - next)),
            }
            clock = next;
            let summary = set.commit(&[write(&set, "t0", (1..=5).chain([10 + i]))]).unwrap();
            assert_eq!(summary.generation, u64::try_from(i).unwrap() + 1);
            let latest = W3cDateTime::try_from(disk.now() + HOUR).unwrap();
            for lastmod in lastmods(&disk, in_place) {
                assert!(
                    lastmod.parse::<W3cDateTime>().unwrap() <= latest,
                    "{lastmod} {latest}"
                );
            }
        }
    }
}

/// Some file systems have no links, and some programs may not make any.
#[test]
fn a_link_that_cannot_be_made_is_said_to_be_one() {
    let disk = Memory::new();
    for how in [io::ErrorKind::Unsupported, io::ErrorKind::PermissionDenied] {
        let mut settings = 0;
        for operation in 1.. {
            let disk = disk.failing_with(operation, how);
            let before = disk.operations();
            let Ok(set) = builder(&disk, false).open() else {
                continue;
            };
            let written = set.task_writer("a", "all").and_then(|mut writer| {
                writer.write(1, &UrlEntry::new("/1"))?;
                set.commit(&[writer.finish()?])
            });
            if let Err(error) = written
                && error.kind() == ErrorKind::Setting
            {
                settings += 1;
                assert_eq!(
                    error.to_string(),
                    format!(
                        "cannot make the link /set/current.new: {}; a directory without links is written in place, with \
                         `SitemapSet::in_place`",
                        io::Error::from(how)
                    )
                );
            }
            if disk.operations() - before < operation {
                break;
            }
        }
        assert_eq!(settings, 1, "{how:?}");
    }
}

/// If anything cannot be written, the error names the place, and its cause once, with all of its sources.
#[test]
fn a_full_disk_is_told_with_its_place_and_once() {
    let cause = io::Error::from(io::ErrorKind::StorageFull).to_string();
    let mut messages = std::collections::BTreeSet::new();
    for in_place in [false, true] {
        for operation in 1.. {
            let disk = Memory::new().failing_at(operation);
            let written = || {
                let set = builder(&disk, in_place).max_entries(150).open()?;
                let mut writer = set.task_writer("a", "all")?;
                for id in 0..400 {
                    // More than one chunk a part.
                    writer.write(id, &UrlEntry::new(format!("/{}-{id}", "x".repeat(1_900))))?;
                }
                set.commit(&[writer.finish()?])
            };
            if let Err(error) = written() {
                let mut chain = vec![error.to_string()];
                let mut source = std::error::Error::source(&error);
                while let Some(error) = source {
                    chain.push(error.to_string());
                    source = error.source();
                }
                assert!(chain[0].contains(" /"), "{chain:?}");
                assert_eq!(chain.concat().matches(&cause).count(), 1, "{chain:?}");
                let (before, _) = chain[0].split_once(" /").unwrap();
                messages.insert(before.to_owned());
            }
            if disk.operations() < operation {
                break;
            }
        }
    }
    assert!(
        messages.contains("section a: cannot write a part in"),
        "{messages:?}"
    );
    assert!(messages.contains("cannot write a part in"), "{messages:?}");
}

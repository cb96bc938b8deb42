//! Tests of syncing by several threads, as on a real disk.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sitemap_serde::UrlEntry;

use super::super::Directory;
use super::super::background_sync::BackgroundSync;
use super::memory::{Memory, Operation};
use crate::sets::{PartList, SetBuilder, SitemapSet, TaskWriter};
use crate::{ErrorKind, Result};

const THREADS: usize = 8;

/// Runs these tests one at a time. They share the program's few threads, and a writer without a thread does not sync.
fn alone() -> MutexGuard<'static, ()> {
    static RUNNING: Mutex<()> = Mutex::new(());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn open(disk: &Memory) -> SitemapSet {
    let directory = Directory::new(Arc::new(disk.clone()), PathBuf::from("/set"), false);
    SetBuilder::over(directory, "https://example.com")
        .max_entries(2)
        .open()
        .unwrap()
}

fn write(writer: &mut TaskWriter, ids: impl IntoIterator<Item = i64>) -> Result<()> {
    for id in ids {
        writer.write(id, &UrlEntry::new(format!("/{id}")))?;
    }
    Ok(())
}

fn list(set: &SitemapSet, ids: impl IntoIterator<Item = i64>) -> PartList {
    let mut writer = set.task_writer("a", "all").unwrap();
    write(&mut writer, ids).unwrap();
    writer.finish().unwrap()
}

/// A writer whose fifth row has completed the first part, `0.xml`.
fn five_rows(set: &SitemapSet) -> TaskWriter {
    let mut writer = set.task_writer("a", "all").unwrap();
    write(&mut writer, 1..=5).unwrap();
    writer
}

/// The unpublished parts.
fn staged(disk: &Memory) -> Vec<String> {
    let paths = disk.tree().into_keys();
    paths
        .filter(|path| path.starts_with("/set/state/staging/") && path.rsplit('.').next() == Some("xml"))
        .collect()
}

fn is_synced(disk: &Memory, path: &str) -> bool {
    let file = disk.file_at(path).unwrap();
    disk.log().contains(&Operation::Sync(file))
}

fn until(mut is_done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_part_is_synced_while_the_next_ones_are_written() {
    let _alone = alone();
    let disk = Memory::with_threads(THREADS, Duration::ZERO);
    let set = open(&disk);
    let mut writer = five_rows(&set);
    let parts = staged(&disk);
    assert_eq!(parts.len(), 3, "{parts:?}");
    until(|| is_synced(&disk, &parts[0]));
    assert!(!is_synced(&disk, &parts[1]));
    write(&mut writer, 6..=7).unwrap();
    until(|| is_synced(&disk, &parts[1]));
    let summary = set.commit(&[writer.finish().unwrap()]).unwrap();
    assert_eq!((summary.entries, summary.files), (7, 5));
}

/// A task of one part does not wait for the disk twice.
#[test]
fn the_only_part_is_left_to_the_commit() {
    let _alone = alone();
    let disk = Memory::with_threads(THREADS, Duration::ZERO);
    let set = open(&disk);
    let list = list(&set, 1..=2);
    assert!(!is_synced(&disk, &staged(&disk)[0]));
    set.commit(&[list]).unwrap();
}

/// No later sync of the file would report it again.
#[test]
fn a_failed_sync_in_a_thread_fails_the_task_with_the_path() {
    let _alone = alone();
    for finishes in [true, false] {
        let time = Duration::from_millis(if finishes { 300 } else { 0 });
        let disk = Memory::with_threads(THREADS, time);
        let first = open(&disk);
        first.commit(&[list(&first, 1..=4)]).unwrap();
        drop(first);
        let before = disk.tree()["/set/current"].clone();

        disk.cannot_sync(Some("/0.xml"));
        let set = open(&disk);
        let mut writer = five_rows(&set);
        let part = staged(&disk).remove(0);
        until(|| finishes && disk.is_syncing() || is_synced(&disk, &part));
        let error = if finishes {
            writer.finish().unwrap_err()
        } else {
            let mut rows = 6..;
            let mut error = None;
            until(|| {
                error = write(&mut writer, rows.next()).err();
                error.is_some()
            });
            let later = writer.finish().unwrap_err();
            assert!(later.to_string().contains("run the task again"), "{later}");
            error.unwrap()
        };
        let section = if finishes { "" } else { "section a: " };
        assert_eq!(
            error.to_string(),
            format!("{section}cannot sync {part}: a broken sector")
        );
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(staged(&disk), Vec::<String>::new());
        assert_eq!(disk.tree()["/set/current"], before);

        disk.cannot_sync(None);
        assert_eq!(set.commit(&[list(&set, 1..=5)]).unwrap().entries, 5);
    }
}

#[test]
fn a_failed_sync_in_a_thread_of_the_commit_publishes_nothing() {
    let _alone = alone();
    let disk = Memory::with_threads(THREADS, Duration::ZERO);
    let set = open(&disk);
    set.commit(&[list(&set, 1..=4)]).unwrap();
    let before = disk.tree()["/set/current"].clone();
    disk.cannot_sync(Some("/sitemap-a-30.xml"));
    let error = set.commit(&[list(&set, 1..=100)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot sync /set/generations/2/sitemap-a-30.xml: a broken sector"
    );
    assert_eq!(disk.tree()["/set/current"], before);
}

#[test]
fn a_dropped_writer_removes_its_parts_after_the_sync_in_progress() {
    let _alone = alone();
    let disk = Memory::with_threads(THREADS, Duration::from_millis(100));
    let set = open(&disk);
    let writer = five_rows(&set);
    let part = staged(&disk).remove(0);
    until(|| disk.is_syncing() || is_synced(&disk, &part));
    drop(writer);
    assert_eq!(staged(&disk), Vec::<String>::new());
}

/// A writer without its own thread continues, and leaves its files to the commit.
#[test]
fn many_writers_share_a_few_threads() {
    let _alone = alone();
    let disk = Memory::with_threads(THREADS, Duration::from_millis(100));
    let set = open(&disk);
    let _writer = five_rows(&set);
    let mut syncs = Vec::new();
    for path in std::iter::repeat_n(staged(&disk), 10).flatten() {
        let mut sync = BackgroundSync::new(Arc::new(disk.clone()));
        sync.add(Path::new(&path).to_owned()).unwrap();
        syncs.push(sync);
    }
    for mut sync in syncs {
        sync.end().unwrap();
    }
    assert!(disk.most_syncing() <= 8, "{}", disk.most_syncing());
}

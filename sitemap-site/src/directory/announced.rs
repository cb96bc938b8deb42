//! The files of the set that was announced last: a folder of links in the private state, and a file with its name.

use std::path::PathBuf;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::set::{Snapshot, no_snapshot};

use super::Directory;

/// The file with the name of the snapshot that is announced.
const RECORD: &str = "announced";

impl Directory {
    fn record(&self) -> PathBuf {
        self.state().join(RECORD)
    }

    /// The name of the snapshot that is announced.
    fn recorded(&self) -> Result<Option<String>> {
        let Some(text) = self.read_if_there(&self.record())? else {
            return Ok(None);
        };
        let name = String::from_utf8_lossy(&text).trim().to_owned();
        if Snapshot::is_name(&name) {
            Ok(Some(name))
        } else {
            Err(no_snapshot(
                &self.record().display().to_string(),
                "the record is damaged",
            ))
        }
    }

    fn open_snapshot(&self, name: String) -> Result<Snapshot> {
        let folder = self.state().join(&name);
        let mut documents = self.list(&folder)?;
        documents.sort();
        let directory = self.clone();
        Ok(Snapshot {
            name,
            documents,
            open: Arc::new(move |name| directory.open(&folder, name)),
        })
    }

    /// Links the files of the published set, which other commits replace. Only these and the announced ones stay.
    pub(crate) fn snapshot(&self) -> Result<Snapshot> {
        self.create_folders()?;
        let _lock = self.lock()?;
        let Some(published) = self.load()? else {
            return Err(Error::new(
                ErrorKind::Io,
                "nothing is published: there is no sitemap.xml with a manifest",
            ));
        };
        let name = Snapshot::name_of(&published.manifest);
        let folder = self.state().join(&name);
        let recorded = self.recorded()?;
        self.remove_snapshots(|other| other != name && Some(other) != recorded.as_deref())?;
        if recorded.as_ref() != Some(&name) {
            // What a killed program has left may be incomplete.
            self.remove(&folder)?;
            self.create_dir_all(&folder)?;
            for file in Snapshot::files_of(&published.manifest) {
                let (from, to) = (published.folder.join(&file), folder.join(&file));
                if self.disk.hard_link(&from, &to).is_err() {
                    self.write_file(&to, &self.read(&from)?, None)?;
                }
            }
            self.sync_dir(&folder)?;
        }
        self.open_snapshot(name)
    }

    /// The set that was announced last; `None` if there is none.
    pub(crate) fn announced(&self) -> Result<Option<Snapshot>> {
        let Some(name) = self.recorded()? else {
            return Ok(None);
        };
        let folder = self.state().join(&name);
        if self.metadata(&folder)?.is_none() {
            let why = format!("there is no {}", folder.display());
            return Err(no_snapshot(&self.record().display().to_string(), &why));
        }
        self.open_snapshot(name).map(Some)
    }

    /// Records a snapshot as announced, and removes all others.
    pub(crate) fn mark_announced(&self, name: &str) -> Result<()> {
        let _lock = self.lock()?;
        if self.metadata(&self.state().join(name))?.is_none() {
            return Err(Error::new(
                ErrorKind::Conflict,
                "another program has compared or announced another set in the meantime: compare and announce again",
            ));
        }
        let (record, next) = (self.record(), self.state().join(format!("{RECORD}.new")));
        self.write_file(&next, format!("{name}\n").as_bytes(), None)?;
        self.disk
            .rename(&next, &record)
            .map_err(|error| Error::file("replace", &record, error))?;
        self.sync_dir(&self.state())?;
        self.remove_snapshots(|other| other != name)
    }

    fn remove_snapshots(&self, is_old: impl Fn(&str) -> bool) -> Result<()> {
        for name in self.list(&self.state())? {
            if Snapshot::is_name(&name) && is_old(&name) {
                self.remove(&self.state().join(name))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;
    use std::sync::Arc;

    use sitemap_serde::UrlEntry;

    use super::super::memory::{Crash, Memory};
    use super::Directory;
    use crate::Result;
    use crate::set::{SetBuilder, SitemapSet};

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
}

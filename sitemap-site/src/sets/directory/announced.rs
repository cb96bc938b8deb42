//! The files of the set that was announced last: a folder of links in the private state, and a file with its name.

use std::path::PathBuf;
use std::sync::Arc;

use super::Directory;
use crate::error::{Error, ErrorKind, Result};
use crate::sets::backend::{Snapshot, no_snapshot};

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
    pub(super) fn keep_snapshot(&self) -> Result<Snapshot> {
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
    pub(super) fn announced_snapshot(&self) -> Result<Option<Snapshot>> {
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
    pub(super) fn record_announced(&self, name: &str) -> Result<()> {
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

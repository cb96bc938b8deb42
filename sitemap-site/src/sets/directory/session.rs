//! Sessions: the folder into which one program writes files before they are published.
//!
//! **The operating system provides the locks, which are released explicitly.** The existence of a file is not a lock, since a
//! killed program leaves the file behind. Closing a locked file does not always release the lock: a child process that is being
//! started at that moment has the file open too.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Directory;
use super::background_sync::BackgroundSync;
use super::disk::{Disk, Lock};
use crate::error::{Error, ErrorKind, Result};
use crate::part::PartFacts;
use crate::sets::backend::ABANDONED_AFTER;
use crate::sets::session::{self, Session, Staged, StagedPlace};
use crate::time::since_1970;

/// The file that a running session locks; its modification time is the session's heartbeat.
const LOCK: &str = "lock";
/// The file that marks a session whose files wait for the commit of another program.
const LEFT: &str = "left";

/// A folder of unpublished files, locked while its program runs.
#[derive(Debug)]
pub(super) struct FolderSession {
    disk: Arc<dyn Disk>,
    name: String,
    folder: PathBuf,
    _lock: Lock,
    files: AtomicU64,
}

impl FolderSession {
    pub(super) fn begin(disk: Arc<dyn Disk>, staging: &Path) -> Result<Self> {
        static SESSIONS: AtomicU64 = AtomicU64::new(0);
        for _ in 0..100 {
            let name = format!(
                "{:x}-{:x}-{:x}",
                since_1970(disk.now()).as_nanos(),
                std::process::id(),
                SESSIONS.fetch_add(1, Ordering::Relaxed)
            );
            let folder = staging.join(&name);
            match disk.create_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                created => created.map_err(|error| Error::file("create", &folder, error))?,
            }
            let path = folder.join(LOCK);
            match disk.lock(&path) {
                // A concurrent commit took the new folder for an abandoned one, and removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Ok(None) => {}
                Ok(Some(lock)) => {
                    let still_there = disk
                        .metadata(&path)
                        .map_err(|error| Error::file("look at", &path, error))?;
                    if still_there.is_some() {
                        return Ok(FolderSession {
                            disk,
                            name,
                            folder,
                            _lock: lock,
                            files: AtomicU64::new(0),
                        });
                    }
                }
                Err(error) => return Err(Error::file("lock", &path, error)),
            }
        }
        Err(Error::new(
            ErrorKind::Io,
            format!(
                "cannot begin to write in {}: other programs keep removing the new folders",
                staging.display()
            ),
        ))
    }
}

impl Session for FolderSession {
    fn create(&self, extension: &str) -> Result<Staged> {
        let number = self.files.fetch_add(1, Ordering::Relaxed);
        let file = format!("{number}{extension}");
        let path = self.folder.join(&file);
        let created = self
            .disk
            .create(&path)
            .map_err(|error| Error::file("create", &path, error))?;
        Ok(Staged {
            size: 0,
            place: StagedPlace::File {
                name: format!("{}/{file}", self.name),
                file: created,
            },
        })
    }

    fn end(&self, staged: Staged, _: &str, _: &PartFacts, _: &str) -> Result<(String, u64)> {
        match staged.place {
            StagedPlace::File { name, .. } => Ok((name, staged.size)),
            StagedPlace::Memory(_) => Err(Error::new(
                ErrorKind::Io,
                "a part of a directory was kept in memory",
            )),
        }
    }

    fn folder(&self) -> Option<&Path> {
        Some(&self.folder)
    }

    fn background_sync(&self) -> Option<Box<dyn session::BackgroundSync>> {
        Some(Box::new(Syncing {
            session: self.name.clone(),
            folder: self.folder.clone(),
            files: BackgroundSync::new(Arc::clone(&self.disk)),
        }))
    }

    fn committed(&self) -> bool {
        false
    }

    fn beat(&self) {
        // A single missed heartbeat does no harm.
        let _ = self.disk.set_modified(&self.folder.join(LOCK), self.disk.now());
    }

    fn leave(&self) {
        // If this fails, a program that is not killed tries again when it ends.
        let _ = self.disk.create(&self.folder.join(LEFT));
    }

    fn discard(&self, staged: &str) {
        if let Some((session, file)) = staged.split_once('/')
            && session == self.name
        {
            // If this fails, the file is removed with the session.
            let _ = self.disk.remove_file(&self.folder.join(file));
        }
    }
}

/// Syncs the finished files of one writer of a session.
#[derive(Debug)]
struct Syncing {
    session: String,
    folder: PathBuf,
    files: BackgroundSync,
}

impl session::BackgroundSync for Syncing {
    fn add(&mut self, staged: &str) -> Result<()> {
        match staged.split_once('/') {
            Some((session, file)) if session == self.session => self.files.add(self.folder.join(file)),
            _ => Ok(()),
        }
    }

    fn end(&mut self) -> Result<()> {
        self.files.end()
    }
}

/// A session that ends with files keeps them: their lists were sent to another program.
impl Drop for FolderSession {
    fn drop(&mut self) {
        let Ok(names) = self.disk.list(&self.folder) else {
            return;
        };
        if names.iter().any(|name| name != LOCK && name != LEFT) {
            return self.leave();
        }
        for name in [LEFT, LOCK] {
            let _ = self.disk.remove_file(&self.folder.join(name));
        }
        let _ = self.disk.remove_dir(&self.folder);
    }
}

/// The path of a staged file, if its name is a valid one.
pub(super) fn staged_path(staging: &Path, staged: &str) -> Option<PathBuf> {
    let (session, file) = staged.split_once('/')?;
    let plain = |name: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
        !name.is_empty() && !name.starts_with('.') && name.bytes().all(allowed)
    };
    (plain(session) && plain(file)).then(|| staging.join(session).join(file))
}

impl Directory {
    /// Removes sessions of killed programs that sent no list, or whose files were not committed within a day.
    pub(super) fn clear_sessions(&self, problems: &mut Vec<String>) {
        let staging = self.staging();
        let names = match self.list(&staging) {
            Ok(names) => names,
            Err(error) => return problems.push(error.to_string()),
        };
        for name in names {
            if let Err(error) = self.clear_session(&staging.join(name)) {
                problems.push(error.to_string());
            }
        }
    }

    fn clear_session(&self, folder: &Path) -> Result<()> {
        let lock_path = folder.join(LOCK);
        let beat = self.metadata(&lock_path)?;
        let age = beat.map(|beat| self.disk.now().duration_since(beat.modified).unwrap_or_default());
        let is_old = age.is_none_or(|age| age >= ABANDONED_AFTER);
        let _lock = match self.disk.lock(&lock_path) {
            // Its program is running.
            Ok(None) => return Ok(()),
            Ok(Some(lock)) => lock,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Error::file("lock", &lock_path, error)),
        };
        // Read under the lock, since a program sends its list before it ends.
        let files = self.list(folder)?;
        let is_left = files.iter().any(|name| name == LEFT);
        let has_files = files.iter().any(|name| name != LOCK && name != LEFT);
        if is_left && has_files && !is_old {
            return Ok(());
        }
        self.remove(folder)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::memory::Memory;
    use super::*;

    const STAGING: &str = "/set/state/staging";

    /// A disk with the folder of sessions.
    fn disk() -> Memory {
        let disk = Memory::new();
        for folder in ["/set", "/set/state", STAGING] {
            disk.create_dir(Path::new(folder)).unwrap();
        }
        disk
    }

    fn begin(disk: &Memory) -> FolderSession {
        FolderSession::begin(Arc::new(disk.clone()), Path::new(STAGING)).unwrap()
    }

    /// The sessions after commits.
    fn cleared(disk: &Memory) -> Vec<String> {
        let directory = Directory::new(Arc::new(disk.clone()), PathBuf::from("/set"), false);
        let mut problems = Vec::new();
        directory.clear_sessions(&mut problems);
        assert_eq!(problems, [""; 0]);
        disk.list(Path::new(STAGING)).unwrap()
    }

    #[test]
    fn names_lead_nowhere_else() {
        let staging = Path::new(STAGING);
        for (name, path) in [
            ("1a-2-0/0.xml", Some("/set/state/staging/1a-2-0/0.xml")),
            ("1a-2-0/12.xml.gz", Some("/set/state/staging/1a-2-0/12.xml.gz")),
            ("0.xml", None),
            ("/0.xml", None),
            ("1a-2-0/", None),
            ("../0.xml", None),
            ("1a-2-0/../../../current", None),
            ("1a-2-0/..", None),
            ("1a-2-0/.hidden", None),
            ("./0.xml", None),
            ("1a-2-0//etc", None),
            ("C:\\a/0.xml", None),
            ("1a-2-0/a:b", None),
            ("1a-2-0/\u{e9}.xml", None),
        ] {
            assert_eq!(
                staged_path(staging, name).as_deref(),
                path.map(Path::new),
                "{name}"
            );
        }
    }

    #[test]
    fn a_session_without_files_leaves_nothing() {
        let disk = disk();
        let session = begin(&disk);
        assert_eq!(cleared(&disk), [session.name.as_str()]);
        let staged = session.create(".xml").unwrap();
        let StagedPlace::File { name, .. } = &staged.place else {
            panic!("a directory has files");
        };
        session.leave();
        session.discard("another/0.xml");
        session.discard(name);
        drop(session);
        assert_eq!(disk.list(Path::new(STAGING)).unwrap(), [""; 0]);
    }

    #[test]
    fn files_wait_a_day_for_the_commit_of_another_program() {
        let disk = disk();
        let session = begin(&disk);
        let name = session.name.clone();
        session.create(".xml").unwrap();
        drop(session);
        disk.wait(ABANDONED_AFTER.saturating_sub(Duration::from_secs(1)));
        assert_eq!(cleared(&disk), [name]);
        disk.wait(Duration::from_secs(1));
        assert_eq!(cleared(&disk), [""; 0]);
    }

    #[test]
    fn the_day_begins_with_the_last_heartbeat() {
        let disk = disk();
        let session = begin(&disk);
        let name = session.name.clone();
        session.create(".xml").unwrap();
        disk.wait(ABANDONED_AFTER);
        session.beat();
        drop(session);
        disk.wait(Duration::from_secs(3600));
        assert_eq!(cleared(&disk), [name]);
    }

    /// No program knows the files of a killed program, unless they were left for another one.
    #[test]
    fn a_killed_session() {
        for is_left in [false, true] {
            let disk = disk();
            let session = begin(&disk);
            let name = session.name.clone();
            session.create(".xml").unwrap();
            if is_left {
                session.leave();
            }
            let after = disk.dying_after(1_000);
            drop(session);
            let kept = cleared(&after);
            assert_eq!(kept, if is_left { vec![name] } else { Vec::new() });
        }
    }
}

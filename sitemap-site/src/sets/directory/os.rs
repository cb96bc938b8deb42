//! The operating system's files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::disk::{Disk, DiskFile, FileKind, Lock, Metadata};

#[derive(Debug)]
pub(crate) struct Os;

impl DiskFile for File {}

impl Disk for Os {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        fs::read_dir(path)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect()
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(File::create(path)?))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(File::open(path)?))
    }

    fn metadata(&self, path: &Path) -> io::Result<Option<Metadata>> {
        let found = match fs::symlink_metadata(path) {
            Err(error) if is_missing(&error) => return Ok(None),
            found => found?,
        };
        let kind = if found.file_type().is_symlink() {
            FileKind::Link
        } else if found.is_dir() {
            FileKind::Folder
        } else {
            FileKind::File
        };
        Ok(Some(Metadata {
            kind,
            len: found.len(),
            modified: found.modified()?,
        }))
    }

    fn set_modified(&self, path: &Path, time: SystemTime) -> io::Result<()> {
        OpenOptions::new().write(true).open(path)?.set_modified(time)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        // Windows asks for the right to write.
        OpenOptions::new().write(true).open(path)?.sync_all()
    }

    fn syncs_at_once(&self) -> usize {
        8
    }

    #[cfg(unix)]
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    /// Only Unix has this operation: NTFS keeps names in a journal.
    #[cfg(not(unix))]
    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn hard_link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    #[cfg(unix)]
    fn symlink(&self, target: &Path, link: &Path) -> io::Result<()> {
        std::os::unix::fs::symlink(target, link)
    }

    #[cfg(not(unix))]
    fn symlink(&self, _: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn read_link(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        match fs::read_link(path) {
            Err(error) if is_missing(&error) => Ok(None),
            target => target.map(Some),
        }
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Box::new(Locked(file)))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// A lock that is released explicitly. Closing the file is not enough: a child process being started may have it open.
#[derive(Debug)]
struct Locked(File);

impl Drop for Locked {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test cannot see whether a file is on the disk, only whether a sync was requested.
    #[test]
    #[cfg(unix)]
    fn what_is_missing_cannot_be_synced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing");
        for synced in [Os.sync_file(&path), Os.sync_dir(&path)] {
            assert_eq!(synced.unwrap_err().kind(), io::ErrorKind::NotFound);
        }
    }

    /// A child process may have it like this.
    #[test]
    fn a_lock_is_released_while_its_file_is_open_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let file = File::create(&path).unwrap();
        file.try_lock().unwrap();
        let lock = Locked(file.try_clone().unwrap());
        assert!(Os.lock(&path).unwrap().is_none());
        drop(lock);
        assert!(Os.lock(&path).unwrap().is_some());
        drop(file);
    }
}

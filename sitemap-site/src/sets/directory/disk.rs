//! The file operations of a set in a directory, as a trait: the tests use a simulated disk that loses unsynced changes.

use std::any::Any;
use std::fmt::Debug;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(crate) use crate::sets::session::DiskFile;

pub(crate) trait Disk: Debug + Send + Sync {
    /// Creates a folder; an error if the name exists.
    fn create_dir(&self, path: &Path) -> io::Result<()>;
    /// The names in a folder, in any order.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;
    /// Creates or truncates a file.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    fn open(&self, path: &Path) -> io::Result<Box<dyn Read + Send>>;
    /// The metadata of a file, folder or link (not of its target); `None` if there is none.
    fn metadata(&self, path: &Path) -> io::Result<Option<Metadata>>;
    fn set_modified(&self, path: &Path, time: SystemTime) -> io::Result<()>;
    /// Syncs a file's content: returns once it is on the disk.
    fn sync_file(&self, path: &Path) -> io::Result<()>;
    /// The number of threads that sync files.
    fn syncs_at_once(&self) -> usize {
        1
    }
    /// Syncs a folder: returns once its names are on the disk.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
    /// Renames a file, replacing one at the new path.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn hard_link(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn symlink(&self, target: &Path, link: &Path) -> io::Result<()>;
    /// The target of a link; `None` if there is none.
    fn read_link(&self, path: &Path) -> io::Result<Option<PathBuf>>;
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_dir(&self, path: &Path) -> io::Result<()>;
    /// Creates the file if it is missing, and locks it until the value is dropped; `None` if it is locked already.
    fn lock(&self, path: &Path) -> io::Result<Option<Lock>>;
    fn now(&self) -> SystemTime;
}

/// A lock of the operating system, which releases it when the program ends in any way.
pub(crate) type Lock = Box<dyn Any + Send + Sync>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) kind: FileKind,
    pub(crate) len: u64,
    pub(crate) modified: SystemTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    File,
    Folder,
    Link,
}

//! The file operations that a set in a directory is made of, so that the tests can put a disk in place of the real one that loses
//! what was not synced.

use std::any::Any;
use std::fmt::Debug;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(crate) trait Disk: Debug + Send + Sync {
    /// Creates a folder; an error if there is something of that name.
    fn create_dir(&self, path: &Path) -> io::Result<()>;
    /// The names in a folder, in no order.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;
    /// Creates a file, or empties the one that is there.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    fn open(&self, path: &Path) -> io::Result<Box<dyn Read + Send>>;
    /// Of what stands at the path, a link itself; `None` if nothing does.
    fn metadata(&self, path: &Path) -> io::Result<Option<Metadata>>;
    fn set_modified(&self, path: &Path, time: SystemTime) -> io::Result<()>;
    /// Returns once the file's content is on the disk.
    fn sync_file(&self, path: &Path) -> io::Result<()>;
    /// By how many threads files are synced at once.
    fn syncs_at_once(&self) -> usize {
        1
    }
    /// Returns once the folder's names are on the disk.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
    /// Replaces what is at the new path.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn hard_link(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn symlink(&self, target: &Path, link: &Path) -> io::Result<()>;
    /// `None` if there is nothing.
    fn read_link(&self, path: &Path) -> io::Result<Option<PathBuf>>;
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_dir(&self, path: &Path) -> io::Result<()>;
    /// Creates the file if need be, and locks it until the value is dropped; `None` if somebody else has it.
    fn lock(&self, path: &Path) -> io::Result<Option<Lock>>;
    fn now(&self) -> SystemTime;
}

/// A lock of the operating system. It ends with its program, however that ends.
pub(crate) type Lock = Box<dyn Any + Send + Sync>;

pub(crate) trait DiskFile: Write + Debug + Send {}

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

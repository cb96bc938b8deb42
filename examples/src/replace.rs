//! Files that are complete or absent.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Writes a file next to its place, and moves it there once it is complete, so that no reader sees half of it.
///
/// # Errors
/// Errors of `write` and of the file system. The old file then stays.
pub fn replace(place: &Path, write: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let mut name = OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    name.push(format!(".{}", std::process::id()));
    let mut file = Temporary::create(place.with_file_name(name))
        .with_context(|| format!("cannot write beside {}", place.display()))?;
    write(&mut file.file)?;
    file.put(place)
        .with_context(|| format!("cannot replace {}", place.display()))
}

/// A file that is removed unless it is moved to its place.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    fn create(path: PathBuf) -> io::Result<Self> {
        let file = File::create(&path)?;
        Ok(Temporary { path, file })
    }

    fn put(self, place: &Path) -> io::Result<()> {
        // The new file keeps the old one's permissions.
        if let Ok(old) = fs::metadata(place) {
            self.file.set_permissions(old.permissions())?;
        }
        // Sync the content before the rename: a machine that stops has the old file or the new one.
        self.file.sync_all()?;
        fs::rename(&self.path, place)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After `put` there is no such file.
        let _ = fs::remove_file(&self.path);
    }
}

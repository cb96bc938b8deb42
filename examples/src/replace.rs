//! Files that are there whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Writes a file beside its place, and puts it there when it is whole: nobody ever reads half of it.
///
/// # Errors
/// Those of `write`, and what the file system says. What was there stays then.
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

/// A file that is removed unless it is put in its place.
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
        // Who may read the old file may read the new one.
        if let Ok(old) = fs::metadata(place) {
            self.file.set_permissions(old.permissions())?;
        }
        // Before its name, its content: a machine that stops now has the old file or the new one.
        self.file.sync_all()?;
        fs::rename(&self.path, place)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After `put` there is none.
        let _ = fs::remove_file(&self.path);
    }
}

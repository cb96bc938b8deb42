//! Output to a file: a regular one is there whole or as it was, everything else is written in place.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Refuses a path where a file is, unless the user has asked for its replacement.
pub(crate) fn keep_existing(path: &Path, force: bool) -> Result<()> {
    if !force && fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        bail!("{} is there already: --force replaces it", path.display());
    }
    Ok(())
}

/// Whether a file of that name is written compressed.
pub(crate) fn is_gzip_name(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Writes to a path by `write`, which says whether what it wrote is wanted, and returns what a user should know of it.
///
/// A regular file, and a path where nothing is, gets what was written when all of it is: it is written beside the place, and
/// renamed. It has the permissions and the owner of the file that it replaces. A device, a FIFO, a socket or whatever else is
/// there is written to directly, as is what a dangling link leads to.
///
/// # Errors
/// Those of `write`, and what the file system says. A regular file is as it was then.
pub(crate) fn write_to(path: &Path, write: impl FnOnce(&mut File) -> Result<bool>) -> Result<Vec<String>> {
    // What is replaced is the file, not a link to it.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = match fs::metadata(&place) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(|| format!("cannot look at {}", path.display())),
    };
    let is_dangling = old.is_none() && fs::symlink_metadata(&place).is_ok();
    if is_dangling || old.as_ref().is_some_and(|old| !old.is_file()) {
        let mut file = OpenOptions::new()
            .write(true)
            .create(is_dangling)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        write(&mut file)?;
        return Ok(Vec::new());
    }
    let mut temporary =
        Temporary::beside(&place).with_context(|| format!("cannot write beside {}", place.display()))?;
    if !write(&mut temporary.file)? {
        return Ok(Vec::new());
    }
    temporary
        .put(&place, old.as_ref())
        .with_context(|| format!("cannot replace {}", place.display()))
}

/// A file that is removed unless it is put in its place.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    /// One with a name that nothing has.
    fn beside(place: &Path) -> io::Result<Self> {
        let mut attempt = 0_u32;
        loop {
            let mut name = OsString::from(".");
            name.push(place.file_name().unwrap_or_default());
            name.push(format!(".{}.{attempt}", std::process::id()));
            let path = place.with_file_name(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Temporary { path, file }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => attempt += 1,
                Err(error) => return Err(error),
            }
        }
    }

    fn put(self, place: &Path, old: Option<&Metadata>) -> io::Result<Vec<String>> {
        let mut notes = Vec::new();
        if let Some(old) = old {
            owner(&self.file, place, old, &mut notes);
            // After the owner, since changing that takes bits away.
            self.file.set_permissions(old.permissions())?;
        }
        // Before its name, its content: a machine that stops now has the old file or the new one.
        self.file.sync_all()?;
        fs::rename(&self.path, place)?;
        Ok(notes)
    }
}

/// Gives the new file the owner of the old one, and says what cannot be kept.
#[cfg(unix)]
fn owner(file: &File, place: &Path, old: &Metadata, notes: &mut Vec<String>) {
    use std::os::unix::fs::{MetadataExt, fchown};

    if old.nlink() > 1 {
        let others = old.nlink() - 1;
        let names = if others == 1 { "name" } else { "names" };
        notes.push(format!(
            "{} has {others} other {names} (hard links), which keep the old content",
            place.display()
        ));
    }
    let differs = file
        .metadata()
        .map_or(true, |new| (new.uid(), new.gid()) != (old.uid(), old.gid()));
    if differs && let Err(error) = fchown(file, Some(old.uid()), Some(old.gid())) {
        notes.push(format!(
            "{} does not keep its owner {}:{}: {error}",
            place.display(),
            old.uid(),
            old.gid()
        ));
    }
}

#[cfg(not(unix))]
fn owner(_: &File, _: &Path, _: &Metadata, _: &mut Vec<String>) {}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After `put` there is none.
        let _ = fs::remove_file(&self.path);
    }
}

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
/// Those of `write`, what the file system says, a file that is read-only, and one that somebody else has changed, or made, while
/// `write` was at work. A regular file is as it was then.
pub(crate) fn write_to(path: &Path, write: impl FnOnce(&mut File) -> Result<bool>) -> Result<Vec<String>> {
    // What is replaced is the file, not a link to it.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = Old::at(&place).with_context(|| format!("cannot look at {}", path.display()))?;
    let is_dangling = old.is_none() && fs::symlink_metadata(&place).is_ok();
    if is_dangling || old.as_ref().is_some_and(|old| !old.metadata.is_file()) {
        let mut file = OpenOptions::new()
            .write(true)
            .create(is_dangling)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        write(&mut file)?;
        return Ok(Vec::new());
    }
    if old
        .as_ref()
        .is_some_and(|old| old.metadata.permissions().readonly())
    {
        bail!(
            "{} is read-only: make it writable, or write to another file",
            path.display()
        );
    }
    let mut temporary =
        Temporary::beside(&place).with_context(|| format!("cannot write beside {}", place.display()))?;
    if !write(&mut temporary.file)? {
        return Ok(Vec::new());
    }
    temporary.put(&place, old.as_ref())
}

/// A file that is to be replaced, as it was before anything was read of it.
#[derive(Debug)]
struct Old {
    metadata: Metadata,
}

impl Old {
    fn at(place: &Path) -> io::Result<Option<Self>> {
        match fs::metadata(place) {
            Ok(metadata) => Ok(Some(Old { metadata })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether that is the same file with the same content, as far as its size and time say.
    fn is_still(&self, place: &Path) -> bool {
        let Ok(now) = fs::metadata(place) else {
            return false;
        };
        let old = &self.metadata;
        now.len() == old.len() && now.modified().ok() == old.modified().ok() && is_same_file(&now, old)
    }

    /// Keeps other runs of this program from replacing the file until what is returned is dropped. Where a file system has no locks
    /// there is nothing to keep.
    fn lock(place: &Path) -> Option<File> {
        let file = File::open(place).ok()?;
        file.lock().ok().map(|()| file)
    }
}

#[cfg(unix)]
fn is_same_file(now: &Metadata, old: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    (now.dev(), now.ino()) == (old.dev(), old.ino())
}

#[cfg(not(unix))]
fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
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

    fn put(self, place: &Path, old: Option<&Old>) -> Result<Vec<String>> {
        let told = || format!("cannot replace {}", place.display());
        let mut notes = Vec::new();
        if let Some(Old { metadata }) = old {
            owner(&self.file, place, metadata, &mut notes);
            // After the owner, since changing that takes bits away.
            self.file
                .set_permissions(metadata.permissions())
                .with_context(told)?;
        }
        // Before its name, its content: a machine that stops now has the old file or the new one.
        self.file.sync_all().with_context(told)?;
        let Some(old) = old else {
            return self.put_new(place).map(|()| notes);
        };
        // Of two runs at once, the second finds another file here.
        let lock = Old::lock(place);
        if !old.is_still(place) {
            bail!(
                "{} was changed by somebody else meanwhile, and stays as it is now: run this again",
                place.display()
            );
        }
        fs::rename(&self.path, place).with_context(told)?;
        drop(lock);
        Ok(notes)
    }

    /// Puts it where nothing is.
    fn put_new(&self, place: &Path) -> Result<()> {
        // A rename would replace what somebody else has put there meanwhile.
        match fs::hard_link(&self.path, place) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => bail!(
                "{} was made by somebody else meanwhile, and stays as it is now: run this again",
                place.display()
            ),
            // A file system without hard links.
            Err(_) => {
                fs::rename(&self.path, place).with_context(|| format!("cannot write {}", place.display()))
            }
        }
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

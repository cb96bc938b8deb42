//! Writes output to files. A regular file is replaced atomically; everything else is written in place.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The time to wait for a locked file. Other runs of this program lock it only for a rename.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

/// The age below which an unlocked temporary file may still be in creation.
const FRESH: Duration = Duration::from_secs(60);

/// Returns an error if the file exists, unless the user wants to replace it.
pub(crate) fn keep_existing(path: &Path, force: bool) -> Result<()> {
    if !force && fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        bail!("{} already exists: --force replaces it", path.display());
    }
    Ok(())
}

/// Returns an error if a file cannot be written because it is a directory, or because its directory does not exist.
pub(crate) fn check_place(path: &Path, option: &str) -> Result<()> {
    check_file(path, option)?;
    if path.is_dir() {
        bail!("{option} names a file, and {} is a directory", path.display());
    }
    check_folder(path, path)
}

fn check_folder(path: &Path, place: &Path) -> Result<()> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.exists()) {
        bail!(
            "{} cannot be written: there is no directory {}",
            path.display(),
            folder.display()
        );
    }
    Ok(())
}

/// Returns an error if an option names `-`: it does not support standard output.
pub(crate) fn check_file(path: &Path, option: &str) -> Result<()> {
    if path == Path::new("-") {
        bail!("{option} names a file, and `-` is standard output: for a file of that name, write `./-`");
    }
    Ok(())
}

/// Calls `write`, which writes a set of files into a folder. On failure, or if `is_undone`, removes the folders that it created, unless
/// they contain something.
pub(crate) fn in_folder<T>(folder: &Path, is_undone: bool, write: impl FnOnce() -> Result<T>) -> Result<T> {
    let staging = folder.join(".sitemap/staging");
    let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let new: Vec<_> = staging.ancestors().take_while(is_new).collect();
    let written = write();
    if written.is_err() || is_undone {
        for folder in new {
            // Another program may have written into it.
            let _ = fs::remove_dir(folder);
        }
    }
    written
}

/// Returns the absolute path of a file, which need not exist. Only the last segment may be a link, so a file has exactly one such path.
pub(crate) fn place(path: &Path) -> PathBuf {
    let Some(name) = path.file_name() else {
        return fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match fs::canonicalize(folder.unwrap_or(Path::new("."))) {
        Ok(folder) => folder.join(name),
        Err(_) => path.to_owned(),
    }
}

/// Ends the last line of a document. Indented documents already end with a line break.
pub(crate) fn end_line(mut out: impl Write, is_indented: bool) -> io::Result<()> {
    if is_indented { Ok(()) } else { writeln!(out) }
}

/// Returns `true` if a file with this name is written compressed.
pub(crate) fn is_gzip_name(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Writes a file by calling `write`, like [`Target::write`]. `write` opens its input itself.
///
/// # Errors
/// The errors of [`Target::at`] and [`Target::write`].
pub(crate) fn write_to(path: &Path, write: impl FnOnce(&mut File) -> Result<bool>) -> Result<Vec<String>> {
    Target::at(path)?.write(write)
}

/// A file to be written, and its state before it was read.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    /// The file itself, with links resolved.
    place: PathBuf,
    old: Option<Old>,
}

impl Target {
    /// Records the state of a file that will be written. A program that changes a file calls this before it opens the file, so that later
    /// changes by other programs are detected.
    ///
    /// # Errors
    /// An error of the file system.
    pub(crate) fn at(path: &Path) -> Result<Self> {
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if place.is_dir() {
            bail!(
                "{} is a directory: name a file, such as {}",
                path.display(),
                path.join("sitemap.xml").display()
            );
        }
        check_folder(path, &place)?;
        let old = Old::at(&place).with_context(|| format!("cannot look at {}", path.display()))?;
        Ok(Target {
            path: path.to_owned(),
            place,
            old,
        })
    }

    /// Writes the file by calling `write`, which returns whether to keep what it wrote. Returns notes for the user.
    ///
    /// A regular or new file is written to a temporary file in the same directory, which is renamed at the end. It gets the
    /// permissions and the owner of the file that it replaces. A device, a FIFO, a socket or the target of a dangling link is
    /// written to directly.
    ///
    /// # Errors
    /// Errors of `write` and of the file system, and an error if the file is read-only, or was changed or created by another program
    /// since [`at`](Self::at). A regular file is then unchanged.
    pub(crate) fn write(self, write: impl FnOnce(&mut File) -> Result<bool>) -> Result<Vec<String>> {
        let Target { path, place, old } = self;
        let is_dangling = old.is_none() && fs::symlink_metadata(&place).is_ok();
        if is_dangling || old.as_ref().is_some_and(|old| !old.metadata.is_file()) {
            let mut file = OpenOptions::new()
                .write(true)
                .create(is_dangling)
                .open(&path)
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
}

/// The state of a file that is to be replaced, before it was read.
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

    /// Returns `true` if the file is unchanged, by its size and time.
    fn is_still(&self, place: &Path) -> bool {
        let Ok(now) = fs::metadata(place) else {
            return false;
        };
        let old = &self.metadata;
        now.len() == old.len() && now.modified().ok() == old.modified().ok() && is_same_file(&now, old)
    }

    /// Locks the file against other runs of this program until the result is dropped. They hold the lock only while they replace the file.
    /// Does nothing on file systems without locks.
    fn lock(place: &Path) -> Result<Option<File>> {
        let Ok(file) = File::open(place) else {
            return Ok(None);
        };
        let started = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::WouldBlock) if started.elapsed() < LOCK_PATIENCE => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => bail!(
                    "{} is locked by another program, and is left unchanged: run the command again when it is unlocked",
                    place.display()
                ),
                Err(TryLockError::Error(_)) => return Ok(None),
            }
        }
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

/// A temporary file, which is removed unless it replaces the output file. On Linux it has no name until it is complete, so a killed run
/// leaves nothing behind.
#[derive(Debug)]
struct Temporary {
    /// `None` while the file has no name.
    path: Option<PathBuf>,
    file: File,
}

impl Temporary {
    /// Creates a file with an unused name, and removes the temporary files of killed runs.
    fn beside(place: &Path) -> io::Result<Self> {
        remove_leavings(place);
        let (path, file) = match unnamed(place) {
            Some(file) => (None, file),
            None => {
                let create = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
                let (path, file) = with_name(place, create)?;
                (Some(path), file)
            }
        };
        // Without locks, no temporary file is ever removed.
        let _ = file.try_lock();
        Ok(Temporary { path, file })
    }

    /// Moves the file to a place.
    fn rename(&mut self, place: &Path) -> io::Result<()> {
        let path = match self.path.take() {
            Some(path) => path,
            None => with_name(place, |path| link(&self.file, path))?.0,
        };
        let renamed = fs::rename(&path, place);
        self.path = Some(path);
        renamed
    }

    fn put(mut self, place: &Path, old: Option<&Old>) -> Result<Vec<String>> {
        let context = || format!("cannot replace {}", place.display());
        let mut notes = Vec::new();
        if let Some(Old { metadata }) = old {
            owner(&self.file, place, metadata, &mut notes);
            extended_attributes(&self.file, place, &mut notes);
            // After the owner, because changing the owner clears some permission bits.
            self.file
                .set_permissions(metadata.permissions())
                .with_context(context)?;
        }
        // Syncs the content before the rename. After a crash there is either the old file or the new one.
        self.file.sync_all().with_context(context)?;
        let Some(old) = old else {
            return self.put_new(place).map(|()| notes);
        };
        // If two runs overlap, the second one detects the change here.
        let lock = Old::lock(place)?;
        if !old.is_still(place) {
            bail!(
                "{} was changed by another program in the meantime, and is left unchanged: run the command again",
                place.display()
            );
        }
        self.rename(place).with_context(context)?;
        drop(lock);
        Ok(notes)
    }

    /// Moves the file to a path that must not exist.
    fn put_new(&mut self, place: &Path) -> Result<()> {
        // A rename would replace a file that another program has just created.
        let linked = match &self.path {
            Some(path) => fs::hard_link(path, place),
            None => link(&self.file, place),
        };
        match linked {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => bail!(
                "{} was created by another program in the meantime, and is left unchanged: run the command again",
                place.display()
            ),
            // The file system has no hard links.
            Err(_) => self
                .rename(place)
                .with_context(|| format!("cannot write {}", place.display())),
        }
    }
}

/// Calls `create` with names for temporary files until one is free.
fn with_name<T>(place: &Path, create: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
    let mut attempt = 0_u32;
    loop {
        let mut name = prefix(place);
        name.push(format!("{}.{attempt}", std::process::id()));
        let path = place.with_file_name(name);
        match create(&path) {
            Ok(created) => return Ok((path, created)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Creates a file without a name in the folder of a file. `None` if the file system does not support it, or if the file could not get a
/// name later.
#[cfg(target_os = "linux")]
fn unnamed(place: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};

    if !Path::new(OWN_FILES).is_dir() {
        return None;
    }
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = open(
        folder.unwrap_or(Path::new(".")),
        flags,
        Mode::from_raw_mode(0o666),
    );
    file.ok().map(File::from)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path) -> Option<File> {
    None
}

/// The folder with the open files of this process.
#[cfg(target_os = "linux")]
const OWN_FILES: &str = "/proc/self/fd";

/// Gives an unnamed file this name, which must be unused.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, linkat};

    let own = Path::new(OWN_FILES).join(file.as_raw_fd().to_string());
    Ok(linkat(CWD, &own, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The part of a temporary file's name between the target's name and the process id with a number.
const MARK: &str = ".sitemap-";

/// Returns the prefix of the names of temporary files for a place.
fn prefix(place: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(place.file_name().unwrap_or_default());
    prefix.push(MARK);
    prefix
}

/// Removes unlocked temporary files of killed runs from the folder, for any target. Keeps fresh ones, which may not be locked yet.
pub(crate) fn remove_leavings(place: &Path) {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let rest = name.rsplit_once(MARK).filter(|_| name.starts_with('.'));
        let numbers = rest.and_then(|(_, rest)| rest.split_once('.'));
        let is_number = |text: &str| text.parse::<u32>().is_ok();
        let is_temporary = numbers.is_some_and(|(process, attempt)| is_number(process) && is_number(attempt));
        if is_temporary && is_abandoned(&entry.path()) {
            // Another run may have removed it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_abandoned(path: &Path) -> bool {
    let is_old = fs::symlink_metadata(path).is_ok_and(|found| {
        let age = found.modified().map(|modified| modified.elapsed());
        found.is_file() && age.is_ok_and(|age| age.is_ok_and(|age| age > FRESH))
    });
    is_old && File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// Gives the new file the owner of the old one. Returns notes about parts that cannot be kept.
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

/// Gives the new file the extended attributes of the old one. Returns notes about parts that cannot be kept.
#[cfg(unix)]
fn extended_attributes(file: &File, place: &Path, notes: &mut Vec<String>) {
    use xattr::FileExt;

    // Many file systems do not support them.
    let Ok(names) = xattr::list(place) else { return };
    for name in names {
        let value = xattr::get(place, &name).map(Option::unwrap_or_default);
        let kept = value.and_then(|value| match file.get_xattr(&name) {
            // The system may already have set it.
            Ok(Some(new)) if new == value => Ok(()),
            _ => file.set_xattr(&name, &value),
        });
        if let Err(error) = kept {
            notes.push(format!(
                "{} does not keep its extended attribute {}: {error}",
                place.display(),
                name.display()
            ));
        }
    }
}

#[cfg(not(unix))]
fn extended_attributes(_: &File, _: &Path, _: &mut Vec<String>) {}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // After `put` there is no temporary file.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// A change by another program between `Target::at` and the replacement is kept, whenever the file is read.
    #[test]
    fn a_file_that_changes_after_the_look_at_it_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.xml");
        fs::write(&path, "old").unwrap();
        let target = Target::at(&path).unwrap();
        write_to(&path, |file| Ok(file.write_all(b"theirs").map(|()| true)?)).unwrap();
        let error = target
            .write(|file| Ok(file.write_all(b"ours").map(|()| true)?))
            .unwrap_err();
        let place = fs::canonicalize(&path).unwrap();
        assert_eq!(
            error.to_string(),
            format!(
                "{} was changed by another program in the meantime, and is left unchanged: run the command again",
                place.display()
            )
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

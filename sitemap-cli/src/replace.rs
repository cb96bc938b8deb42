//! Writes output to files. A regular file is replaced atomically; everything else is written in place.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::NamedTempFile;

/// The time to wait for a locked file. Other runs of this program lock it only for a rename.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

/// Returns an error if a file cannot be written because it is a directory, or because its directory does not exist.
pub(crate) fn check_place(path: &Path, option: &str) -> Result<()> {
    check_file(path, option)?;
    if path.is_dir() {
        bail!("{option} names a file, and {} is a directory", path.display());
    }
    check_folder(path, path)
}

fn check_folder(path: &Path, place: &Path) -> Result<()> {
    let folder = folder_of(place);
    if let Err(error) = fs::metadata(folder)
        && error.kind() != io::ErrorKind::NotFound
    {
        bail!(
            "{} cannot be written: cannot open {}: {error}",
            path.display(),
            folder.display()
        );
    }
    if !folder.exists() {
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
    match fs::canonicalize(folder_of(path)) {
        Ok(folder) => folder.join(name),
        Err(_) => path.to_owned(),
    }
}

/// Returns the folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
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
pub(crate) fn write_to(
    path: &Path,
    is_compressed: bool,
    write: impl FnOnce(&mut To<'_>) -> Result<bool>,
) -> Result<()> {
    Target::at(path)?.write(is_compressed, write)
}

/// Writes a file with this content, unless it already has it. Returns `true` if it was written.
///
/// # Errors
/// Those of [`write_to`].
pub(crate) fn write_changed(path: &Path, content: &[u8]) -> Result<bool> {
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    if is_file && fs::read(path).is_ok_and(|before| before == content) {
        return Ok(false);
    }
    write_to(path, false, |to| Ok(to.write_all(content).map(|()| true)?))?;
    Ok(true)
}

/// A destination that several threads may write to, one at a time.
pub(crate) type To<'t> = dyn Write + Send + 't;

/// Calls `write`, and compresses what it writes if `is_compressed`.
///
/// # Errors
/// Those of `write` and of the destination.
pub(crate) fn compress<T>(
    to: &mut To<'_>,
    is_compressed: bool,
    write: impl FnOnce(&mut To<'_>) -> Result<T>,
) -> Result<T> {
    if !is_compressed {
        return write(to);
    }
    let mut encoder = GzEncoder::new(to, Compression::default());
    let written = write(&mut encoder)?;
    encoder.finish()?;
    Ok(written)
}

/// A file to be written, and its state before it was read.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    /// The file itself, with links resolved.
    place: PathBuf,
    old: Option<Metadata>,
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
        let old = match fs::metadata(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            found => Some(found.with_context(|| format!("cannot look at {}", path.display()))?),
        };
        Ok(Target {
            path: path.to_owned(),
            place,
            old,
        })
    }

    /// Writes the file by calling `write`, which returns whether to keep what it wrote. Compresses it if `is_compressed`. Prints notes
    /// about attributes that the file loses.
    ///
    /// A regular or new file is written to a temporary file in the same directory, which is renamed at the end. It gets the
    /// permissions, the owner and the extended attributes of the file that it replaces. A device, a FIFO, a socket or the target of a
    /// dangling link is written to directly.
    ///
    /// # Errors
    /// Errors of `write` and of the file system, and an error if the file is read-only, or was changed or created by another program
    /// since [`at`](Self::at). A regular file is then unchanged.
    pub(crate) fn write(
        self,
        is_compressed: bool,
        write: impl FnOnce(&mut To<'_>) -> Result<bool>,
    ) -> Result<()> {
        let Target { path, place, old } = self;
        let is_dangling = old.is_none() && fs::symlink_metadata(&place).is_ok();
        if is_dangling || old.as_ref().is_some_and(|old| !old.is_file()) {
            let mut file = OpenOptions::new()
                .write(true)
                .create(is_dangling)
                .open(&path)
                .with_context(|| format!("cannot write {}", path.display()))?;
            compress(&mut file, is_compressed, write)?;
            return Ok(());
        }
        if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
            bail!(
                "{} is read-only: make it writable, or write to another file",
                path.display()
            );
        }
        let mut new = temporary_file(&place, old.is_some())
            .with_context(|| format!("cannot write beside {}", place.display()))?;
        if !compress(new.as_file_mut(), is_compressed, write)? {
            return Ok(());
        }
        let Some(old) = old else {
            return create(new, &place);
        };
        for note in replace(&new, &place, &old)? {
            print_note!("note: {note}");
        }
        Ok(())
    }
}

/// Replaces a file by a new one with the same attributes. Returns notes about attributes that cannot be kept.
fn replace(new: &NamedTempFile<File>, place: &Path, old: &Metadata) -> Result<Vec<String>> {
    let context = || format!("cannot replace {}", place.display());
    let old_file = File::open(place).ok();
    let mut notes = hard_links(place, old);
    notes.extend(keep_attributes(new.as_file(), place, old_file.as_ref(), old));
    // After the owner, because changing the owner clears some permission bits.
    let kept = new.as_file().set_permissions(old.permissions());
    // Syncs the content before the rename. After a crash there is either the old file or the new one.
    kept.and_then(|()| new.as_file().sync_all())
        .with_context(context)?;
    // Other runs of this program lock the file too, so none replaces it between the check and the rename.
    if old_file.as_ref().is_some_and(|old| !lock(old)) {
        bail!(
            "{} is locked by another program, and is left unchanged: run the command again when it is unlocked",
            place.display()
        );
    }
    if !fs::metadata(place).is_ok_and(|now| is_unchanged(&now, old)) {
        bail!(
            "{} was changed by another program in the meantime, and is left unchanged: run the command again",
            place.display()
        );
    }
    // On Windows, `persist` would fail while the file is open.
    fs::rename(new.path(), place).with_context(context)?;
    Ok(notes)
}

/// Locks a file, and waits for other programs that lock it. Returns `false` if one keeps it locked. Returns `true` without a lock if the
/// file system has none.
fn lock(file: &File) -> bool {
    let started = Instant::now();
    while let Err(TryLockError::WouldBlock) = file.try_lock() {
        if started.elapsed() > LOCK_PATIENCE {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    true
}

/// Moves a file to a path that must not exist.
fn create(new: NamedTempFile<File>, place: &Path) -> Result<()> {
    let context = || format!("cannot write {}", place.display());
    new.as_file().sync_all().with_context(context)?;
    match new.persist_noclobber(place) {
        Ok(_) => Ok(()),
        Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Err(created_meanwhile(place)),
        // The file system has no such rename.
        Err(failed) => match fs::hard_link(failed.file.path(), place) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(created_meanwhile(place)),
            // Nor has it hard links.
            Err(_) => {
                let persisted = failed.file.persist(place);
                persisted.map_err(|failed| failed.error).with_context(context)?;
                Ok(())
            }
        },
    }
}

fn created_meanwhile(place: &Path) -> anyhow::Error {
    anyhow!(
        "{} was created by another program in the meantime, and is left unchanged: run the command again",
        place.display()
    )
}

/// Returns `true` if a file is the same, by its size and time.
fn is_unchanged(now: &Metadata, old: &Metadata) -> bool {
    now.len() == old.len() && now.modified().ok() == old.modified().ok() && is_same_file(now, old)
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

/// The end of the names of temporary files, which begin with a dot. `sitemap-pages` uses such names, too.
const TEMPORARY: &str = ".sitemap-temporary";

/// Creates a file in the folder of a file. It is locked until it is closed, and removed unless it is persisted. If it `replaces` a file,
/// no other user may read it until it has the permissions of that file. Also removes the files that killed runs have left there.
fn temporary_file(place: &Path, replaces: bool) -> io::Result<NamedTempFile<File>> {
    remove_leavings(place);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if replaces {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = replaces;
    let create = |path: &Path| {
        let file = options.open(path)?;
        let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !path.exists();
        if is_taken {
            // Another run found the file before it was locked, and removes it. The error asks for another name.
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(file)
    };
    tempfile::Builder::new()
        .prefix(".")
        .suffix(TEMPORARY)
        .make_in(folder_of(place), create)
}

/// Removes the temporary files that killed runs have left in the folder of a file. Running programs keep theirs locked. Without locks,
/// no file is removed.
pub(crate) fn remove_leavings(place: &Path) {
    for entry in fs::read_dir(folder_of(place)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_temporary = name.starts_with('.') && name.ends_with(TEMPORARY);
        if is_temporary && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let file = File::open(entry.path());
            if file.as_ref().is_ok_and(|file| file.try_lock().is_ok()) {
                // Another run may have removed it.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Returns a note about other names of a file that is replaced.
#[cfg(unix)]
fn hard_links(place: &Path, old: &Metadata) -> Vec<String> {
    use std::os::unix::fs::MetadataExt;

    let others = old.nlink().saturating_sub(1);
    let names = if others == 1 { "name" } else { "names" };
    let note = format!(
        "{} has {others} other {names} (hard links), which keep the old content",
        place.display()
    );
    if others > 0 { vec![note] } else { Vec::new() }
}

#[cfg(not(unix))]
fn hard_links(_: &Path, _: &Metadata) -> Vec<String> {
    Vec::new()
}

/// Gives a new file the owner and the extended attributes of the old one, which may be open. Returns notes about those that cannot be kept.
#[cfg(unix)]
fn keep_attributes(new: &File, place: &Path, old_file: Option<&File>, old: &Metadata) -> Vec<String> {
    use std::os::unix::fs::{MetadataExt, fchown};

    use xattr::FileExt;

    let name = place.display();
    let mut notes = Vec::new();
    let (user, group) = (old.uid(), old.gid());
    let is_same = new
        .metadata()
        .is_ok_and(|new| (new.uid(), new.gid()) == (user, group));
    if !is_same && let Err(error) = fchown(new, Some(user), Some(group)) {
        notes.push(format!("{name} does not keep its owner {user}:{group}: {error}"));
    }
    // Many file systems do not support them.
    let attributes = old_file.and_then(|old| old.list_xattr().ok());
    for attribute in attributes.into_iter().flatten() {
        let value = old_file.map_or(Ok(None), |old| old.get_xattr(&attribute));
        let value = value.map(Option::unwrap_or_default);
        let kept = value.and_then(|value| match new.get_xattr(&attribute) {
            // The system may already have set it.
            Ok(Some(new)) if new == value => Ok(()),
            _ => new.set_xattr(&attribute, &value),
        });
        if let Err(error) = kept {
            let attribute = attribute.display();
            notes.push(format!(
                "{name} does not keep its extended attribute {attribute}: {error}"
            ));
        }
    }
    notes
}

#[cfg(not(unix))]
fn keep_attributes(_: &File, _: &Path, _: Option<&File>, _: &Metadata) -> Vec<String> {
    Vec::new()
}

/// Calls `commit`, which replaces the files of a set in a folder. Afterwards, its new files get the permissions, the owner and the extended
/// attributes of the `sitemap.xml` before. If that was a link, it stays one, and the file that it leads to is replaced.
///
/// # Errors
/// Those of `commit` and of the file system.
pub(crate) fn keep_set<T>(folder: &Path, commit: impl FnOnce() -> Result<T>) -> Result<T> {
    let top = folder.join("sitemap.xml");
    // Windows might not replace a file that is open.
    let file = File::open(&top).ok().filter(|_| cfg!(unix));
    let Some(file) = file else {
        return commit();
    };
    let old = file
        .metadata()
        .with_context(|| format!("cannot look at {}", top.display()))?;
    let link = fs::read_link(&top).ok();
    let target = fs::canonicalize(&top).ok();
    let before = files_of_set(folder);
    let committed = commit()?;
    for (path, now) in files_of_set(folder) {
        // A new file may have the number of a removed one.
        let is_kept = |(_, before): &(PathBuf, Metadata)| is_unchanged(&now, before);
        if before.iter().any(is_kept) || path == top && link.is_some() {
            continue;
        }
        let context = || format!("cannot keep the permissions of {}", path.display());
        let new = File::open(&path).with_context(context)?;
        for note in keep_attributes(&new, &path, Some(&file), &old) {
            print_note!("note: {note}");
        }
        if now.permissions() != old.permissions() {
            new.set_permissions(old.permissions()).with_context(context)?;
        }
    }
    if let (Some(link), Some(target)) = (link, target)
        && !top.is_symlink()
    {
        let content = fs::read(&top).with_context(|| format!("cannot read {}", top.display()))?;
        write_changed(&target, &content)?;
        make_link(&link, &top).with_context(|| format!("cannot make the link {}", top.display()))?;
    }
    Ok(committed)
}

/// Returns the files with names of a set.
fn files_of_set(folder: &Path) -> Vec<(PathBuf, Metadata)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter_map(|entry| {
        let name = entry.file_name();
        let name = name.to_str()?;
        let is_of_set = name == "sitemap.xml" || name.starts_with("sitemap-") && name.contains(".xml");
        let found = fs::metadata(entry.path()).ok().filter(Metadata::is_file)?;
        is_of_set.then(|| (entry.path(), found))
    });
    files.collect()
}

/// Replaces a file by a link.
#[cfg(unix)]
fn make_link(target: &Path, place: &Path) -> io::Result<()> {
    let create = |path: &Path| std::os::unix::fs::symlink(target, path);
    let folder = folder_of(place);
    let new = tempfile::Builder::new()
        .prefix(".")
        .suffix(TEMPORARY)
        .make_in(folder, create)?;
    new.persist(place).map(drop).map_err(|failed| failed.error)
}

#[cfg(not(unix))]
fn make_link(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change by another program between `Target::at` and the replacement is kept, whenever the file is read.
    #[test]
    fn a_file_that_changes_after_the_look_at_it_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.xml");
        fs::write(&path, "old").unwrap();
        let target = Target::at(&path).unwrap();
        assert!(write_changed(&path, b"theirs").unwrap());
        let error = target
            .write(false, |file| Ok(file.write_all(b"ours").map(|()| true)?))
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

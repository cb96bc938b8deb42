//! Carrying out a commit: links and writes the files, syncs them, and publishes them by one rename.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Directory, Published};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::ContentHash;
use crate::sets::decision::{DecidedPart, Decision, PartOrigin};
use crate::sets::gzip::deflate;
use crate::sets::manifest::{Dropped, Manifest, Top};
use crate::sets::name::TOP_FILE;
use crate::sets::publication::{Publication, top_content};
use crate::sets::settings::Settings;
use crate::sets::summary::CommitSummary;
use crate::time::since_1970;

pub(super) struct Publisher<'a> {
    pub(super) directory: &'a Directory,
    pub(super) settings: &'a Settings,
    pub(super) before: Option<&'a Published>,
    pub(super) decision: &'a Decision,
}

/// Files that were written but not synced.
#[derive(Debug, Default)]
struct Unsynced {
    files: Vec<PathBuf>,
    /// In place: the files to rename to their public names once they are synced.
    renames: Vec<(PathBuf, PathBuf)>,
}

impl Publisher<'_> {
    pub(super) fn run(&self) -> Result<(CommitSummary, Manifest)> {
        let directory = self.directory;
        let generation = self.free_generation()?;
        if directory.in_place {
            return self.publish(generation, &directory.root);
        }
        let folder = directory.generation(generation);
        directory.create_dir_all(&directory.generations())?;
        directory
            .disk
            .create_dir(&folder)
            .map_err(|error| Error::file("create", &folder, error))?;
        let published = self.publish(generation, &folder);
        if published.is_err()
            && directory
                .current_generation()
                .is_ok_and(|current| current != Some(generation))
        {
            // The disk may be full. What cannot be removed now is removed by the next commit.
            let _ = directory.remove(&folder);
        }
        published
    }

    fn publish(&self, generation: u64, folder: &Path) -> Result<(CommitSummary, Manifest)> {
        let directory = self.directory;
        let decision = self.decision;
        let mut publication = Publication::new(decision, generation);
        if directory.in_place {
            self.note_pending()?;
        }
        let mut unsynced = Unsynced::default();
        if decision.top == Top::Index {
            for decided in &decision.parts {
                self.put_part(decided, &folder.join(&decided.part.name), &mut unsynced)?;
            }
        }
        if let Some(stylesheet) = self.settings.stylesheet {
            let is_kept = self.put_other(
                folder,
                stylesheet.name,
                stylesheet.content.as_bytes(),
                &mut unsynced,
            )?;
            publication.add_stylesheet(stylesheet, is_kept);
        }
        self.settle(&unsynced)?;
        for decided in &decision.parts {
            if decision.top == Top::Part {
                publication.add_top_part(decided);
                continue;
            }
            let file = directory.file_state(&folder.join(&decided.part.name))?;
            let is_kept = decided.source == PartOrigin::Kept;
            publication.add_part(decided, file.unwrap_or_default(), is_kept);
        }
        publication.manifest.dropped = self.keep_dropped(folder, &publication)?;

        let (top, warning) = top_content(decision, self.settings, |part| {
            directory.plain_content(part, self.before, self.settings)
        })?;
        publication.warn(warning);
        publication.set_top(&top, self.before.map(|before| before.manifest.top_hash));
        self.check(&publication.manifest, folder)?;
        if directory.in_place {
            self.publish_in_place(&mut publication, &top)?;
        } else {
            self.publish_generation(&mut publication, folder, &top)?;
        }
        let Publication {
            manifest, summary, ..
        } = publication;
        Ok((summary, manifest))
    }

    /// Syncs the files, and renames them to their public names.
    fn settle(&self, unsynced: &Unsynced) -> Result<()> {
        let directory = self.directory;
        directory.sync_files(&unsynced.files)?;
        for (from, to) in &unsynced.renames {
            directory
                .disk
                .rename(from, to)
                .map_err(|error| Error::file("replace", to, error))?;
        }
        Ok(())
    }

    /// A number for the next generation; removes what a killed commit left there.
    fn free_generation(&self) -> Result<u64> {
        let directory = self.directory;
        let mut generation = self.decision.generation;
        if directory.in_place {
            return Ok(generation);
        }
        let current = directory.current_generation()?;
        generation = generation.max(current.unwrap_or(0) + 1);
        for name in directory.list(&directory.generations())? {
            let Ok(number) = name.parse::<u64>() else { continue };
            if current.is_none_or(|current| number > current) {
                directory.remove(&directory.generations().join(name))?;
            }
        }
        Ok(generation)
    }

    /// Puts a part's file into the next generation, or, in place, into the public folder.
    fn put_part(&self, decided: &DecidedPart, path: &Path, unsynced: &mut Unsynced) -> Result<()> {
        let directory = self.directory;
        let name = &decided.part.name;
        match (decided.source, &decided.staged) {
            (PartOrigin::Kept, _) => {
                let before = self.before.map(|before| before.folder.join(name));
                match before.filter(|before| before != path) {
                    Some(before) => self.link(&before, path, unsynced),
                    None => Ok(()),
                }
            }
            (PartOrigin::Staged, Some(staged)) => {
                let staged_path = directory.staged_file(staged, &decided.part.task)?;
                let time = directory.next_time(self.time_before(name)?);
                directory
                    .disk
                    .set_modified(&staged_path, time)
                    .map_err(|error| Error::file("write", &staged_path, error))?;
                let target = self.target(path, name, unsynced)?;
                self.link(&staged_path, &target, unsynced)?;
                unsynced.files.push(target);
                Ok(())
            }
            (PartOrigin::Renamed | PartOrigin::Staged, _) => {
                let plain = directory.plain_content(decided, self.before, self.settings)?;
                let level = self.settings.gzip.unwrap_or(6);
                let content =
                    deflate(name, plain, level).map_err(|error| Error::file("write", path, error))?;
                self.put_content(path, name, &content, unsynced)
            }
        }
    }

    /// The path for writing a file that will be at `path`: in place a temporary name, since `path` may be public.
    fn target(&self, path: &Path, name: &str, unsynced: &mut Unsynced) -> Result<PathBuf> {
        let directory = self.directory;
        if !directory.in_place {
            return Ok(path.to_owned());
        }
        let next = directory.state().join(format!("{name}.new"));
        directory.remove(&next)?;
        unsynced.renames.push((next.clone(), path.to_owned()));
        Ok(next)
    }

    /// Writes a file into the next generation, or, in place, into the public folder.
    fn put_content(&self, path: &Path, name: &str, content: &[u8], unsynced: &mut Unsynced) -> Result<()> {
        let time = self.time_before(name)?;
        let target = self.target(path, name, unsynced)?;
        self.directory.write_unsynced(&target, content, time)?;
        unsynced.files.push(target);
        Ok(())
    }

    /// Puts another public file. Returns `true` if it is unchanged.
    fn put_other(&self, folder: &Path, name: &str, content: &[u8], unsynced: &mut Unsynced) -> Result<bool> {
        let hash = ContentHash::of(content);
        let path = folder.join(name);
        if let Some(before) = self.before
            && before
                .manifest
                .others
                .iter()
                .any(|other| other.name == name && other.hash == hash)
            && self
                .directory
                .file_state(&before.folder.join(name))?
                .is_some_and(|found| found.size == content.len() as u64)
        {
            if before.folder != folder {
                self.link(&before.folder.join(name), &path, unsynced)?;
            }
            return Ok(true);
        }
        self.put_content(&path, name, content, unsynced)?;
        Ok(false)
    }

    /// The modification time of the published file with this name.
    pub(super) fn time_before(&self, name: &str) -> Result<Option<SystemTime>> {
        let Some(before) = self.before else {
            return Ok(None);
        };
        let found = self.directory.metadata(&before.folder.join(name))?;
        Ok(found.map(|found| found.modified))
    }

    /// Links a file, or, where that fails, copies it with its modification time.
    fn link(&self, from: &Path, to: &Path, unsynced: &mut Unsynced) -> Result<()> {
        let directory = self.directory;
        if directory.disk.hard_link(from, to).is_ok() {
            return Ok(());
        }
        let content = directory.read(from)?;
        let time = directory.metadata(from)?.map(|found| found.modified);
        directory.write_unsynced(to, &content, None)?;
        if let Some(time) = time {
            directory
                .disk
                .set_modified(to, time)
                .map_err(|error| Error::file("write", to, error))?;
        }
        unsynced.files.push(to.to_owned());
        Ok(())
    }

    /// Keeps files that are no longer listed until their grace period ends, since crawlers may still use the old index.
    fn keep_dropped(&self, folder: &Path, publication: &Publication) -> Result<Vec<Dropped>> {
        let Some(before) = self.before else {
            return Ok(Vec::new());
        };
        let now = since_1970(self.directory.disk.now()).as_secs();
        let (dropped, _) = publication.dropped(Some(&before.manifest), now, self.settings.grace);
        let mut unsynced = Unsynced::default();
        let mut kept = Vec::with_capacity(dropped.len());
        for dropped in dropped {
            let from = before.folder.join(&dropped.name);
            if self.directory.file_state(&from)?.is_none() {
                continue;
            }
            if before.folder != folder {
                self.link(&from, &folder.join(&dropped.name), &mut unsynced)?;
            }
            kept.push(dropped);
        }
        self.settle(&unsynced)?;
        Ok(kept)
    }

    /// Checks that all parts exist, before they are published.
    fn check(&self, manifest: &Manifest, folder: &Path) -> Result<()> {
        if manifest.top == Top::Part {
            return Ok(());
        }
        for part in &manifest.parts {
            let path = folder.join(&part.name);
            if self.directory.file_state(&path)? != Some(part.file) || part.file.size == 0 {
                return Err(Error::new(
                    ErrorKind::Damaged,
                    format!(
                        "{} was changed or removed by another program while it was committed",
                        path.display()
                    ),
                ));
            }
        }
        Ok(())
    }

    fn publish_generation(&self, publication: &mut Publication, folder: &Path, top: &[u8]) -> Result<()> {
        let directory = self.directory;
        let path = folder.join(TOP_FILE);
        let before = self
            .before
            .filter(|before| before.manifest.top_hash == publication.manifest.top_hash);
        match before.map(|before| before.folder.join(TOP_FILE)) {
            Some(before) if directory.read_if_there(&before)?.as_deref() == Some(top) => {
                let mut unsynced = Unsynced::default();
                self.link(&before, &path, &mut unsynced)?;
                self.settle(&unsynced)?;
            }
            _ => directory.write_file(&path, top, self.time_before(TOP_FILE)?)?,
        }
        publication.set_top_file(directory.file_state(&path)?.unwrap_or_default());
        let manifest = &publication.manifest;
        directory.sync_dir(folder)?;
        directory.sync_dir(&directory.generations())?;
        self.put_manifest(manifest)?;
        let next = directory.root.join("current.new");
        directory.remove(&next)?;
        let target = Path::new("generations").join(manifest.generation.to_string());
        let disk = &directory.disk;
        disk.symlink(&target, &next).map_err(|error| match error.kind() {
            io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied => Error::caused(
                ErrorKind::Setting,
                format!(
                    "cannot make the link {}: {error}; a directory without links is written in place, with \
                     `SitemapSet::in_place`",
                    next.display()
                ),
                error,
            ),
            _ => Error::file("create", &next, error),
        })?;
        let current = directory.current();
        disk.rename(&next, &current)
            .map_err(|error| Error::file("replace", &current, error))?;
        directory.sync_dir(&directory.root).map_err(unsure)
    }

    pub(super) fn put_manifest(&self, manifest: &Manifest) -> Result<()> {
        let directory = self.directory;
        let path = directory.manifest_path(manifest.generation, manifest.top_hash);
        let next = path.with_extension("new");
        directory.write_file(&next, &manifest.to_json(), None)?;
        directory
            .disk
            .rename(&next, &path)
            .map_err(|error| Error::file("replace", &path, error))?;
        directory.sync_dir(&directory.state())
    }
}

/// The error if the last sync failed: the set is published, but may not survive a power failure.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(super) fn unsure(error: Error) -> Error {
    Error::new(
        ErrorKind::Io,
        format!(
            "{error}; the set is published, but it may be the one before again if the machine loses power: commit it again"
        ),
    )
}

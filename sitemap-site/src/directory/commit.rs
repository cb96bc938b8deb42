//! The commit of a set in a directory.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::error::{Error, ErrorKind, Result};
use crate::hash::ContentHash;
use crate::manifest::{Dropped, Manifest, OtherFile, Top, since_1970};
use crate::set::{
    Action, DecidedPart, Decision, PartList, Plan, Settings, Source, Summary, TOP_FILE, check_shrinking,
    decide, deflate, file_of, inflate,
};

use super::session::staged_path;
use super::{Directory, Published};

/// In place: the names that a commit is about to put.
const PENDING: &str = "pending.json";

impl Directory {
    pub(crate) fn plan(&self, lists: &[PartList], whole: bool, settings: &Settings) -> Result<Plan> {
        let before = self.before(settings)?;
        let manifest = before.as_ref().map(|before| &before.manifest);
        let place = self.place(before.as_ref());
        let decision = decide(manifest, lists, whole, settings, &place, self.disk.now())?;
        let refusal = check_shrinking(manifest, &decision, settings).err();
        let top = self.top_content(&decision, before.as_ref(), settings)?;
        let action = match manifest {
            None => Action::Add,
            Some(before) if before.top_hash == ContentHash::of(&top) => Action::Keep,
            Some(_) => Action::Write,
        };
        Ok(Plan::new(&decision, action, refusal))
    }

    /// Publishes the lists: whole, or in the place of what their tasks had.
    pub(crate) fn commit(
        &self,
        lists: &[PartList],
        whole: bool,
        settings: &Settings,
    ) -> Result<(Summary, Manifest)> {
        self.create_folders()?;
        let _lock = self.lock()?;
        let before = self.before(settings)?;
        let manifest = before.as_ref().map(|before| &before.manifest);
        let place = self.place(before.as_ref());
        let decision = decide(manifest, lists, whole, settings, &place, self.disk.now())?;
        check_shrinking(manifest, &decision, settings)?;
        let commit = Commit {
            directory: self,
            settings,
            before: before.as_ref(),
            decision: &decision,
        };
        let (mut summary, manifest) = commit.run()?;
        let mut problems = std::mem::take(&mut summary.leavings);
        self.clear_staged(lists, &mut problems);
        self.clear(
            &manifest,
            before.as_ref().map(|before| before.manifest.generation),
            &mut problems,
        );
        self.clear_sessions(settings.abandoned_after, &mut problems);
        summary.leavings = problems;
        Ok((summary, manifest))
    }

    fn before(&self, settings: &Settings) -> Result<Option<Published>> {
        match self.load() {
            Err(error) if error.kind() == ErrorKind::Damaged && settings.forget => Ok(None),
            loaded => loaded,
        }
    }

    /// What `sitemap.xml` is to be.
    fn top_content(
        &self,
        decision: &Decision,
        before: Option<&Published>,
        settings: &Settings,
    ) -> Result<Vec<u8>> {
        match (decision.top, decision.parts.as_slice()) {
            (Top::Part, [only]) => self.plain_content(only, before, settings),
            _ => Ok(decision.index.clone()),
        }
    }

    /// The XML of a part, wherever it is.
    fn plain_content(
        &self,
        decided: &DecidedPart,
        before: Option<&Published>,
        settings: &Settings,
    ) -> Result<Vec<u8>> {
        let (path, name) = match (&decided.staged, before) {
            (Some(staged), _) => (
                self.staged(&staged.staged, &decided.part.task)?,
                staged.staged.clone(),
            ),
            (None, Some(before)) => {
                let name = file_of(&decided.part, before.manifest.top).to_owned();
                (before.folder.join(&name), name)
            }
            (None, None) => return Ok(Vec::new()),
        };
        let content = inflate(&name, self.read(&path)?, settings.bytes)
            .map_err(|error| Error::file("read", &path, error))?;
        if ContentHash::of(&content) != decided.part.facts.hash {
            return Err(Error::new(
                ErrorKind::Damaged,
                format!("{} is not what was written: write the part anew", path.display()),
            ));
        }
        Ok(content)
    }

    fn staged(&self, staged: &str, task: &str) -> Result<PathBuf> {
        staged_path(&self.staging(), staged).ok_or_else(|| {
            Error::new(
                ErrorKind::Conflict,
                format!(
                    "the list of task `{}` names `{}`, which is no file of a set in a directory: was it written for another set?",
                    task.escape_debug(),
                    staged.escape_debug()
                ),
            )
        })
    }

    /// Removes the files that are published, or whose content is.
    fn clear_staged(&self, lists: &[PartList], problems: &mut Vec<String>) {
        for part in lists.iter().flat_map(|list| &list.parts) {
            let Some(path) = staged_path(&self.staging(), &part.staged) else {
                continue;
            };
            if let Err(error) = self.remove(&path) {
                problems.push(error.to_string());
            }
        }
    }

    /// Removes the generations, manifests and public files that are not needed: all but the published one and the one before.
    fn clear(&self, manifest: &Manifest, before: Option<u64>, problems: &mut Vec<String>) {
        let mut remove = |path: PathBuf| {
            if let Err(error) = self.remove(&path) {
                problems.push(error.to_string());
            }
        };
        if !self.in_place {
            let keep = [Some(manifest.generation), before];
            let is_kept = |number: &str| keep.into_iter().flatten().any(|kept| kept.to_string() == number);
            for name in self.list(&self.generations()).unwrap_or_default() {
                if !is_kept(&name) {
                    remove(self.generations().join(name));
                }
            }
        }
        let own = self.manifest_path(manifest.generation, manifest.top_hash);
        for name in self.list(&self.state()).unwrap_or_default() {
            let path = self.state().join(&name);
            if name.starts_with("manifest-") && path != own
                || path.extension().is_some_and(|extension| extension == "new")
            {
                remove(path);
            }
        }
        remove(self.root.join("current.new"));
    }
}

struct Commit<'a> {
    directory: &'a Directory,
    settings: &'a Settings,
    before: Option<&'a Published>,
    decision: &'a Decision,
}

impl Commit<'_> {
    fn run(&self) -> Result<(Summary, Manifest)> {
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
            // A full disk gets its room back at once; what cannot be removed now, the next commit removes.
            let _ = directory.remove(&folder);
        }
        published
    }

    fn publish(&self, generation: u64, folder: &Path) -> Result<(Summary, Manifest)> {
        let directory = self.directory;
        let decision = self.decision;
        let mut summary = Summary {
            generation,
            not_listed: decision.not_listed,
            left_out: decision.left_out.clone(),
            removed: decision.removed.len() as u64,
            ..Summary::default()
        };
        let mut manifest = Manifest {
            version: Manifest::VERSION,
            generation,
            committed: decision.committed,
            top: decision.top,
            top_hash: ContentHash::of(&[]),
            next_number: decision.next_number.clone(),
            parts: Vec::with_capacity(decision.parts.len()),
            others: Vec::new(),
            dropped: Vec::new(),
            condemned: Vec::new(),
        };
        if directory.in_place {
            self.note_pending()?;
        }
        let mut listed: BTreeSet<String> = BTreeSet::new();
        for decided in &decision.parts {
            let mut part = decided.part.clone();
            summary.entries += part.facts.entries;
            summary.bytes += part.facts.bytes;
            if decision.top == Top::Index {
                let path = folder.join(&part.name);
                let is_kept = self.put_part(decided, &path)?;
                part.file = directory.file_state(&path)?.unwrap_or_default();
                summary.stored += part.file.size;
                *(if is_kept {
                    &mut summary.kept
                } else {
                    &mut summary.written
                }) += 1;
                listed.insert(part.name.clone());
            }
            manifest.parts.push(part);
        }
        if let Some(stylesheet) = self.settings.stylesheet {
            self.put_other(folder, stylesheet.name, stylesheet.content.as_bytes())?;
            manifest.others.push(OtherFile {
                name: stylesheet.name.to_owned(),
                hash: ContentHash::of(stylesheet.content.as_bytes()),
            });
            listed.insert(stylesheet.name.to_owned());
        }
        manifest.dropped = self.keep_dropped(folder, &listed)?;

        let top = directory.top_content(decision, self.before, self.settings)?;
        manifest.top_hash = ContentHash::of(&top);
        let keeps_top = self
            .before
            .is_some_and(|before| before.manifest.top_hash == manifest.top_hash);
        *(if keeps_top {
            &mut summary.kept
        } else {
            &mut summary.written
        }) += 1;
        summary.files = listed.len() as u64 + 1 - u64::from(self.settings.stylesheet.is_some());
        self.check(&manifest, folder)?;
        if directory.in_place {
            self.publish_in_place(&mut manifest, &mut summary, &top)?;
        } else {
            self.publish_generation(&mut manifest, &mut summary, folder, &top)?;
        }
        Ok((summary, manifest))
    }

    /// A number that no folder has; what a killed commit left is removed.
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

    /// Puts a part's file where it is published, or into the generation that will be. True if it is the file that was there.
    fn put_part(&self, decided: &DecidedPart, path: &Path) -> Result<bool> {
        let directory = self.directory;
        let before = self.before.map(|before| before.folder.join(&decided.part.name));
        match (decided.source, &decided.staged) {
            (Source::Kept, _) => {
                if let Some(before) = before.filter(|before| before != path) {
                    self.link(&before, path)?;
                }
                Ok(true)
            }
            (Source::Staged, Some(staged)) => {
                let staged_path = directory.staged(&staged.staged, &decided.part.task)?;
                let found = directory.metadata(&staged_path)?;
                if found.is_none_or(|found| found.len != staged.size) {
                    return Err(Error::new(
                        ErrorKind::Damaged,
                        format!(
                            "{} of task `{}` is {} and had {} bytes: lists are committed once, and within the time of \
                             `SetBuilder::abandoned_after`; run the task again",
                            staged_path.display(),
                            decided.part.task,
                            found.map_or_else(
                                || "gone".to_owned(),
                                |found| format!("{} bytes long", found.len)
                            ),
                            staged.size
                        ),
                    ));
                }
                let time = directory.next_time(self.time_before(&decided.part.name)?);
                let disk = &directory.disk;
                disk.set_modified(&staged_path, time)
                    .and_then(|()| disk.sync_file(&staged_path))
                    .map_err(|error| Error::file("sync", &staged_path, error))?;
                if directory.in_place {
                    let next = directory.state().join(format!("{}.new", decided.part.name));
                    directory.remove(&next)?;
                    self.link(&staged_path, &next)?;
                    disk.rename(&next, path)
                        .map_err(|error| Error::file("replace", path, error))?;
                } else {
                    self.link(&staged_path, path)?;
                }
                Ok(false)
            }
            (Source::Renamed | Source::Staged, _) => {
                let plain = directory.plain_content(decided, self.before, self.settings)?;
                let level = self.settings.gzip.unwrap_or(6);
                let content = deflate(&decided.part.name, plain, level)
                    .map_err(|error| Error::file("write", path, error))?;
                self.put_content(path, &decided.part.name, &content)?;
                Ok(false)
            }
        }
    }

    /// Writes a file to where it is published, or into the generation that will be.
    fn put_content(&self, path: &Path, name: &str, content: &[u8]) -> Result<()> {
        let directory = self.directory;
        let time = self.time_before(name)?;
        if !directory.in_place {
            return directory.write_file(path, content, time);
        }
        let next = directory.state().join(format!("{name}.new"));
        directory.write_file(&next, content, time)?;
        directory
            .disk
            .rename(&next, path)
            .map_err(|error| Error::file("replace", path, error))
    }

    fn put_other(&self, folder: &Path, name: &str, content: &[u8]) -> Result<()> {
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
                self.link(&before.folder.join(name), &path)?;
            }
            return Ok(());
        }
        self.put_content(&path, name, content)
    }

    /// The time of the file that is published under the name.
    fn time_before(&self, name: &str) -> Result<Option<SystemTime>> {
        let Some(before) = self.before else {
            return Ok(None);
        };
        let found = self.directory.metadata(&before.folder.join(name))?;
        Ok(found.map(|found| found.modified))
    }

    /// Gives a file a second name; where that fails, makes a copy with its time.
    fn link(&self, from: &Path, to: &Path) -> Result<()> {
        let directory = self.directory;
        match directory.disk.hard_link(from, to) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::StorageFull => {
                return Err(Error::file("write", to, error));
            }
            Err(_) => {}
        }
        let content = directory.read(from)?;
        let time = directory.metadata(from)?.map(|found| found.modified);
        directory.write_file(to, &content, None)?;
        if let Some(time) = time {
            directory
                .disk
                .set_modified(to, time)
                .and_then(|()| directory.disk.sync_file(to))
                .map_err(|error| Error::file("write", to, error))?;
        }
        Ok(())
    }

    /// Keeps the files that are listed no more until the grace period ends: crawlers hold the old index.
    fn keep_dropped(&self, folder: &Path, listed: &BTreeSet<String>) -> Result<Vec<Dropped>> {
        let Some(before) = self.before else {
            return Ok(Vec::new());
        };
        let now = since_1970(self.directory.disk.now()).as_secs();
        let mut dropped: BTreeMap<&str, u64> = BTreeMap::new();
        for earlier in &before.manifest.dropped {
            dropped.insert(&earlier.name, earlier.since);
        }
        let parts = before
            .manifest
            .parts
            .iter()
            .filter(|_| before.manifest.top == Top::Index);
        for name in parts
            .map(|part| &part.name)
            .chain(before.manifest.others.iter().map(|other| &other.name))
        {
            dropped.insert(name, now);
        }
        let mut kept = Vec::new();
        for (name, since) in dropped {
            if listed.contains(name) {
                continue;
            }
            let is_over = Duration::from_secs(now.saturating_sub(since)) >= self.settings.grace;
            let from = before.folder.join(name);
            if is_over || self.directory.file_state(&from)?.is_none() {
                continue;
            }
            if before.folder != folder {
                self.link(&from, &folder.join(name))?;
            }
            kept.push(Dropped {
                name: name.to_owned(),
                since,
            });
        }
        Ok(kept)
    }

    /// Whether every part is there, before anybody is told of it.
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

    fn publish_generation(
        &self,
        manifest: &mut Manifest,
        summary: &mut Summary,
        folder: &Path,
        top: &[u8],
    ) -> Result<()> {
        let directory = self.directory;
        let path = folder.join(TOP_FILE);
        let before = self
            .before
            .filter(|before| before.manifest.top_hash == manifest.top_hash);
        match before.map(|before| before.folder.join(TOP_FILE)) {
            Some(before) if directory.read_if_there(&before)?.as_deref() == Some(top) => {
                self.link(&before, &path)?;
            }
            _ => directory.write_file(&path, top, self.time_before(TOP_FILE)?)?,
        }
        self.note_top(manifest, summary, &path)?;
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
                     `SetBuilder::in_place(true)`",
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

    fn publish_in_place(&self, manifest: &mut Manifest, summary: &mut Summary, top: &[u8]) -> Result<()> {
        let directory = self.directory;
        directory.sync_dir(&directory.root)?;
        let path = directory.root.join(TOP_FILE);
        let next = directory.state().join(format!("{TOP_FILE}.new"));
        let is_same = directory.read_if_there(&path)?.as_deref() == Some(top);
        if is_same {
            self.note_top(manifest, summary, &path)?;
        } else {
            directory.write_file(&next, top, self.time_before(TOP_FILE)?)?;
            self.note_top(manifest, summary, &next)?;
        }
        // The manifest is found by the hash of the index, so that the index commits both.
        self.put_manifest(manifest)?;
        if !is_same {
            directory
                .disk
                .rename(&next, &path)
                .map_err(|error| Error::file("replace", &path, error))?;
            directory.sync_dir(&directory.root).map_err(unsure)?;
        }
        self.remove_dropped(manifest, summary);
        if summary.leavings.is_empty()
            && let Err(error) = directory.remove(&directory.state().join(PENDING))
        {
            summary.leavings.push(error.to_string());
        }
        Ok(())
    }

    /// In place: notes the names that are put beside the published ones, before any of them is. If this commit is killed, the next one
    /// removes those that it does not list.
    fn note_pending(&self) -> Result<()> {
        let directory = self.directory;
        let mut names = self.pending()?;
        names.extend(
            self.decision
                .parts
                .iter()
                .map(|decided| decided.part.name.clone()),
        );
        names.extend(
            self.settings
                .stylesheet
                .map(|stylesheet| stylesheet.name.to_owned()),
        );
        let path = directory.state().join(PENDING);
        let next = path.with_extension("new");
        let json = serde_json::to_vec(&names).unwrap_or_default();
        directory.write_file(&next, &json, None)?;
        directory
            .disk
            .rename(&next, &path)
            .map_err(|error| Error::file("replace", &path, error))?;
        directory.sync_dir(&directory.state())
    }

    /// What a commit that was killed has noted. A file that is not whole is of one that had not begun to replace anything.
    fn pending(&self) -> Result<BTreeSet<String>> {
        let json = self
            .directory
            .read_if_there(&self.directory.state().join(PENDING))?;
        Ok(json
            .and_then(|json| serde_json::from_slice(&json).ok())
            .unwrap_or_default())
    }

    /// In place, files whose grace period is over are removed one by one, once nothing names them.
    fn remove_dropped(&self, manifest: &Manifest, summary: &mut Summary) {
        let is_needed = |name: &str| {
            manifest.dropped.iter().any(|dropped| dropped.name == name)
                || manifest.others.iter().any(|other| other.name == name)
                || manifest.top == Top::Index && manifest.parts.iter().any(|part| part.name == name)
        };
        let mut names = self.pending().unwrap_or_default();
        if let Some(before) = self.before {
            let before = &before.manifest;
            names.extend(before.parts.iter().map(|part| part.name.clone()));
            names.extend(before.dropped.iter().map(|dropped| dropped.name.clone()));
            names.extend(before.others.iter().map(|other| other.name.clone()));
        }
        for name in names.iter().filter(|name| !is_needed(name) && is_file_name(name)) {
            if let Err(error) = self.directory.remove(&self.directory.root.join(name)) {
                summary.leavings.push(error.to_string());
            }
        }
    }

    fn note_top(&self, manifest: &mut Manifest, summary: &mut Summary, path: &Path) -> Result<()> {
        if let (Top::Part, [only]) = (manifest.top, manifest.parts.as_mut_slice()) {
            only.file = self.directory.file_state(path)?.unwrap_or_default();
            summary.stored += only.file.size;
        }
        Ok(())
    }

    fn put_manifest(&self, manifest: &Manifest) -> Result<()> {
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

/// Whether it is the name of a file beside the index, whatever somebody wrote into a manifest.
fn is_file_name(name: &str) -> bool {
    !name.starts_with('.') && !name.contains(['/', '\\'])
}

/// The last sync failed: what the machine has after a power failure is not known.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn unsure(error: Error) -> Error {
    Error::new(
        ErrorKind::Io,
        format!(
            "{error}; the set is published, but it may be the one before again if the machine loses power: commit it again"
        ),
    )
}
